/** What passes through a {@link WireLeg}, and when. How it ends: `wire_leg_closing_test.ts`. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { closeFrame, LegFixture, textFrame } from "../support/leg_fixture.ts";
import { concatBytes } from "../support/memory_stream.ts";
import { OPCODE } from "../support/raw_peer.ts";
import { settled } from "../support/settled.ts";

const BOTH_SIDES = [["client"], ["backend"]] as const;

Deno.test.each(BOTH_SIDES)("WireLeg hands on every byte of a %s unchanged", async (side) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 2000 }), { maxLength: 5 }),
      fc.array(fc.nat(), { maxLength: 12 }),
      fc.nat(50),
      async (payloads, cuts, early) => {
        const fixture = new LegFixture(side);
        const frames = payloads.map((payload) => ({ opcode: OPCODE.binary, payload }));
        const inward = concatBytes(fixture.fromPeer(...frames));
        const outward = concatBytes(fixture.fromEndpoint(...frames));
        fixture.attach({
          farBytes: inward.subarray(0, early),
          nearBytes: outward.subarray(0, early),
        });
        for (
          const [bytes, stream] of [
            [inward, fixture.peer],
            [outward, fixture.endpoint],
          ] as const
        ) {
          let at = Math.min(early, bytes.length);
          for (const end of [...cuts, bytes.length].map((cut) => cut % (bytes.length + 1))) {
            if (end > at) await stream.write(bytes.subarray(at, end));
            at = Math.max(at, end);
          }
          await stream.write(bytes.subarray(at));
        }
        await settled();
        assert.deepEqual(fixture.endpoint.takeAll(), inward);
        assert.deepEqual(fixture.peer.takeAll(), outward);
        assert.equal(fixture.leg.inwardBytes, inward.length);
        assert.equal(fixture.leg.inwardDataBytes, inward.length);
        assert.equal(fixture.leg.outwardBytes, outward.length);
        assert.equal(fixture.leg.messagesAccepted, payloads.length);
        assert.equal(fixture.leg.end, undefined);
        await fixture.finish();
      },
    ),
    { numRuns: 40 },
  );
});

Deno.test("WireLeg.pause() keeps every byte back until resume()", async () => {
  const fixture = LegFixture.attached("client");
  await settled();
  fixture.leg.pause();
  // One read was under way when it paused; what it brings waits too.
  await fixture.peerSends(textFrame("first"), textFrame("second"));
  assert.equal(fixture.endpoint.waitingBytes, 0);
  assert.equal(fixture.leg.inwardBytes, 0);
  assert.equal(fixture.peer.waitingBytes, 0);
  fixture.leg.resume();
  await settled();
  assert.deepEqual(fixture.endpointReceived(), ["first", "second"]);
  fixture.leg.pause();
  fixture.leg.resume();
  await fixture.peerSends(textFrame("third"));
  assert.deepEqual(fixture.endpointReceived(), ["third"]);
  await fixture.finish();
});

Deno.test("WireLeg.pause() stops reading from the peer", async () => {
  const fixture = LegFixture.attached("client");
  await settled();
  fixture.leg.pause();
  await fixture.peerSends(textFrame("the read under way"));
  assert.equal(fixture.unreadOfPeer, 0);
  await fixture.peerSends(textFrame("x".repeat(50_000)));
  assert.equal(fixture.unreadOfPeer, 50_008);
  fixture.leg.resume();
  await settled();
  assert.equal(fixture.unreadOfPeer, 0);
  await fixture.finish();
});

Deno.test("WireLeg.pause() leaves the other direction alone", async () => {
  const fixture = LegFixture.attached("backend");
  fixture.leg.pause();
  await fixture.endpointSends(textFrame("outward"));
  assert.deepEqual(fixture.peerReceived(), ["outward"]);
  await fixture.finish();
});

Deno.test("WireLeg.limitInward() lets exactly so many bytes in, and the rest when it is lifted", async () => {
  const bytes = concatBytes(new LegFixture("client").fromPeer(textFrame("x".repeat(300))));
  for (let limit = 0; limit <= bytes.length + 1; limit++) {
    const fixture = new LegFixture("client");
    fixture.leg.limitInward(limit);
    fixture.attach();
    await fixture.peer.write(bytes.subarray(0, 5));
    await fixture.peer.write(bytes.subarray(5));
    await settled();
    // A header goes in as a whole or not at all.
    const expected = limit < 8 ? 0 : Math.min(limit, bytes.length);
    assert.equal(fixture.endpoint.waitingBytes, expected, `limit ${limit}`);
    assert.equal(fixture.leg.inwardBytes, expected);
    fixture.leg.limitInward(Infinity);
    await settled();
    assert.deepEqual(fixture.endpoint.takeAll(), bytes);
    await fixture.finish();
  }
});

Deno.test("WireLeg.limitInward() is not passed by frames that come byte by byte", async () => {
  const fixture = new LegFixture("client");
  const bytes = concatBytes(fixture.fromPeer(textFrame("ab"), textFrame("x".repeat(200))));
  for (const limit of [8, 9, 12, 15, 16, 17, 40]) {
    const fixture = new LegFixture("client");
    fixture.leg.limitInward(limit);
    fixture.attach();
    for (const byte of bytes) await fixture.peer.write(new Uint8Array([byte]));
    await settled();
    assert.ok(fixture.leg.inwardBytes <= limit, `${fixture.leg.inwardBytes} of ${limit}`);
    fixture.leg.limitInward(Infinity);
    await settled();
    assert.deepEqual(fixture.endpoint.takeAll(), bytes);
    await fixture.finish();
  }
});

Deno.test("WireLeg.limitInward() and pause() hold together", async () => {
  const fixture = new LegFixture("client");
  fixture.leg.limitInward(20);
  fixture.attach();
  await settled();
  fixture.leg.pause();
  await fixture.peerSends(textFrame("x".repeat(100)));
  assert.equal(fixture.endpoint.waitingBytes, 0);
  fixture.leg.resume();
  await settled();
  assert.equal(fixture.endpoint.waitingBytes, 20);
  fixture.leg.pause();
  fixture.leg.limitInward(Infinity);
  await settled();
  assert.equal(fixture.endpoint.waitingBytes, 20);
  fixture.leg.resume();
  await settled();
  assert.equal(fixture.endpoint.waitingBytes, 106);
  await fixture.finish();
});

Deno.test("WireLeg stops reading from the peer while the endpoint takes nothing", async () => {
  const fixture = LegFixture.attached("client");
  fixture.endpoint.holdsBytes = 0;
  await fixture.peerSends(textFrame("taken, not accepted"));
  await fixture.peerSends(textFrame("not read"));
  assert.equal(fixture.unreadOfPeer, 14);
  assert.deepEqual(fixture.endpointReceived(), ["taken, not accepted"]);
  await settled();
  assert.equal(fixture.unreadOfPeer, 0);
  fixture.endpoint.holdsBytes = Infinity;
  await fixture.finish();
});

Deno.test("WireLeg.messagesAccepted counts a message when the peer has taken its last byte", async () => {
  const fixture = LegFixture.attached("client");
  fixture.peer.holdsBytes = 0;
  await fixture.endpointSends(textFrame("one"));
  assert.equal(fixture.leg.messagesAccepted, 0);
  assert.deepEqual(fixture.peerReceived(), ["one"]);
  await settled();
  assert.equal(fixture.leg.messagesAccepted, 1);
  fixture.peer.holdsBytes = Infinity;
  await fixture.endpointSends(
    textFrame("two, ", { final: false }),
    { opcode: OPCODE.ping },
  );
  assert.equal(fixture.leg.messagesAccepted, 1);
  await fixture.endpointSends(textFrame("finished", { opcode: OPCODE.continuation }));
  assert.equal(fixture.leg.messagesAccepted, 2);
  await fixture.endpointSends(closeFrame(1000), textFrame("behind the close frame"));
  assert.equal(fixture.leg.messagesAccepted, 2);
  await fixture.finish();
});

Deno.test("WireLeg.messagesAccepted does not count what a peer that is gone did not take", async () => {
  const fixture = LegFixture.attached("client");
  fixture.peer.holdsBytes = 0;
  await fixture.endpointSends(textFrame("one"));
  fixture.peer.reset();
  await settled();
  assert.equal(fixture.leg.messagesAccepted, 0);
  assert.equal(fixture.leg.outwardBytes, 0);
  await fixture.finish();
});

Deno.test.each(BOTH_SIDES)(
  "WireLeg.lastTrafficMs of a %s moves with data and not with pings",
  async (side) => {
    const fixture = new LegFixture(side);
    fixture.nowMs = 2_000;
    fixture.attach();
    const at = async (nowMs: number, act: () => Promise<void>): Promise<number> => {
      fixture.nowMs = nowMs;
      await act();
      return fixture.leg.lastTrafficMs;
    };
    const ping = { opcode: OPCODE.ping, payload: "ping" };
    const pong = { opcode: OPCODE.pong };
    assert.equal(fixture.leg.lastTrafficMs, 2_000);
    assert.equal(await at(3_000, () => fixture.peerSends(ping, pong)), 2_000);
    assert.equal(await at(3_001, () => fixture.endpointSends(ping, pong)), 2_000);
    assert.equal(await at(4_000, () => fixture.peerSends(textFrame("in"))), 4_000);
    assert.equal(await at(5_000, () => fixture.endpointSends(textFrame("out"))), 5_000);
    assert.equal(await at(6_000, () => fixture.peerSends(textFrame("", { final: false }))), 6_000);
    assert.equal(await at(7_000, () => fixture.peerSends(ping)), 6_000);
    const [rest] = fixture.fromPeer({ opcode: OPCODE.continuation, payload: "part" });
    assert.ok(rest !== undefined);
    const part = async (bytes: Uint8Array) => {
      await fixture.peer.write(bytes);
      await settled();
    };
    assert.equal(await at(8_000, () => part(rest.subarray(0, 1))), 6_000);
    assert.equal(await at(9_000, () => part(rest.subarray(1, rest.length - 1))), 9_000);
    assert.equal(await at(10_000, () => part(rest.subarray(rest.length - 1))), 10_000);
    fixture.peer.holdsBytes = 0;
    assert.equal(await at(11_000, () => fixture.endpointSends(textFrame("stalled"))), 10_000);
    assert.equal(
      await at(12_000, async () => {
        fixture.peer.takeAll();
        await settled();
      }),
      12_000,
    );
    fixture.peer.holdsBytes = Infinity;
    await fixture.finish();
  },
);
