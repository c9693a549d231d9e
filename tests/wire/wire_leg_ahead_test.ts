/** How many messages a {@link WireLeg} lets its endpoint have before it has handed them over. */

import assert from "node:assert/strict";
import { concatBytes } from "../support/memory_stream.ts";
import { settled } from "../support/settled.ts";
import { closeFrame, LegFixture, textFrame } from "../support/leg_fixture.ts";

const AHEAD = 512;

/** A leg whose client has sent so many empty messages in one piece. */
async function flooded(count: number, prepare: (fixture: LegFixture) => void = () => {}) {
  const fixture = LegFixture.attached("client");
  prepare(fixture);
  const messages = Array.from({ length: count }, () => textFrame(""));
  await fixture.peer.write(concatBytes(fixture.fromPeer(...messages)));
  await settled();
  return fixture;
}

async function take(fixture: LegFixture, count: number): Promise<void> {
  for (let index = 0; index < count; index++) fixture.leg.messageTaken();
  await settled();
}

Deno.test("WireLeg waits for the endpoint when 512 messages are ahead of it", async () => {
  const fixture = await flooded(1300);
  assert.equal(fixture.endpointReceived().length, AHEAD);
  await take(fixture, AHEAD / 2 - 1);
  assert.equal(fixture.endpointReceived().length, 0);
  await take(fixture, 1);
  assert.equal(fixture.endpointReceived().length, AHEAD / 2);
  await take(fixture, AHEAD);
  assert.equal(fixture.endpointReceived().length, AHEAD);
  await take(fixture, AHEAD);
  assert.equal(fixture.endpointReceived().length, 1300 - 2.5 * AHEAD);
  await fixture.finish();
});

Deno.test("WireLeg hands on what it held when the endpoint takes messages during a write", async () => {
  const fixture = await flooded(600, ({ endpoint }) => endpoint.holdsBytes = 0);
  await take(fixture, 300);
  assert.equal(fixture.endpointReceived().length, AHEAD);
  await settled();
  assert.equal(fixture.endpointReceived().length, 600 - AHEAD);
  fixture.endpoint.holdsBytes = Infinity;
  await fixture.finish();
});

Deno.test("WireLeg tells the endpoint of a close frame behind messages that it has not taken", async () => {
  const fixture = await flooded(AHEAD);
  await fixture.peerSends(textFrame("one more"), closeFrame(1001, "bye"));
  assert.equal(fixture.endpointReceived().length, AHEAD);
  assert.equal(fixture.leg.end?.kind ?? "none", "none");
  await take(fixture, AHEAD);
  assert.deepEqual(fixture.endpointReceived(), ["one more", { code: 1001, reason: "bye" }]);
  assert.equal(fixture.leg.end?.kind, "closed");
  await fixture.finish();
});

Deno.test("WireLeg.kill() ends a leg that waits for its endpoint to take messages", async () => {
  const fixture = await flooded(AHEAD + 1);
  fixture.leg.kill();
  await fixture.leg.finished;
  assert.deepEqual(fixture.leg.end, { kind: "killed" });
});

Deno.test("WireLeg does not wait for an endpoint that is gone", async () => {
  const fixture = await flooded(AHEAD + 1);
  fixture.endpoint.kill();
  fixture.leg.decideClose({ code: 1011, reason: "decided" });
  await settled();
  assert.deepEqual(fixture.peerReceived(), [{ code: 1011, reason: "decided" }]);
  await fixture.peer.closeWrite();
  await fixture.leg.finished;
  assert.deepEqual(fixture.leg.end, { kind: "fin" });
});

Deno.test("WireLeg.pause() also holds back what waited for the endpoint to take messages", async () => {
  const fixture = await flooded(AHEAD + 100);
  fixture.leg.pause();
  await take(fixture, AHEAD);
  assert.equal(fixture.endpointReceived().length, AHEAD);
  fixture.leg.resume();
  await settled();
  assert.equal(fixture.endpointReceived().length, 100);
  await fixture.finish();
});
