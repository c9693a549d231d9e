import assert from "node:assert/strict";
import { EarlyMessages } from "../../src/realtime/early_messages.ts";
import { Leg, type Message } from "../../src/realtime/leg.ts";
import { FakeSocket } from "../support/fake_socket.ts";
import { LegFixture } from "../support/leg_fixture.ts";
import { OPCODE } from "../support/raw_peer.ts";
import { settled } from "../support/settled.ts";

const MEBIBYTE = 1024 * 1024;
/** The greatest message and its header. */
const LIMIT = 4 * MEBIBYTE + 14;

function setUp() {
  const fixture = new LegFixture("client", { maxMessageBytes: 4 * MEBIBYTE });
  const socket = new FakeSocket();
  const client = new Leg("client", { socket, wire: fixture.leg });
  const early = new EarlyMessages(client);
  fixture.attach();
  return { fixture, socket, client, early };
}

Deno.test("EarlyMessages keeps messages in order, and lets later ones through", async () => {
  const { fixture, socket, early } = setUp();
  const got: Message[] = [];
  const binary = new Uint8Array([1]).buffer;
  socket.receive("first");
  socket.receive(binary);
  socket.receive("");
  early.releaseTo((message) => got.push(message));
  assert.deepEqual(got, ["first", binary, ""]);
  socket.receive("later");
  assert.deepEqual(got, ["first", binary, "", "later"]);
  await fixture.finish();
});

Deno.test("EarlyMessages lets one message of the greatest size in, and pauses behind it", async () => {
  const { fixture, early } = setUp();
  const [greatest] = fixture.fromPeer({
    opcode: OPCODE.binary,
    payload: new Uint8Array(4 * MEBIBYTE),
  });
  assert.equal(greatest?.length, LIMIT);
  await fixture.peerSends({ opcode: OPCODE.binary, payload: new Uint8Array(4 * MEBIBYTE) });
  for (let sent = 0; sent < 4; sent++) {
    await fixture.peerSends({ opcode: OPCODE.binary, payload: new Uint8Array(MEBIBYTE) });
  }
  assert.equal(fixture.endpoint.waitingBytes, LIMIT);
  assert.equal(fixture.unreadOfPeer, 4 * (MEBIBYTE + 14));
  early.releaseTo(() => {});
  await settled();
  assert.equal(fixture.unreadOfPeer, 0);
  assert.equal(fixture.endpoint.waitingBytes, LIMIT + 4 * (MEBIBYTE + 14));
  await fixture.finish();
});

Deno.test("EarlyMessages pauses when there are very many small messages", async () => {
  const { fixture, socket, early } = setUp();
  for (let sent = 0; sent < 4095; sent++) socket.receive("");
  await fixture.peerSends({ opcode: OPCODE.text });
  assert.equal(fixture.endpoint.waitingBytes, 6);
  socket.receive("");
  await fixture.peerSends({ opcode: OPCODE.text });
  assert.equal(fixture.endpoint.waitingBytes, 6);
  let count = 0;
  early.releaseTo(() => count++);
  await settled();
  assert.equal(count, 4096);
  assert.equal(fixture.endpoint.waitingBytes, 12);
  await fixture.finish();
});

Deno.test("EarlyMessages leaves a pause that its taker asks for in force", async () => {
  const { fixture, socket, client, early } = setUp();
  socket.receive("first");
  early.releaseTo(() => client.wire.pause());
  await fixture.peerSends({ opcode: OPCODE.text, payload: "later" });
  assert.equal(fixture.endpoint.waitingBytes, 0);
  client.wire.resume();
  await settled();
  assert.notEqual(fixture.endpoint.waitingBytes, 0);
  await fixture.finish();
});

Deno.test("EarlyMessages.discard() forgets everything, and reads on", async () => {
  const { fixture, socket, early } = setUp();
  socket.receive("first");
  await fixture.peerSends({ opcode: OPCODE.binary, payload: new Uint8Array(4 * MEBIBYTE) });
  await fixture.peerSends({ opcode: OPCODE.binary, payload: new Uint8Array(MEBIBYTE) });
  early.discard();
  await settled();
  assert.equal(fixture.unreadOfPeer, 0);
  const got: Message[] = [];
  early.releaseTo((message) => got.push(message));
  assert.deepEqual(got, []);
  await fixture.finish();
});
