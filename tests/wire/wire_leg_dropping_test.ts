/** What a {@link WireLeg} still lets through when nobody takes its peer's data any more. */

import assert from "node:assert/strict";
import { closeFrame, LegFixture, textFrame } from "../support/leg_fixture.ts";
import { concatBytes } from "../support/memory_stream.ts";
import { OPCODE } from "../support/raw_peer.ts";
import { settled } from "../support/settled.ts";

const BYE = { code: 1001, reason: "bye" };

async function peerWrites(fixture: LegFixture, bytes: Uint8Array): Promise<void> {
  await fixture.peer.write(bytes);
  await settled();
}

Deno.test("WireLeg.dropData() lets the close frame through, and no data before it", async () => {
  const fixture = LegFixture.attached("client");
  await fixture.peerSends(textFrame("taken"));
  fixture.leg.dropData();
  await fixture.peerSends(
    textFrame("dropped"),
    textFrame("too", { final: false }),
    closeFrame(BYE.code, BYE.reason),
  );
  assert.deepEqual(fixture.endpointReceived(), ["taken", BYE]);
  assert.deepEqual(fixture.leg.end, { kind: "closed", close: BYE });
  await fixture.finish();
});

Deno.test("WireLeg.dropData() lets a frame that has begun end, wherever it is cut", async () => {
  const bytes = concatBytes(
    new LegFixture("client").fromPeer(
      textFrame("begun"),
      textFrame("dropped"),
      closeFrame(1001, "bye"),
    ),
  );
  for (let cut = 0; cut <= 11; cut++) {
    const fixture = LegFixture.attached("client");
    await peerWrites(fixture, bytes.subarray(0, cut));
    fixture.leg.dropData();
    await peerWrites(fixture, bytes.subarray(cut));
    // A frame has begun when its header of six bytes is there.
    const expected = cut < 6 ? [BYE] : ["begun", BYE];
    assert.deepEqual(fixture.endpointReceived(), expected, `cut at ${cut}`);
    await fixture.finish();
  }
});

Deno.test("WireLeg.dropData() of a paused leg drops what waits, at the boundaries of frames", async () => {
  const bytes = concatBytes(
    new LegFixture("client").fromPeer(
      textFrame("passed before the pause"),
      textFrame("a"),
      textFrame("b".repeat(100)),
      textFrame("c"),
      closeFrame(1001, "bye"),
    ),
  );
  // Cuts between what passes, what was read when it paused, and what comes afterwards.
  for (
    const [passes, waits] of [[29, 36], [29, 60], [29, 140], [20, 29], [20, 80], [0, 50]] as const
  ) {
    const fixture = LegFixture.attached("client");
    await peerWrites(fixture, bytes.subarray(0, passes));
    fixture.leg.pause();
    await peerWrites(fixture, bytes.subarray(passes, waits));
    fixture.leg.resume();
    fixture.leg.dropData();
    await peerWrites(fixture, bytes.subarray(waits));
    const expected = passes === 0 ? [BYE] : ["passed before the pause", BYE];
    assert.deepEqual(fixture.endpointReceived(), expected, `${passes} pass, ${waits} wait`);
    await fixture.finish();
  }
});

Deno.test("WireLeg.dropData() during a write to the endpoint leaves what is written whole", async () => {
  const fixture = LegFixture.attached("client");
  fixture.endpoint.holdsBytes = 0;
  const [frame, more] = fixture.fromPeer(textFrame("x".repeat(50)), textFrame("dropped"));
  assert.ok(frame !== undefined && more !== undefined);
  await peerWrites(fixture, frame.subarray(0, 30));
  fixture.leg.dropData();
  await peerWrites(fixture, concatBytes([frame.subarray(30), more]));
  assert.deepEqual(fixture.endpoint.takeAll(), frame.subarray(0, 30));
  await settled();
  assert.deepEqual(fixture.endpoint.takeAll(), frame.subarray(30));
  fixture.endpoint.holdsBytes = Infinity;
  await settled();
  assert.equal(fixture.endpoint.waitingBytes, 0);
  await fixture.finish();
});

Deno.test("WireLeg.dropData() lifts every hold: the pause, the limit, messages that are not taken", async () => {
  const fixture = new LegFixture("client");
  fixture.leg.limitInward(100);
  fixture.attach();
  const empty = Array.from({ length: 600 }, () => textFrame(""));
  await peerWrites(fixture, concatBytes(fixture.fromPeer(...empty)));
  fixture.leg.pause();
  fixture.leg.dropData();
  await fixture.peerSends(closeFrame(1001, "bye"));
  assert.deepEqual(fixture.leg.end, { kind: "closed", close: BYE });
  assert.equal(fixture.unreadOfPeer, 0);
  await fixture.finish();

  const ahead = LegFixture.attached("client");
  await peerWrites(ahead, concatBytes(ahead.fromPeer(...empty, closeFrame(1001, "bye"))));
  assert.equal(ahead.leg.end?.kind ?? "none", "none");
  ahead.leg.dropData();
  await settled();
  assert.deepEqual(ahead.leg.end, { kind: "closed", close: BYE });
  await ahead.finish();
});

Deno.test("WireLeg.dropData() answers a breach as before", async () => {
  const fixture = LegFixture.attached("client");
  fixture.leg.dropData();
  await fixture.peerSends(textFrame("dropped"), textFrame("", { reserved: 4 }));
  assert.equal(fixture.leg.end?.kind, "violation");
  const [told] = fixture.endpointReceived();
  assert.equal(typeof told === "object" && "code" in told ? told.code : undefined, 1002);
  await fixture.finish();
});

Deno.test("WireLeg.dropData() reads no more than 64 MiB of a peer that floods on", async () => {
  const fixture = LegFixture.attached("backend", { maxMessageBytes: 4 * 1024 * 1024 });
  fixture.leg.dropData();
  const [flood] = fixture.fromPeer({ opcode: OPCODE.binary, payload: new Uint8Array(1024 * 1024) });
  assert.ok(flood !== undefined);
  for (let sent = 0; sent < 63; sent++) await peerWrites(fixture, flood);
  assert.equal(fixture.unreadOfPeer, 0);
  for (let sent = 0; sent < 3; sent++) await fixture.peer.write(flood);
  await settled();
  assert.ok(fixture.unreadOfPeer >= flood.length);
  assert.equal(fixture.endpoint.waitingBytes, 0);
  assert.equal(fixture.isFinished, false);
  assert.equal(fixture.peer.otherEnd, undefined);
  fixture.leg.kill();
  await fixture.leg.finished;
});
