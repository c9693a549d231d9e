/** How a {@link WireLeg} ends, and what its two ends see of it. */

import assert from "node:assert/strict";
import { EMPTY_CLOSE } from "../../src/wire/close_frame.ts";
import { fakeTimers } from "../support/fake_timers.ts";
import { closeFrame, LegFixture, LIMIT, textFrame } from "../support/leg_fixture.ts";
import { concatBytes } from "../support/memory_stream.ts";
import { OPCODE } from "../support/raw_peer.ts";
import { settled } from "../support/settled.ts";

const SIDES = ["client", "backend"] as const;
const BOTH_SIDES = SIDES.map((side) => [side] as const);

Deno.test.each(
  SIDES.flatMap((side) =>
    ([[1000, ""], [1001, "bye"], [1013, "é"], [3999, "x".repeat(123)], [1014, "gateway"], [
      undefined,
      "",
    ]] as const).map(([code, reason]) => [side, code, reason] as const)
  ),
)("WireLeg takes the close frame of a %s: %s %j", async (side, code, reason) => {
  const fixture = LegFixture.attached(side);
  await fixture.peerSends(textFrame("last"), closeFrame(code, reason));
  const close = code === undefined ? EMPTY_CLOSE : { code, reason };
  assert.deepEqual(fixture.leg.end, { kind: "closed", close });
  // The built-in endpoint does not know 1014, and only its echo matters.
  const told = code === 1014 ? { code: 1000, reason } : close;
  assert.deepEqual(fixture.endpointReceived(), ["last", told]);
  await fixture.endpointSends(closeFrame(1000));
  assert.deepEqual(fixture.peerReceived(), [close]);
  await fixture.finish();
  assert.deepEqual(fixture.leg.end, { kind: "closed", close });
});

Deno.test.each(
  SIDES.flatMap((side) =>
    [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 4999].map((
      code,
    ) => [side, code] as const)
  ),
)("WireLeg puts the decided close frame in the place of the endpoint's, to a %s: %d", async (
  side,
  code,
) => {
  const fixture = LegFixture.attached(side);
  fixture.leg.decideClose({ code, reason: "decided" });
  await fixture.endpointSends(textFrame("before"), closeFrame(1000), textFrame("after"));
  assert.deepEqual(fixture.peerReceived(), ["before", { code, reason: "decided" }]);
  await fixture.peerSends(closeFrame(code, "echo"));
  await fixture.finish();
  assert.deepEqual(fixture.leg.end, { kind: "closed", close: { code, reason: "echo" } });
});

Deno.test.each(BOTH_SIDES)("WireLeg.decideClose() to a %s: an empty close frame", async (side) => {
  const fixture = LegFixture.attached(side);
  fixture.leg.decideClose(EMPTY_CLOSE);
  await fixture.endpointSends(closeFrame(1000));
  assert.deepEqual(fixture.peerReceived(), [EMPTY_CLOSE]);
  await fixture.finish();
});

Deno.test.each(BOTH_SIDES)(
  "WireLeg.decideClose() to a %s: the first decision stands",
  async (side) => {
    const fixture = LegFixture.attached(side);
    fixture.leg.decideClose({ code: 1001, reason: "first" });
    fixture.leg.decideClose({ code: 1011, reason: "second" });
    fixture.leg.fail({ code: 1007, reason: "third" });
    await fixture.endpointSends(closeFrame(1000));
    assert.deepEqual(fixture.peerReceived(), [{ code: 1001, reason: "first" }]);
    await fixture.finish();
  },
);

Deno.test.each(BOTH_SIDES)(
  "WireLeg passes an undecided close frame of the endpoint on to a %s",
  async (side) => {
    const fixture = LegFixture.attached(side);
    await fixture.endpointSends(closeFrame(1000, "endpoint's own"));
    assert.deepEqual(fixture.peerReceived(), [{ code: 1000, reason: "endpoint's own" }]);
    await fixture.finish();
  },
);

Deno.test.each(BOTH_SIDES)(
  "WireLeg writes one close frame to a %s, whatever comes together",
  async (side) => {
    const fixture = LegFixture.attached(side);
    fixture.leg.decideClose({ code: 1011, reason: "ours" });
    const bothAtOnce = [
      fixture.peer.write(concatBytes(fixture.fromPeer(closeFrame(1000, "theirs")))),
      fixture.endpoint.write(concatBytes(fixture.fromEndpoint(
        closeFrame(1000),
        closeFrame(1000),
        textFrame("late"),
      ))),
    ];
    await Promise.all(bothAtOnce);
    await settled();
    fixture.leg.decideClose({ code: 1001, reason: "later" });
    fixture.leg.fail({ code: 1007, reason: "later" });
    await fixture.endpointSends(closeFrame(1000), closeFrame(1000));
    await fixture.endpoint.closeWrite();
    await settled();
    assert.deepEqual(fixture.peerReceived(), [{ code: 1011, reason: "ours" }]);
    assert.equal(fixture.peer.otherEnd, "fin");
    await fixture.finish();
  },
);

const BREACHES = [
  ["the other side's masking", { masked: "wrong" }, 1002],
  ["RSV1", { reserved: 4 }, 1002],
  ["a reserved opcode", { opcode: 5 }, 1002],
  ["too big a message", { claimedLength: BigInt(LIMIT) + 1n }, 1009],
  ["a malformed close frame", { opcode: OPCODE.close, payload: "x" }, 1002],
] as const;

Deno.test.each(
  SIDES.flatMap((side) =>
    BREACHES.map(([what, frame, code]) => [what, side, frame, code] as const)
  ),
)("WireLeg answers %s of a %s through the endpoint and reads on without use", async (
  _what,
  side,
  frame,
  code,
) => {
  const fixture = LegFixture.attached(side);
  const masked = side === "backend";
  await fixture.peerSends(
    textFrame("good"),
    textFrame("bad", "masked" in frame ? { masked } : frame),
    textFrame("ignored"),
  );
  const { leg } = fixture;
  assert.equal(leg.end?.kind === "violation" ? leg.end.violation.code : undefined, code);
  const reason = leg.end?.kind === "violation" ? leg.end.violation.reason : "";
  assert.deepEqual(fixture.endpointReceived(), ["good", { code, reason }]);
  await fixture.peerSends(textFrame("ignored too"));
  assert.equal(fixture.endpoint.waitingBytes, 0);
  // The endpoint echoes what it was told; the decision says the same in any case.
  await fixture.endpointSends(closeFrame(code, reason));
  await fixture.endpoint.closeWrite();
  await settled();
  assert.deepEqual(fixture.peerReceived(), [{ code, reason }]);
  assert.equal(fixture.peer.otherEnd, "fin");
  await fixture.peer.closeWrite();
  await leg.finished;
  assert.equal(leg.end?.kind, "violation");
});

Deno.test("WireLeg refuses a message of fragments that grow over the limit, and holds none of it", async () => {
  const fixture = LegFixture.attached("client");
  const fragment = { opcode: OPCODE.continuation, payload: "x".repeat(1000), final: false };
  await fixture.peerSends({ ...fragment, opcode: OPCODE.text });
  for (let sent = 1; sent < LIMIT / 1000; sent++) await fixture.peerSends(fragment);
  assert.equal(fixture.endpointReceived().length, LIMIT / 1000);
  assert.equal(fixture.leg.end, undefined);
  await fixture.peerSends(fragment);
  const reason = "message too big";
  assert.deepEqual(fixture.leg.end, { kind: "violation", violation: { code: 1009, reason } });
  assert.deepEqual(fixture.endpointReceived(), [{ code: 1009, reason }]);
  await fixture.finish();
});

Deno.test("WireLeg reads no more than 64 MiB of a peer that floods on after its breach", async () => {
  const fixture = LegFixture.attached("client");
  await fixture.peerSends(textFrame("", { reserved: 4 }));
  const flood = new Uint8Array(1024 * 1024);
  for (let mebibytes = 0; mebibytes < 64; mebibytes++) {
    await fixture.peer.write(flood);
    await settled();
  }
  assert.equal(fixture.unreadOfPeer, 0);
  await fixture.peer.write(flood);
  await fixture.peer.write(flood);
  await settled();
  assert.ok(fixture.unreadOfPeer >= flood.length);
  // What ends it is its time, not its flood: a reset would destroy the close frame on its way.
  assert.equal(fixture.isFinished, false);
  assert.equal(fixture.peer.otherEnd, undefined);
  fixture.leg.kill();
  await fixture.leg.finished;
  assert.equal(fixture.leg.end?.kind, "violation");
});

Deno.test.each(SIDES.flatMap((side) => [[side, "fin"], [side, "rst"]] as const))(
  "WireLeg.end of a %s that ends without a close frame: %s",
  async (side, how) => {
    const fixture = LegFixture.attached(side);
    await fixture.peerSends(textFrame("last"));
    const half = concatBytes(fixture.fromPeer(textFrame("never finished"))).subarray(0, 9);
    await fixture.peer.write(half);
    if (how === "fin") await fixture.peer.closeWrite();
    else fixture.peer.reset();
    await settled();
    assert.deepEqual(fixture.leg.end, { kind: how });
    assert.equal(fixture.endpoint.otherEnd, "fin");
    fixture.leg.decideClose({ code: 1011, reason: "too late to tell" });
    await fixture.endpoint.closeWrite();
    await fixture.leg.finished;
    assert.equal(fixture.peer.waitingBytes, 0);
    assert.deepEqual(fixture.leg.end, { kind: how });
  },
);

Deno.test.each(BOTH_SIDES)(
  "WireLeg writes the decision to a %s when the endpoint dies without a close frame",
  async (side) => {
    const fixture = LegFixture.attached(side);
    await fixture.endpointSends(textFrame("whole"));
    await fixture.endpoint.closeWrite();
    await settled();
    assert.deepEqual(fixture.peerReceived(), ["whole"]);
    assert.equal(fixture.peer.otherEnd, undefined);
    fixture.leg.fail({ code: 1007, reason: "text is not UTF-8" });
    await settled();
    assert.deepEqual(fixture.peerReceived(), [{ code: 1007, reason: "text is not UTF-8" }]);
    assert.equal(fixture.peer.otherEnd, "fin");
    await fixture.peerSends(closeFrame(1007));
    await fixture.finish();
    assert.equal(fixture.leg.end?.kind, "violation");
  },
);

Deno.test("WireLeg writes no close frame into a frame that the endpoint left unfinished", async () => {
  const fixture = LegFixture.attached("client");
  const [frame] = fixture.fromEndpoint(textFrame("never finished"));
  assert.ok(frame !== undefined);
  await fixture.endpoint.write(frame.subarray(0, 7));
  await fixture.endpoint.closeWrite();
  fixture.leg.decideClose({ code: 1011, reason: "decided" });
  await settled();
  assert.deepEqual(fixture.peer.takeAll(), frame.subarray(0, 7));
  assert.equal(fixture.peer.otherEnd, "fin");
  await fixture.finish();
});

Deno.test("WireLeg writes the close frame in the place of a header that the endpoint left unfinished", async () => {
  const fixture = LegFixture.attached("backend");
  const [frame] = fixture.fromEndpoint(textFrame("never finished"));
  assert.ok(frame !== undefined);
  await fixture.endpoint.write(frame.subarray(0, 3));
  await fixture.endpoint.closeWrite();
  fixture.leg.decideClose({ code: 1011, reason: "decided" });
  await settled();
  assert.deepEqual(fixture.peerReceived(), [{ code: 1011, reason: "decided" }]);
  await fixture.finish();
});

Deno.test("WireLeg ends, and does not spin, when the endpoint breaks the protocol", async () => {
  const fixture = LegFixture.attached("client");
  await fixture.endpoint.write(new Uint8Array(10_000).fill(0xff));
  fixture.leg.decideClose({ code: 1011, reason: "decided" });
  await settled();
  assert.deepEqual(fixture.peerReceived(), [{ code: 1011, reason: "decided" }]);
  await fixture.finish();
});

Deno.test("WireLeg.kill() before attach() resolves finished and kills the streams that come later", async () => {
  const fixture = new LegFixture("client");
  fixture.leg.kill();
  await fixture.leg.finished;
  assert.deepEqual(fixture.leg.end, { kind: "killed" });
  fixture.attach();
  assert.equal(fixture.peer.otherEnd, "fin");
  assert.equal(fixture.endpoint.otherEnd, "fin");
});

Deno.test.each(
  [
    ["idle", () => {}],
    ["paused", (fixture: LegFixture) => fixture.leg.pause()],
    ["over its limit", (fixture: LegFixture) => fixture.leg.limitInward(0)],
    ["waiting for the peer", async (fixture: LegFixture) => {
      fixture.peer.holdsBytes = 0;
      await fixture.endpointSends(textFrame("stalled"));
    }],
    ["waiting for the endpoint", async (fixture: LegFixture) => {
      fixture.endpoint.holdsBytes = 0;
      await fixture.peerSends(textFrame("stalled"));
    }],
    ["waiting for a decision", async (fixture: LegFixture) => {
      await fixture.endpoint.closeWrite();
    }],
    ["lingering", async (fixture: LegFixture) => {
      await fixture.endpointSends(closeFrame(1000));
      await fixture.endpoint.closeWrite();
    }],
  ] as const,
)("WireLeg.kill() ends a leg that is %s at once, and once", async (_what, prepare) => {
  const fixture = LegFixture.attached("client");
  await settled();
  await prepare(fixture);
  await settled();
  assert.equal(fixture.isFinished, false);
  fixture.leg.kill();
  fixture.leg.kill();
  await settled();
  assert.equal(fixture.isFinished, true);
  assert.deepEqual(fixture.leg.end, { kind: "killed" });
  assert.notEqual(fixture.peer.otherEnd, undefined);
  assert.notEqual(fixture.endpoint.otherEnd, undefined);
});

Deno.test("WireLeg.kill() does not overwrite how the peer ended", async () => {
  const fixture = LegFixture.attached("client");
  await fixture.peerSends(closeFrame(1001, "bye"));
  fixture.leg.kill();
  await fixture.leg.finished;
  assert.deepEqual(fixture.leg.end, { kind: "closed", close: { code: 1001, reason: "bye" } });
});

Deno.test("WireLeg ends when the endpoint stops reading and the peer goes", async () => {
  const fixture = LegFixture.attached("client");
  await settled();
  fixture.endpoint.kill();
  await fixture.peerSends(textFrame("to nobody"), textFrame("nor this"));
  fixture.leg.decideClose({ code: 1011, reason: "decided" });
  await settled();
  assert.deepEqual(fixture.peerReceived(), [{ code: 1011, reason: "decided" }]);
  await fixture.peerSends(closeFrame(1011));
  await fixture.peer.closeWrite();
  await fixture.leg.finished;
});

Deno.test("WireLeg ends when the peer takes no more: the endpoint is told by a FIN", async () => {
  const fixture = LegFixture.attached("client");
  await settled();
  fixture.peer.reset();
  await fixture.endpointSends(textFrame("to nobody"));
  assert.equal(fixture.endpoint.otherEnd, "fin");
  await fixture.endpoint.closeWrite();
  await fixture.leg.finished;
  assert.deepEqual(fixture.leg.end, { kind: "rst" });
});

Deno.test.each(BOTH_SIDES)(
  "WireLeg finishes when a %s and the endpoint end at the same time",
  async (side) => {
    for (const first of ["peer", "endpoint"] as const) {
      const fixture = LegFixture.attached(side);
      await settled();
      const second = first === "peer" ? fixture.endpoint : fixture.peer;
      void fixture[first].closeWrite();
      void second.closeWrite();
      await fixture.leg.finished;
      assert.deepEqual(fixture.leg.end, { kind: "fin" });
      assert.equal(fixture.peer.waitingBytes, 0);
    }
  },
);

Deno.test("WireLeg gives a peer that has its close frame five seconds to go", async () => {
  using timers = fakeTimers();
  const fixture = LegFixture.attached("client");
  await fixture.endpointSends(closeFrame(1000));
  await fixture.endpoint.closeWrite();
  await fixture.peerSends(textFrame("still here"));
  assert.equal(fixture.peer.otherEnd, "fin");
  timers.advance(4_999);
  await settled();
  assert.equal(fixture.isFinished, false);
  timers.advance(1);
  await fixture.leg.finished;
  assert.deepEqual(fixture.leg.end, { kind: "killed" });
  assert.equal(timers.pending, 0);
});

Deno.test("WireLeg leaves no timer behind when its peer goes in time", async () => {
  using timers = fakeTimers();
  const fixture = LegFixture.attached("backend");
  await fixture.endpointSends(closeFrame(1000));
  await fixture.endpoint.closeWrite();
  await fixture.peerSends(closeFrame(1000));
  assert.equal(timers.pending, 1);
  await fixture.peer.closeWrite();
  await fixture.leg.finished;
  assert.equal(timers.pending, 0);
});

Deno.test("WireLeg drops whatever the endpoint writes behind its close frame, however much", async () => {
  const fixture = LegFixture.attached("client");
  await fixture.endpointSends(closeFrame(1000, "done"));
  for (let sent = 0; sent < 5; sent++) await fixture.endpointSends(textFrame("x".repeat(60_000)));
  assert.deepEqual(fixture.peerReceived(), [{ code: 1000, reason: "done" }]);
  assert.equal(fixture.leg.messagesAccepted, 0);
  await fixture.finish();
});
