/** A {@link Session} whose backend is there: its relay and its timers. */

import assert from "node:assert/strict";
import { closeFrame, textFrame } from "../support/leg_fixture.ts";
import { OPCODE } from "../support/raw_peer.ts";
import { settled } from "../support/settled.ts";
import { SessionFixture, type SessionFixtureOptions } from "./session_fixture.ts";

async function openSession(options: SessionFixtureOptions = {}): Promise<SessionFixture> {
  const fixture = new SessionFixture(options);
  await fixture.openBoth();
  return fixture;
}

const IDLE = { code: 1000, reason: "idle timeout" };
const TOO_LONG = { code: 1000, reason: "max session duration" };

Deno.test("Session relays both ways, text as text and binary as binary", async () => {
  const fixture = await openSession();
  await fixture.client.peerSends(
    textFrame("텍스트"),
    { opcode: OPCODE.binary, payload: new Uint8Array([0xff, 0]) },
    textFrame(""),
  );
  await fixture.backend.peerSends(textFrame("down"), { opcode: OPCODE.binary });
  assert.deepEqual(
    fixture.backend.peerFrames().map(({ opcode, payload }) => [opcode, payload.toHex()]),
    [[OPCODE.text, new TextEncoder().encode("텍스트").toHex()], [OPCODE.binary, "ff00"], [
      OPCODE.text,
      "",
    ]],
  );
  assert.deepEqual(
    fixture.client.peerFrames().map(({ opcode, payload }) => [opcode, payload.length]),
    [[OPCODE.text, 4], [OPCODE.binary, 0]],
  );
  assert.deepEqual(fixture.session.relayed, {
    clientMessages: 3,
    clientBytes: 15 + 8 + 6,
    backendMessages: 2,
    backendBytes: 6 + 2,
  });
  fixture.session.end({ kind: "operator" });
  const report = await fixture.closeBoth();
  assert.equal(report.clientMessages, 3);
  assert.equal(report.backendBytes, 8);
  assert.equal(fixture.observed.filter((what) => what === "relayed client_to_backend").length, 3);
  assert.equal(fixture.observed.filter((what) => what === "relayed backend_to_client").length, 2);
});

Deno.test("Session reports how long it lasted, and takes its gauge back once", async () => {
  const fixture = new SessionFixture();
  await fixture.passes(100);
  await fixture.openClient();
  await fixture.passes(20);
  await fixture.openBackend();
  assert.deepEqual(fixture.opened, [20]);
  await fixture.passes(3_000);
  assert.equal(fixture.gaugeDisposed, 0);
  fixture.session.end({ kind: "operator" });
  const report = await fixture.closeBoth();
  assert.equal(report.establishedMs, 3_000);
  assert.equal(report.durationMs, 3_120);
  assert.equal(fixture.gaugeDisposed, 1);
  assert.equal(fixture.session.state, "closed");
  fixture.session.end({ kind: "shutdown" });
  await settled();
  assert.equal(fixture.gaugeDisposed, 1);
  assert.deepEqual(fixture.opened, [20]);
});

Deno.test("Session ends after idle_timeout without a message, and not before", async () => {
  const fixture = await openSession({ timers: { idleTimeoutMs: 60_000 } });
  await fixture.passes(59_999);
  assert.equal(fixture.session.state, "open");
  await fixture.passes(1);
  assert.equal(fixture.session.state, "closing");
  assert.deepEqual(fixture.client.peerReceived(), [IDLE]);
  assert.deepEqual(fixture.backend.peerReceived(), [IDLE]);
  const report = await fixture.closeBoth();
  assert.equal(report.outcome, "idle_timeout");
  assert.deepEqual(fixture.judged, ["success"]);
  assert.equal(fixture.clock.pending, 0);
});

Deno.test("Session does not count the time of connecting as idle", async () => {
  const fixture = new SessionFixture({
    timers: { idleTimeoutMs: 5_000, handshakeTimeoutMs: 20_000 },
  });
  await fixture.openClient();
  await fixture.passes(15_000);
  await fixture.openBackend();
  await fixture.passes(4_999);
  assert.equal(fixture.session.state, "open");
  await fixture.passes(1);
  assert.equal((await fixture.closeBoth()).outcome, "idle_timeout");
});

Deno.test("Session counts as idle from when it knows of the backend's 101", async () => {
  const fixture = new SessionFixture({ timers: { idleTimeoutMs: 5_000 } });
  await fixture.openClient();
  fixture.backend.attach();
  await fixture.passes(2_000);
  fixture.backendSocket.open();
  await settled();
  await fixture.passes(4_999);
  assert.equal(fixture.session.state, "open");
  await fixture.passes(1);
  assert.equal((await fixture.closeBoth()).outcome, "idle_timeout");
});

const TRAFFIC:
  readonly (readonly [what: string, send: (fixture: SessionFixture) => Promise<void>])[] = [
    ["the client's messages", ({ client }) => client.peerSends(textFrame("x"))],
    ["the client's empty messages", ({ client }) => client.peerSends(textFrame(""))],
    ["the backend's messages", ({ backend }) => backend.peerSends(textFrame("x"))],
  ];

Deno.test.each(TRAFFIC)("Session is kept from being idle by %s", async (_what, send) => {
  const fixture = await openSession({ timers: { idleTimeoutMs: 60_000 } });
  for (let minute = 0; minute < 5; minute++) {
    await fixture.passes(50_000);
    await send(fixture);
  }
  await fixture.passes(59_999);
  assert.equal(fixture.session.state, "open");
  await fixture.passes(1);
  assert.equal((await fixture.closeBoth()).outcome, "idle_timeout");
});

Deno.test("Session is kept from being idle by fragments of one long message", async () => {
  const fixture = await openSession({ timers: { idleTimeoutMs: 60_000 } });
  await fixture.client.peerSends(textFrame("a", { final: false }));
  for (let minute = 0; minute < 4; minute++) {
    await fixture.passes(50_000);
    await fixture.client.peerSends(textFrame("a", { opcode: OPCODE.continuation, final: false }));
  }
  assert.equal(fixture.session.state, "open");
  await fixture.passes(60_000);
  assert.equal((await fixture.closeBoth()).outcome, "idle_timeout");
});

Deno.test("Session is not kept from being idle by pings and pongs", async () => {
  const fixture = await openSession({ timers: { idleTimeoutMs: 60_000 } });
  for (const at of [30_000, 29_999]) {
    await fixture.passes(at);
    for (const leg of [fixture.client, fixture.backend]) {
      await leg.peerSends({ opcode: OPCODE.ping, payload: "p" }, { opcode: OPCODE.pong });
    }
  }
  assert.equal(fixture.session.state, "open");
  await fixture.passes(1);
  assert.equal((await fixture.closeBoth()).outcome, "idle_timeout");
});

Deno.test("Session is kept from being idle while a paused direction drains, and no longer", async () => {
  const fixture = await openSession({ timers: { idleTimeoutMs: 60_000 } });
  const peer = fixture.client.peer;
  peer.holdsBytes = 0;
  const payload = new Uint8Array(300_000);
  for (let sent = 0; sent < 8; sent++) {
    await fixture.backend.peerSends({ opcode: OPCODE.binary, payload });
  }
  assert.ok(fixture.observed.includes("paused backend_to_client"));
  for (let turn = 0; turn < 4; turn++) {
    await fixture.passes(50_000);
    peer.takeAll();
    await settled();
  }
  assert.equal(fixture.session.state, "open");
  // Now it takes nothing any more.
  await fixture.passes(59_999);
  assert.equal(fixture.session.state, "open");
  await fixture.passes(1);
  assert.equal(fixture.session.state, "closing");
  await fixture.passes(5_000);
  assert.equal((await fixture.report).outcome, "idle_timeout");
});

Deno.test("Session without an idle_timeout is never idle", async () => {
  const fixture = await openSession({ timers: { idleTimeoutMs: 0 } });
  assert.equal(fixture.clock.pending, 0);
  await fixture.passes(100 * 24 * 3_600_000);
  assert.equal(fixture.session.state, "open");
  fixture.session.end({ kind: "operator" });
  await fixture.closeBoth();
});

Deno.test("Session ends after max_session_duration, counted from the client's 101, whatever is said", async () => {
  const fixture = new SessionFixture({ timers: { maxSessionDurationMs: 100_000 } });
  await fixture.passes(500);
  await fixture.openClient();
  await fixture.passes(1_000);
  await fixture.openBackend();
  for (let turn = 0; turn < 9; turn++) {
    await fixture.passes(10_000);
    await fixture.client.peerSends(textFrame("x"));
  }
  await fixture.passes(8_999);
  assert.equal(fixture.session.state, "open");
  await fixture.passes(1);
  assert.deepEqual(fixture.client.peerReceived(), [TOO_LONG]);
  assert.deepEqual(fixture.backend.peerReceived().at(-1), TOO_LONG);
  const report = await fixture.closeBoth();
  assert.equal(report.outcome, "max_duration");
  assert.equal(fixture.clock.pending, 0);
});

Deno.test("Session slows a fast backend down to a client that does not read, and loses nothing", async () => {
  const fixture = await openSession();
  fixture.client.peer.holdsBytes = 0;
  const payload = new Uint8Array(256 * 1024);
  for (let sent = 0; sent < 40; sent++) {
    payload.fill(sent);
    await fixture.backend.peerSends({ opcode: OPCODE.binary, payload });
  }
  const taken = fixture.backend.leg.inwardBytes;
  assert.ok(taken < 2 * 1024 * 1024, `${taken} bytes were taken in`);
  assert.ok(fixture.backend.unreadOfPeer > 6 * 1024 * 1024);
  // The other direction goes on.
  await fixture.client.peerSends(textFrame("up"));
  assert.deepEqual(fixture.backend.peerReceived(), ["up"]);
  fixture.client.peer.holdsBytes = Infinity;
  for (let turn = 0; turn < 100 && fixture.session.relayed.backendMessages < 40; turn++) {
    await fixture.passes(5);
  }
  const frames = fixture.client.peerFrames();
  assert.deepEqual(
    frames.map(({ payload }) => payload[0]),
    Array.from({ length: 40 }, (_, i) => i),
  );
  assert.ok(frames.every(({ payload }) => payload.length === 256 * 1024));
  fixture.session.end({ kind: "operator" });
  await fixture.closeBoth();
  assert.equal(fixture.clock.pending, 0);
});

Deno.test("Session relays nothing that comes after its end", async () => {
  const fixture = await openSession();
  await fixture.client.peerSends(textFrame("before"));
  const takenBefore = [fixture.client.leg.inwardBytes, fixture.backend.leg.inwardBytes];
  fixture.session.end({ kind: "operator" });
  await settled();
  await fixture.client.peerSends(textFrame("after"));
  await fixture.backend.peerSends(textFrame("after"));
  const taken = [fixture.client.leg.inwardBytes, fixture.backend.leg.inwardBytes];
  assert.deepEqual(taken, takenBefore);
  fixture.clientSocket.receive("after, from the endpoint's own buffer");
  fixture.backendSocket.receive("after, from the endpoint's own buffer");
  const close = { code: 1001, reason: "closed by operator" };
  assert.deepEqual(fixture.backend.peerReceived(), ["before", close]);
  assert.deepEqual(fixture.client.peerReceived(), [close]);
  const report = await fixture.closeBoth();
  assert.equal(report.clientMessages, 1);
  assert.equal(report.backendMessages, 0);
});

Deno.test("Session hands on what a side sent before its close frame", async () => {
  for (const by of ["client", "backend"] as const) {
    const fixture = await openSession();
    const [from, to] = by === "client"
      ? [fixture.client, fixture.backend]
      : [fixture.backend, fixture.client];
    for (
      const bytes of from.fromPeer(textFrame("one"), textFrame("two"), closeFrame(3000, "bye"))
    ) {
      void from.peer.write(bytes);
    }
    await settled();
    assert.deepEqual(to.peerReceived(), ["one", "two", { code: 3000, reason: "bye" }]);
    await fixture.closeBoth();
  }
});
