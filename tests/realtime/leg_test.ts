import assert from "node:assert/strict";
import { Leg } from "../../src/realtime/leg.ts";
import { FakeSocket } from "../support/fake_socket.ts";
import { closeFrame, LegFixture, textFrame } from "../support/leg_fixture.ts";
import { concatBytes } from "../support/memory_stream.ts";
import { OPCODE } from "../support/raw_peer.ts";
import { settled } from "../support/settled.ts";

/** A client's leg whose endpoint is a fake and whose wire is real. */
function setUp(state: "connecting" | "open" = "open") {
  const fixture = LegFixture.attached("client");
  const socket = new FakeSocket(state);
  return { fixture, socket, leg: new Leg("client", { socket, wire: fixture.leg }) };
}

Deno.test("Leg asks for binary messages as array buffers", () => {
  const { socket, fixture } = setUp();
  assert.equal(socket.binaryType, "arraybuffer");
  fixture.leg.kill();
});

Deno.test("Leg.opened is true with the endpoint's open, and stays so", async () => {
  const { socket, leg, fixture } = setUp("connecting");
  socket.open();
  socket.end();
  assert.equal(await leg.opened, true);
  fixture.leg.kill();
});

Deno.test.each(
  [
    ["the endpoint ends before it", ({ socket }: ReturnType<typeof setUp>) => socket.end()],
    ["the wire does", ({ fixture }: ReturnType<typeof setUp>) => fixture.leg.kill()],
  ] as const,
)("Leg.opened is false when %s", async (_what, end) => {
  const parts = setUp("connecting");
  end(parts);
  assert.equal(await parts.leg.opened, false);
  parts.fixture.leg.kill();
  assert.equal((await parts.leg.ended).kind, "aborted");
});

Deno.test("Leg.onMessage takes text and binary messages in order", async () => {
  const { socket, leg, fixture } = setUp();
  const got: unknown[] = [];
  socket.receive("nobody listens yet");
  leg.onMessage = (message) => got.push(message);
  const binary = new Uint8Array([1, 2]).buffer;
  socket.receive("text");
  socket.receive(binary);
  socket.receive("");
  assert.deepEqual(got, ["text", binary, ""]);
  fixture.leg.kill();
  await leg.ended;
});

Deno.test("Leg tells the wire of every message that the endpoint hands over", async () => {
  const { socket, leg, fixture } = setUp();
  // So many that the wire waits until some are taken.
  const flood = Array.from({ length: 600 }, () => textFrame(""));
  await fixture.peer.write(concatBytes(fixture.fromPeer(...flood)));
  await settled();
  const passed = fixture.endpointReceived().length;
  assert.ok(passed < 600);
  for (let index = 0; index < passed; index++) socket.receive("");
  await settled();
  assert.equal(fixture.endpointReceived().length, 600 - passed);
  await fixture.finish();
  socket.end();
  await leg.ended;
});

Deno.test("Leg.send() passes on what it is given, and drops it when the endpoint is closing", () => {
  const { socket, leg, fixture } = setUp("connecting");
  leg.send("too early");
  socket.open();
  const binary = new ArrayBuffer(3);
  leg.send("text");
  leg.send(binary);
  socket.close();
  leg.send("too late");
  assert.deepEqual(socket.sent, ["text", binary]);
  assert.equal(leg.messagesSent, 2);
  fixture.leg.kill();
});

Deno.test("Leg.close() decides for the wire and closes the endpoint, once", async () => {
  const { socket, leg, fixture } = setUp();
  leg.close({ code: 1011, reason: "first" });
  leg.close({ code: 1000, reason: "second" });
  assert.deepEqual(socket.closes, [1000]);
  await fixture.endpointSends(closeFrame(1000));
  assert.deepEqual(fixture.peerReceived(), [{ code: 1011, reason: "first" }]);
  await fixture.finish();
});

Deno.test("Leg.close() of one that is not open yet ends its wire", async () => {
  const { socket, leg, fixture } = setUp("connecting");
  leg.close({ code: 1001, reason: "bye" });
  await fixture.leg.finished;
  assert.deepEqual(socket.closes, []);
  assert.deepEqual(await leg.ended, { kind: "aborted", by: "client", how: "killed", code: null });
});

Deno.test("Leg.backlogBytes is what the endpoint holds and a cost for each message on its way", async () => {
  const { socket, leg, fixture } = setUp();
  assert.equal(leg.backlogBytes, 0);
  socket.bufferedAmount = 1000;
  assert.equal(leg.backlogBytes, 1000);
  leg.send("one");
  const withOne = leg.backlogBytes;
  assert.ok(withOne > 1000);
  leg.send("");
  assert.equal(leg.backlogBytes - withOne, withOne - 1000);
  fixture.peer.holdsBytes = 0;
  await fixture.endpointSends(textFrame("one"), textFrame(""));
  // The peer has not taken them, wherever they are.
  assert.ok(leg.backlogBytes > withOne);
  fixture.peer.takeAll();
  await settled();
  fixture.peer.takeAll();
  await settled();
  assert.equal(leg.backlogBytes, 1000);
  await fixture.finish();
});

Deno.test("Leg.ended is the peer's close frame", async () => {
  const { socket, leg, fixture } = setUp();
  await fixture.peerSends(closeFrame(4001, "bye"));
  socket.end();
  assert.deepEqual(await leg.ended, {
    kind: "closed",
    by: "client",
    close: { code: 4001, reason: "bye" },
  });
  await fixture.finish();
});

Deno.test.each(
  [
    ["fin", "fin", null],
    ["rst", "rst", null],
    ["violation", "violation", 1002],
  ] as const,
)("Leg.ended without a close frame: %s", async (what, how, code) => {
  const { socket, leg, fixture } = setUp();
  if (what === "fin") await fixture.peer.closeWrite();
  else if (what === "rst") fixture.peer.reset();
  else await fixture.peerSends(textFrame("", { reserved: 4 }));
  await settled();
  socket.fail("Unexpected EOF");
  socket.end();
  assert.deepEqual(await leg.ended, { kind: "aborted", by: "client", how, code });
  await fixture.finish();
});

Deno.test.each(
  [
    ["Invalid UTF-8", 1007, "text is not UTF-8"],
    ["invalid utf8 sequence", 1007, "text is not UTF-8"],
    ["anything else", 1002, "protocol error"],
  ] as const,
)("Leg writes its own close frame when only the endpoint saw a breach: %s", async (
  message,
  code,
  reason,
) => {
  const { socket, leg, fixture } = setUp();
  socket.fail(message);
  await fixture.endpoint.closeWrite();
  socket.end();
  assert.deepEqual(await leg.ended, { kind: "aborted", by: "client", how: "violation", code });
  await settled();
  assert.deepEqual(fixture.peerReceived(), [{ code, reason }]);
  await fixture.finish();
});

Deno.test("Leg takes a breach that only the endpoint saw for the end, not the close frame behind it", async () => {
  const { socket, leg, fixture } = setUp();
  await fixture.peerSends(
    textFrame("not UTF-8, so not handed over"),
    closeFrame(1000, "behind it"),
  );
  assert.equal(fixture.leg.end?.kind, "closed");
  // Whichever is heard of first.
  await fixture.endpoint.closeWrite();
  await settled();
  assert.deepEqual(fixture.peerReceived(), []);
  socket.fail("Invalid UTF-8");
  socket.end();
  assert.deepEqual(await leg.ended, {
    kind: "aborted",
    by: "client",
    how: "violation",
    code: 1007,
  });
  await settled();
  assert.deepEqual(fixture.peerReceived(), [{ code: 1007, reason: "text is not UTF-8" }]);
  await fixture.finish();
});

Deno.test("Leg hands on no text that ends within a character, nor what comes behind it", async () => {
  const { socket, leg, fixture } = setUp();
  const got: unknown[] = [];
  leg.onMessage = (message) => got.push(message);
  await fixture.peerSends(
    textFrame("whole"),
    textFrame("half", { final: false }),
    { opcode: OPCODE.continuation, payload: Uint8Array.of(0x61, 0xe2, 0x82) },
    textFrame("behind it"),
  );
  for (const text of ["whole", "halfa", "behind it"]) socket.receive(text);
  assert.deepEqual(got, ["whole"]);
  assert.deepEqual(await leg.ended, {
    kind: "aborted",
    by: "client",
    how: "violation",
    code: 1007,
  });
  // The endpoint's own frame, in whose place another is written.
  assert.deepEqual(socket.closes, [1000]);
  await fixture.endpointSends(closeFrame(1000));
  assert.deepEqual(fixture.peerReceived(), [{ code: 1007, reason: "text is not UTF-8" }]);
  fixture.leg.kill();
});

Deno.test("Leg ends with an upgrade that comes to nothing behind its 101", async () => {
  const { socket, leg, fixture } = setUp("connecting");
  socket.fail("upgrade unavailable");
  assert.equal(await leg.opened, false);
  assert.equal((await leg.ended).kind, "aborted");
  assert.ok(fixture.isFinished);
});

Deno.test("Leg does not take the end of what it closed itself for a breach", async () => {
  const { socket, leg, fixture } = setUp();
  leg.close({ code: 1000, reason: "idle timeout" });
  socket.end();
  assert.deepEqual(await leg.ended, { kind: "aborted", by: "client", how: "killed", code: null });
  assert.equal(fixture.leg.end, undefined);
  fixture.leg.kill();
});
