/** How a {@link Session} ends, and what its two sides see of it. */

import assert from "node:assert/strict";
import { EMPTY_CLOSE } from "../../src/wire/mod.ts";
import { closeFrame, type Received, textFrame } from "../support/leg_fixture.ts";
import { OPCODE } from "../support/raw_peer.ts";
import { settled } from "../support/settled.ts";
import { SessionFixture } from "./session_fixture.ts";

async function openSession(): Promise<SessionFixture> {
  const fixture = new SessionFixture();
  await fixture.openBoth();
  return fixture;
}

function sides(fixture: SessionFixture, by: "client" | "backend") {
  return by === "client"
    ? { own: fixture.client, other: fixture.backend }
    : { own: fixture.backend, other: fixture.client };
}

const CODES = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999]
  .concat([4000, 4999]);
const SIDES = ["client", "backend"] as const;

Deno.test.each(SIDES.flatMap((by) => CODES.map((code) => [by, code] as const)))(
  "Session passes the close frame of its %s on: %d",
  async (by, code) => {
    for (const reason of ["", "x", "é".repeat(61) + "x"]) {
      const fixture = await openSession();
      const { own, other } = sides(fixture, by);
      await own.peerSends(closeFrame(code, reason));
      assert.deepEqual(other.peerReceived(), [{ code, reason }]);
      assert.deepEqual(own.peerReceived(), [{ code, reason }]);
      const report = await fixture.closeBoth();
      assert.equal(report.outcome, "completed");
      assert.deepEqual(report.ending, { kind: "closed", by, close: { code, reason } });
    }
  },
);

Deno.test.each(SIDES.map((by) => [by] as const))(
  "Session passes an empty close frame of its %s on",
  async (by) => {
    const fixture = await openSession();
    const { own, other } = sides(fixture, by);
    await own.peerSends(closeFrame());
    assert.deepEqual(other.peerReceived(), [EMPTY_CLOSE]);
    assert.deepEqual(own.peerReceived(), [EMPTY_CLOSE]);
    assert.equal((await fixture.closeBoth()).outcome, "completed");
  },
);

Deno.test.each(
  SIDES.flatMap((by) =>
    ([
      ["a FIN", "fin", null],
      ["a reset", "rst", null],
      ["a frame that is not allowed", "violation", 1002],
      ["too big a message", "violation", 1009],
      ["text that is not UTF-8", "violation", 1007],
    ] as const).map(([what, how, code]) => [what, by, how, code] as const)
  ),
)("Session tells the other side 1011 of %s from its %s", async (what, by, how, code) => {
  const fixture = await openSession();
  const { own, other } = sides(fixture, by);
  if (what === "a FIN") await own.peer.closeWrite();
  else if (what === "a reset") own.peer.reset();
  else if (code === 1002) await own.peerSends(textFrame("", { reserved: 4 }));
  else if (code === 1009) await own.peerSends(textFrame("", { claimedLength: 4_194_305n }));
  else await own.peerSends({ opcode: OPCODE.text, payload: new Uint8Array([0xff]) });
  await settled();
  assert.deepEqual(other.peerReceived(), [{ code: 1011, reason: `${by} connection lost` }]);
  const codes = own.peerReceived().map((frame) =>
    typeof frame === "object" && "code" in frame ? frame.code : null
  );
  assert.deepEqual(codes, code === null ? [] : [code]);
  const report = await fixture.closeBoth();
  assert.deepEqual(report.ending, { kind: "aborted", by, how, code });
  assert.equal(report.outcome, `${by}_abort`);
});

Deno.test("Session keeps its first ending, whatever comes later", async () => {
  const fixture = await openSession();
  fixture.session.end({ kind: "operator" });
  fixture.session.end({ kind: "shutdown" });
  await fixture.client.peerSends(closeFrame(4000, "later"));
  await fixture.backend.peerSends(closeFrame(4001, "later"));
  await fixture.passes(70_000);
  const close = { code: 1001, reason: "closed by operator" };
  assert.deepEqual(fixture.client.peerReceived(), [close]);
  assert.deepEqual(fixture.backend.peerReceived(), [close]);
  const report = await fixture.closeBoth();
  assert.deepEqual(report.ending, { kind: "operator" });
});

Deno.test("Session sends one close frame to each side when both close at the same moment", async () => {
  const fixture = await openSession();
  for (const leg of [fixture.client, fixture.backend]) {
    for (const bytes of leg.fromPeer(closeFrame(4000, "mine"))) void leg.peer.write(bytes);
  }
  await settled();
  const isClose = (frame: Received) => typeof frame === "object";
  assert.equal(fixture.client.peerReceived().filter(isClose).length, 1);
  assert.equal(fixture.backend.peerReceived().filter(isClose).length, 1);
  const report = await fixture.closeBoth();
  assert.equal(report.outcome, "completed");
});

Deno.test.each(SIDES.map((side) => [side] as const))(
  "Session does not let a stalled %s delay the other side's close frame, and ends it after 5 s",
  async (side) => {
    const fixture = await openSession();
    const { own, other } = sides(fixture, side);
    own.peer.holdsBytes = 0;
    await other.peerSends(textFrame("never taken"));
    fixture.session.end({ kind: "operator" });
    await settled();
    assert.deepEqual(other.peerReceived(), [{ code: 1001, reason: "closed by operator" }]);
    await other.peerSends(closeFrame(1001));
    await other.peer.closeWrite();
    await fixture.passes(4_999);
    assert.equal(fixture.isOver, false);
    assert.equal(own.peer.otherEnd, undefined);
    assert.equal(fixture.gaugeDisposed, 0);
    await fixture.passes(1);
    assert.equal(fixture.isOver, true);
    assert.notEqual(own.peer.otherEnd, undefined);
    assert.notEqual(own.endpoint.otherEnd, undefined);
    assert.equal(fixture.gaugeDisposed, 1);
    assert.equal((await fixture.report).outcome, "completed");
    assert.equal(fixture.clock.pending, 0);
  },
);

Deno.test("Session ends a client that never answers its close frame after 5 s", async () => {
  const fixture = await openSession();
  fixture.session.end({ kind: "shutdown" });
  await settled();
  await fixture.backend.peerSends(closeFrame(1001));
  await fixture.backend.peer.closeWrite();
  await fixture.passes(4_999);
  assert.equal(fixture.isOver, false);
  await fixture.passes(1);
  assert.equal(fixture.isOver, true);
  assert.deepEqual(fixture.client.peerReceived(), [{ code: 1001, reason: "server shutting down" }]);
});

Deno.test("Session is over as soon as both sides are, without waiting for the grace", async () => {
  const fixture = await openSession();
  fixture.session.end({ kind: "operator" });
  await fixture.closeBoth();
  assert.equal(fixture.isOver, true);
  assert.equal(fixture.clock.pending, 0);
});

Deno.test("Session delivers within the grace what it had taken before its end", async () => {
  const fixture = await openSession();
  fixture.client.peer.holdsBytes = 0;
  await fixture.backend.peerSends(textFrame("one"), textFrame("two"), closeFrame(1000, "done"));
  assert.equal(fixture.session.state, "closing");
  await fixture.passes(4_000);
  const got: Received[] = [];
  for (let turn = 0; turn < 5; turn++) {
    got.push(...fixture.client.peerReceived());
    await settled();
  }
  assert.deepEqual(got, ["one", "two", { code: 1000, reason: "done" }]);
  fixture.client.peer.holdsBytes = Infinity;
  await fixture.closeBoth();
});
