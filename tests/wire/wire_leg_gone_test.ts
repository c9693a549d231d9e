/** A {@link WireLeg} whose peer takes nothing any more. */

import assert from "node:assert/strict";
import { fakeTimers } from "../support/fake_timers.ts";
import { closeFrame, LegFixture, textFrame } from "../support/leg_fixture.ts";
import { settled } from "../support/settled.ts";

const BOTH_SIDES = ["client", "backend"] as const;

/** The peer says its last and resets, and only a write shows that it is gone. */
async function pausedAndReset(side: "client" | "backend") {
  const fixture = LegFixture.attached(side);
  fixture.leg.pause();
  await fixture.peerSends(textFrame("the last"), closeFrame(1001, "bye"));
  fixture.peer.reset();
  await fixture.endpointSends(textFrame("to nobody"), textFrame("nor this"));
  return fixture;
}

Deno.test.each(BOTH_SIDES)(
  "WireLeg hands on what a %s said before it reset, though writing to it has failed",
  async (side) => {
    using timers = fakeTimers();
    const fixture = await pausedAndReset(side);
    assert.equal(fixture.endpoint.otherEnd, undefined);
    assert.equal(fixture.leg.end, undefined);
    assert.equal(fixture.leg.messagesAccepted, 0);
    fixture.leg.resume();
    await settled();
    assert.deepEqual(fixture.endpointReceived(), ["the last", { code: 1001, reason: "bye" }]);
    assert.deepEqual(fixture.leg.end, { kind: "closed", close: { code: 1001, reason: "bye" } });
    await fixture.endpoint.closeWrite();
    fixture.leg.endpointClosed();
    await fixture.leg.finished;
    assert.equal(timers.pending, 0);
  },
);

Deno.test.each(BOTH_SIDES)(
  "WireLeg waits five seconds for the last words of a %s that takes nothing any more",
  async (side) => {
    using timers = fakeTimers();
    const fixture = await pausedAndReset(side);
    timers.advance(4_999);
    await settled();
    assert.equal(fixture.isFinished, false);
    timers.advance(1);
    await fixture.leg.finished;
    assert.deepEqual(fixture.leg.end, { kind: "rst" });
    assert.equal(timers.pending, 0);
  },
);

Deno.test("WireLeg reads on from an endpoint whose peer is gone, or that would wait and read nothing", async () => {
  const fixture = await pausedAndReset("client");
  fixture.leg.resume();
  for (let sent = 0; sent < 5; sent++) await fixture.endpointSends(textFrame("x".repeat(60_000)));
  await settled();
  assert.equal(fixture.leg.outwardBytes, 0);
  await fixture.endpoint.closeWrite();
  fixture.leg.endpointClosed();
  await fixture.leg.finished;
});
