import assert from "node:assert/strict";
import {
  Direction,
  type DirectionName,
  HIGH_WATER_BYTES,
  LOW_WATER_BYTES,
} from "../../src/realtime/direction.ts";
import { Leg } from "../../src/realtime/leg.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { FakeSocket } from "../support/fake_socket.ts";
import { LegFixture, textFrame } from "../support/leg_fixture.ts";
import { settled } from "../support/settled.ts";

/** Longer than the direction waits between two looks at the backlog. */
const A_LOOK_MS = 10;

function setUp(from: "client" | "backend" = "client") {
  const clock = new FakeClock();
  const to = from === "client" ? "backend" : "client";
  const source = LegFixture.attached(from);
  const target = LegFixture.attached(to);
  const socket = new FakeSocket();
  const relayed: [DirectionName, number][] = [];
  const paused: DirectionName[] = [];
  const reader = new Leg(to, { socket, wire: target.leg });
  const direction = new Direction({
    from: new Leg(from, { socket: new FakeSocket(), wire: source.leg }),
    to: reader,
    clock,
    observer: {
      relayed: (name, bytes) => relayed.push([name, bytes]),
      paused: (name) => paused.push(name),
    },
  });
  /** Whether what the source sends now goes on to its endpoint. */
  const flows = async (): Promise<boolean> => {
    source.endpoint.takeAll();
    await source.peerSends(textFrame("x"));
    return source.endpoint.waitingBytes > 0;
  };
  /** Makes the reader's backlog exactly so many bytes. */
  const holdBack = (bytes: number): void => {
    socket.bufferedAmount = 0;
    socket.bufferedAmount = bytes - reader.backlogBytes;
  };
  const finish = () => {
    source.leg.kill();
    target.leg.kill();
  };
  return { clock, source, socket, relayed, paused, direction, flows, holdBack, finish };
}

Deno.test("Direction is named as metrics name it", () => {
  for (
    const [from, name] of [
      ["client", "client_to_backend"],
      ["backend", "backend_to_client"],
    ] as const
  ) {
    const { direction, finish } = setUp(from);
    assert.equal(direction.name, name);
    finish();
  }
});

Deno.test("Direction.relay() hands on the very message and counts it with its frames' bytes", async () => {
  const { direction, source, socket, relayed, finish } = setUp();
  await source.peerSends(textFrame("hello"));
  direction.relay("hello");
  const binary = new ArrayBuffer(2);
  await source.peerSends(textFrame("a", { final: false }), textFrame("b", { opcode: 0 }));
  direction.relay(binary);
  assert.equal(socket.sent[0], "hello");
  assert.equal(socket.sent[1], binary);
  assert.deepEqual(relayed, [["client_to_backend", 11], ["client_to_backend", 14]]);
  assert.equal(direction.messages, 2);
  assert.equal(direction.bytes, 25);
  finish();
});

Deno.test("Direction pauses its writer over 1 MiB, and resumes it under 256 KiB", async () => {
  const { direction, clock, paused, flows, holdBack, finish } = setUp();
  holdBack(HIGH_WATER_BYTES - 10_000);
  direction.relay("x");
  assert.equal(clock.pending, 0);
  assert.equal(await flows(), true);

  holdBack(HIGH_WATER_BYTES);
  direction.relay("x");
  assert.deepEqual(paused, ["client_to_backend"]);
  for (const bytes of [HIGH_WATER_BYTES, LOW_WATER_BYTES + 1, LOW_WATER_BYTES]) {
    holdBack(bytes);
    clock.advance(A_LOOK_MS);
    assert.equal(await flows(), false, `${bytes} bytes`);
  }
  holdBack(LOW_WATER_BYTES - 1);
  clock.advance(A_LOOK_MS);
  await settled();
  assert.equal(clock.pending, 0);
  assert.equal(await flows(), true);
  finish();
});

Deno.test("Direction pauses once, however many messages come meanwhile, and may pause again", () => {
  const { direction, socket, clock, paused, finish } = setUp();
  socket.bufferedAmount = HIGH_WATER_BYTES + 1;
  for (let sent = 0; sent < 5; sent++) direction.relay("x");
  assert.equal(paused.length, 1);
  assert.equal(clock.pending, 1);
  socket.bufferedAmount = 0;
  clock.advance(A_LOOK_MS);
  socket.bufferedAmount = HIGH_WATER_BYTES + 1;
  direction.relay("x");
  assert.equal(paused.length, 2);
  direction[Symbol.dispose]();
  finish();
});

Deno.test("Direction pauses for very many empty messages too", () => {
  const { direction, paused, finish } = setUp();
  let sent = 0;
  while (paused.length === 0 && sent < 100_000) {
    direction.relay("");
    sent++;
  }
  assert.ok(sent < 100_000, "it never paused");
  direction[Symbol.dispose]();
  finish();
});

Deno.test("Direction disposed of resumes its writer and leaves no timer", async () => {
  const { direction, socket, clock, flows, finish } = setUp();
  socket.bufferedAmount = HIGH_WATER_BYTES + 1;
  direction.relay("x");
  direction[Symbol.dispose]();
  direction[Symbol.dispose]();
  assert.equal(clock.pending, 0);
  assert.equal(await flows(), true);
  finish();
});
