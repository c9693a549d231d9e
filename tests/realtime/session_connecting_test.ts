/** A {@link Session} until its backend is there, or is not. */

import assert from "node:assert/strict";
import { DialFailure } from "../../src/wire/mod.ts";
import { closeFrame, textFrame } from "../support/leg_fixture.ts";
import { OPCODE } from "../support/raw_peer.ts";
import { settled } from "../support/settled.ts";
import { SessionFixture } from "./session_fixture.ts";

const FAILED = { code: 1011, reason: "backend connection failed" };

/** The client answers its close frame and goes. */
async function clientGoes(fixture: SessionFixture): Promise<void> {
  await fixture.client.peerSends(closeFrame(1000));
  await fixture.client.peer.closeWrite();
}

Deno.test("Session hands on in order what the client sent before its backend was there", async () => {
  const fixture = new SessionFixture();
  await fixture.openClient();
  await fixture.client.peerSends(
    textFrame("first"),
    textFrame(""),
    { opcode: OPCODE.binary, payload: "third" },
  );
  assert.equal(fixture.session.state, "connecting");
  assert.equal(fixture.backend.peer.waitingBytes, 0);
  await fixture.openBackend();
  await fixture.client.peerSends(textFrame("fourth"));
  assert.equal(fixture.session.state, "open");
  assert.deepEqual(fixture.backend.peerReceived(), ["first", "", "third", "fourth"]);
  assert.deepEqual(fixture.judged, ["success"]);
  fixture.session.end({ kind: "operator" });
  await fixture.closeBoth();
});

Deno.test("Session does not lose what the backend sends in the packet of its 101", async () => {
  const fixture = new SessionFixture();
  await fixture.openClient();
  const first = fixture.backend.fromPeer(textFrame("session.created"))[0];
  assert.ok(first !== undefined);
  fixture.backend.attach({ farBytes: first });
  // The endpoint tells of its open and of the message before any promise job runs.
  fixture.backendSocket.open();
  fixture.backendSocket.receive("before anybody listened");
  await settled();
  assert.deepEqual(fixture.client.peerReceived(), ["before anybody listened", "session.created"]);
  fixture.session.end({ kind: "operator" });
  await fixture.closeBoth();
});

Deno.test("Session reads no more than 4 MiB from a client that has no backend yet", async () => {
  const fixture = new SessionFixture();
  await fixture.openClient();
  const mebibyte = { opcode: OPCODE.binary, payload: new Uint8Array(1024 * 1024) };
  for (let sent = 0; sent < 6; sent++) await fixture.client.peerSends(mebibyte);
  assert.ok(fixture.client.leg.inwardBytes <= 4 * 1024 * 1024 + 14);
  assert.ok(fixture.client.unreadOfPeer >= 1024 * 1024);
  await fixture.openBackend();
  for (let turn = 0; turn < 10; turn++) {
    await fixture.passes(10);
    await settled();
  }
  assert.equal(fixture.backend.peer.waitingBytes, 6 * (1024 * 1024 + 14));
  fixture.session.end({ kind: "operator" });
  await fixture.closeBoth();
});

Deno.test("Session lasts no longer than max_session_duration, though its client's endpoint never opens", async () => {
  const fixture = new SessionFixture({ timers: { maxSessionDurationMs: 60_000 } });
  await fixture.passes(59_999);
  assert.equal(fixture.session.state, "connecting");
  await fixture.passes(1);
  const { outcome } = await fixture.report;
  assert.equal(outcome, "max_duration");
  assert.deepEqual(fixture.judged, ["release"]);
});

Deno.test("Session fails at handshake_timeout, not before, and gives its dial up", async () => {
  const fixture = new SessionFixture({ timers: { handshakeTimeoutMs: 10_000 } });
  await fixture.openClient();
  await fixture.passes(9_999);
  assert.equal(fixture.session.state, "connecting");
  await fixture.passes(1);
  assert.equal(fixture.session.state, "closing");
  assert.deepEqual(fixture.client.peerReceived(), [FAILED]);
  assert.equal(fixture.aborts, 1);
  assert.deepEqual(fixture.judged, ["failure"]);
  await clientGoes(fixture);
  const report = await fixture.report;
  assert.deepEqual(report.ending, { kind: "connect-failed", cause: "timeout" });
  assert.equal(report.outcome, "backend_connect_failed");
  assert.equal(report.establishedMs, null);
  assert.deepEqual(fixture.opened, []);
  assert.equal(fixture.clock.pending, 0);
});

Deno.test("Session measures handshake_timeout from the client's 101", async () => {
  const fixture = new SessionFixture({ timers: { handshakeTimeoutMs: 10_000 } });
  await fixture.passes(60_000);
  assert.equal(fixture.session.state, "connecting");
  assert.equal(fixture.dials, 0);
  await fixture.openClient();
  assert.equal(fixture.dials, 1);
  await fixture.passes(9_999);
  await fixture.openBackend();
  assert.equal(fixture.session.state, "open");
  assert.deepEqual(fixture.opened, [9_999]);
  await fixture.passes(10_000);
  assert.equal(fixture.session.state, "open");
  fixture.session.end({ kind: "operator" });
  await fixture.closeBoth();
});

Deno.test("Session aborts a dial that begins only after its end", async () => {
  const fixture = new SessionFixture({ dialWaits: true });
  await fixture.openClient();
  await fixture.passes(10_000);
  assert.equal(fixture.aborts, 0);
  await clientGoes(fixture);
  assert.equal((await fixture.report).outcome, "backend_connect_failed");
  await fixture.dialed();
  assert.equal(fixture.aborts, 1);
});

Deno.test.each(
  [
    ["refused", new DialFailure("refused", "connection refused")],
    ["dns", new DialFailure("dns", "no such host")],
    ["tls", new DialFailure("tls", "certificate has expired")],
    ["status", new DialFailure("status", "the backend answered 401", { status: 401 })],
    ["unreachable", undefined],
  ] as const,
)("Session fails when its backend cannot be had: %s", async (kind, failure) => {
  const fixture = new SessionFixture();
  await fixture.openClient();
  await fixture.client.peerSends(textFrame("for nobody"));
  await fixture.failBackend(failure);
  assert.deepEqual(fixture.client.peerReceived(), [FAILED]);
  await clientGoes(fixture);
  const { ending, outcome } = await fixture.report;
  assert.ok(ending.kind === "connect-failed" && ending.cause !== "timeout");
  assert.equal(ending.cause.kind, kind);
  if (failure !== undefined) assert.equal(ending.cause, failure);
  assert.equal(outcome, "backend_connect_failed");
  assert.deepEqual(fixture.judged, ["failure"]);
  assert.equal(fixture.backend.peer.waitingBytes, 0);
});

Deno.test("Session fails, and does not reject, when dialling itself fails", async () => {
  const fixture = new SessionFixture({ dialError: new TypeError("broken") });
  await fixture.openClient();
  assert.deepEqual(fixture.client.peerReceived(), [FAILED]);
  await clientGoes(fixture);
  const { ending, outcome } = await fixture.report;
  assert.equal(ending.kind, "connect-failed");
  assert.equal(outcome, "backend_connect_failed");
  assert.deepEqual(fixture.judged, ["failure"]);
});

Deno.test.each(
  [
    [
      "a close frame",
      (fixture: SessionFixture) => fixture.client.peerSends(closeFrame(4000, "bye")),
    ],
    ["a FIN", (fixture: SessionFixture) => fixture.client.peer.closeWrite()],
    ["a reset", (fixture: SessionFixture) => Promise.resolve(fixture.client.peer.reset())],
    [
      "a breach",
      (fixture: SessionFixture) => fixture.client.peerSends(textFrame("", { reserved: 4 })),
    ],
  ] as const,
)("Session ends as client_abort when the client leaves while connecting, by %s", async (
  what,
  leave,
) => {
  for (const dialWaits of [false, true]) {
    const fixture = new SessionFixture({ dialWaits });
    await fixture.openClient();
    await leave(fixture);
    await settled();
    if (dialWaits) await fixture.dialed();
    assert.equal(fixture.aborts, 1);
    assert.deepEqual(fixture.judged, ["release"]);
    const echo = fixture.client.peerReceived();
    if (what === "a close frame") assert.deepEqual(echo, [{ code: 4000, reason: "bye" }]);
    await fixture.client.peer.closeWrite();
    const report = await fixture.report;
    assert.equal(report.outcome, "client_abort");
    assert.equal(report.establishedMs, null);
    assert.equal(fixture.clock.pending, 0);
  }
});

Deno.test("Session of a client that left before its 101 never dials", async () => {
  const fixture = new SessionFixture();
  fixture.client.leg.kill();
  const report = await fixture.report;
  assert.equal(report.outcome, "client_abort");
  assert.equal(fixture.dials, 0);
  assert.deepEqual(fixture.judged, ["release"]);
  assert.equal(fixture.clock.pending, 0);
});

Deno.test.each(
  [
    ["max-duration", "max_duration", { code: 1000, reason: "max session duration" }],
    ["shutdown", "completed", { code: 1001, reason: "server shutting down" }],
    ["operator", "completed", { code: 1001, reason: "closed by operator" }],
  ] as const,
)(
  "Session that ends by %s while connecting leaves the breaker alone",
  async (kind, outcome, close) => {
    const fixture = new SessionFixture({ timers: { maxSessionDurationMs: 5_000 } });
    await fixture.openClient();
    if (kind === "max-duration") {
      await fixture.passes(4_999);
      assert.equal(fixture.session.state, "connecting");
      await fixture.passes(1);
    } else fixture.session.end({ kind });
    await settled();
    assert.deepEqual(fixture.client.peerReceived(), [close]);
    assert.equal(fixture.aborts, 1);
    assert.deepEqual(fixture.judged, ["release"]);
    await clientGoes(fixture);
    assert.equal((await fixture.report).outcome, outcome);
    assert.equal(fixture.clock.pending, 0);
  },
);

Deno.test("Session that is ended before the client's 101 ends its connection", async () => {
  const fixture = new SessionFixture();
  fixture.session.end({ kind: "shutdown" });
  const report = await fixture.report;
  assert.equal(report.outcome, "completed");
  assert.equal(fixture.dials, 0);
  assert.deepEqual(fixture.client.leg.end, { kind: "killed" });
});

Deno.test.each(Array.from({ length: 12 }, (_, ticks) => [ticks] as const))(
  "Session gives up a dial that resolves %d promise jobs before its end",
  async (ticks) => {
    const fixture = new SessionFixture({ dialWaits: true });
    await fixture.openClient();
    const dialed = fixture.dialed();
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
    fixture.session.end({ kind: "operator" });
    await dialed;
    await settled();
    assert.ok(fixture.aborts > 0);
    assert.deepEqual(fixture.backend.leg.end, { kind: "killed" });
    await clientGoes(fixture);
    await fixture.report;
  },
);
