/** What a {@link Session} tells its meter, and when. */

import assert from "node:assert/strict";
import { textFrame } from "../support/leg_fixture.ts";
import { OPCODE } from "../support/raw_peer.ts";
import { settled } from "../support/settled.ts";
import { GRACE_MS } from "../../src/realtime/session.ts";
import { SessionFixture } from "./session_fixture.ts";

Deno.test("Session shows its meter the backend's texts, numbered among all messages", async () => {
  const fixture = new SessionFixture();
  await fixture.openBoth();
  await fixture.client.peerSends(textFrame("never shown"));
  await fixture.backend.peerSends(
    textFrame("one"),
    { opcode: OPCODE.binary, payload: "two" },
    textFrame("three"),
  );
  assert.deepEqual(fixture.meter.taps, [
    { text: "one", sequence: 1 },
    { text: "three", sequence: 3 },
  ]);
});

Deno.test("Session tells its meter what the client's connection has, only while that is asked", async () => {
  const fixture = new SessionFixture();
  await fixture.openBoth();
  await fixture.backend.peerSends(textFrame("one"), textFrame("two"));
  assert.equal(fixture.meter.acceptances.at(-1), 2);
  const told = fixture.meter.acceptances.length;
  fixture.meter.hasPending = false;
  await fixture.backend.peerSends(textFrame("three"));
  assert.equal(fixture.meter.acceptances.length, told);
  fixture.session.end({ kind: "operator" });
  fixture.meter.recorded = 7;
  assert.equal((await fixture.closeBoth()).usageRecords, 7);
  assert.equal(fixture.meter.endedAt, 3);
});

Deno.test("Session counts what a stalled client never took as not accepted", async () => {
  const fixture = new SessionFixture();
  await fixture.openBoth();
  fixture.client.peer.holdsBytes = 0;
  await fixture.backend.peerSends(textFrame("never taken"));
  assert.equal(fixture.meter.taps.length, 1);
  fixture.session.end({ kind: "operator" });
  await settled();
  await fixture.passes(GRACE_MS - 1);
  assert.equal(fixture.meter.endedAt, undefined);
  await fixture.passes(1);
  await fixture.report;
  assert.deepEqual(fixture.meter.acceptances, []);
  assert.equal(fixture.meter.endedAt, 0);
});
