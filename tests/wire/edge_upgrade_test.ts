/** What {@link EdgeConnection} does with requests that ask for a WebSocket. */

import assert from "node:assert/strict";
import { fakeTimers } from "../support/fake_timers.ts";
import { concatBytes } from "../support/memory_stream.ts";
import { encodeFrame, OPCODE } from "../support/raw_peer.ts";
import { settled } from "../support/settled.ts";
import {
  EdgeFixture,
  FORWARDED_UPGRADE,
  head,
  latin1,
  SWITCHING,
  UPGRADE,
} from "../support/edge_fixture.ts";

const GET = head("GET /a HTTP/1.1");
const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
const REFUSED = "HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\nconnection: close\r\n\r\nno";

function fromClient(payload: string, changes: { readonly reserved?: number } = {}): Uint8Array {
  return encodeFrame({ opcode: OPCODE.text, payload, ...changes }, { masked: true });
}

function fromServer(payload: string): Uint8Array {
  return encodeFrame({ opcode: OPCODE.text, payload }, { masked: false });
}

Deno.test("EdgeConnection holds back what comes behind an upgrade head, and lets it in as frames", async () => {
  const fixture = new EdgeFixture();
  const early = [fromClient("first"), fromClient("second")];
  await fixture.sends(concatBytes([latin1(UPGRADE), ...early]));
  assert.equal(fixture.serverGot(0), FORWARDED_UPGRADE);
  await fixture.sends(fromClient("third"));
  assert.equal(fixture.serverGot(0), "");
  await fixture.answers(0, SWITCHING);
  assert.equal(fixture.clientGot(), SWITCHING);
  assert.deepEqual(fixture.server(0).takeAll(), concatBytes([...early, fromClient("third")]));
  assert.equal(fixture.connection.leg.inwardDataBytes, concatBytes(early).length + 11);
  await fixture.finish();
});

Deno.test("EdgeConnection scans early bytes as frames from the first one on", async () => {
  const fixture = new EdgeFixture();
  const bad = fromClient("bad", { reserved: 4 });
  await fixture.sends(concatBytes([latin1(UPGRADE), fromClient("good"), bad]));
  fixture.serverGot(0);
  await fixture.answers(0, SWITCHING);
  const { leg } = fixture.connection;
  assert.equal(leg.end?.kind, "violation");
  assert.equal(leg.inwardBytes, fromClient("good").length);
  await fixture.finish();
});

/** An early frame header that claims what follows to be its payload, whose end looks like a head's. */
Deno.test("EdgeConnection refuses an early frame over the limit, however its payload looks", async () => {
  const fixture = new EdgeFixture();
  const shaped = concatBytes([
    encodeFrame({ opcode: OPCODE.binary, claimedLength: 1_000_000n }, { masked: true }),
    latin1("x".repeat(100) + "\r\n\r\n"),
    fromClient("hidden"),
  ]);
  await fixture.sends(concatBytes([latin1(UPGRADE), shaped]));
  fixture.serverGot(0);
  await fixture.answers(0, SWITCHING);
  assert.equal(fixture.connection.leg.inwardBytes, 0);
  const { end } = fixture.connection.leg;
  assert.equal(end?.kind === "violation" ? end.violation.code : undefined, 1009);
  await fixture.finish();
});

Deno.test("EdgeConnection ends with any other answer than 101, and forwards nothing more", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends(concatBytes([latin1(UPGRADE), fromClient("early"), latin1(GET)]));
  assert.equal(fixture.serverGot(0), FORWARDED_UPGRADE);
  await fixture.answers(0, REFUSED.slice(0, 30));
  await fixture.answers(0, REFUSED.slice(30));
  await fixture.server(0).closeWrite();
  await settled();
  assert.equal(fixture.clientGot(), REFUSED);
  assert.equal(fixture.client.otherEnd, "fin");
  await fixture.sends(UPGRADE);
  assert.equal(fixture.serverGot(0), "");
  assert.equal(fixture.servers.length, 1);
  timers.advance(2_000);
  await fixture.over;
  assert.equal(fixture.released, 1);
  assert.equal(timers.pending, 0);
});

Deno.test("EdgeConnection gives an upgrade behind other requests a fresh server connection", async () => {
  const fixture = new EdgeFixture();
  await fixture.sends(GET + UPGRADE);
  assert.equal(fixture.serverGot(0), GET);
  // The earlier answer comes first, and its connection is let go.
  assert.equal(fixture.servers.length, 1);
  assert.equal(fixture.connection.upgradeVersion, undefined);
  await fixture.answers(0, OK);
  assert.equal(fixture.servers.length, 1);
  fixture.connection.requestCompleted();
  await settled();
  assert.equal(fixture.server(0).otherEnd, "fin");
  await fixture.server(0).closeWrite();
  await settled();
  assert.equal(fixture.released, 1);
  assert.equal(fixture.serverGot(1), FORWARDED_UPGRADE);
  assert.equal(fixture.connection.upgradeVersion, "1.1");
  await fixture.answers(1, SWITCHING);
  assert.equal(fixture.clientGot(), OK + SWITCHING);
  await fixture.sends(fromClient("frame"));
  assert.equal(fixture.server(0).waitingBytes, 0);
  assert.deepEqual(fixture.server(1).takeAll(), fromClient("frame"));
  await fixture.finish();
  assert.equal(fixture.released, 2);
});

Deno.test.each(
  [
    ["in lower case", "connection: close"],
    ["in another case", "Connection: Close"],
  ] as const,
)("EdgeConnection takes connection: close out of the 101, %s", async (_case, line) => {
  for (const lines of [[line, "x: \xe9\x80"], ["x: \xe9\x80", line]]) {
    const fixture = new EdgeFixture();
    await fixture.sends(UPGRADE);
    const start = "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\n";
    await fixture.answers(
      0,
      concatBytes([latin1(`${start}${lines.join("\r\n")}\r\n\r\n`), fromServer("hello")]),
    );
    const expected = concatBytes([latin1(`${start}x: \xe9\x80\r\n\r\n`), fromServer("hello")]);
    assert.deepEqual(fixture.client.takeAll(), expected);
    assert.equal(fixture.connection.leg.messagesAccepted, 1);
    await fixture.finish();
  }
});

Deno.test("EdgeConnection.leg and upgradeVersion belong to upgrades", async () => {
  const fixture = new EdgeFixture();
  assert.throws(() => fixture.connection.leg, TypeError);
  await fixture.sends(GET);
  assert.equal(fixture.connection.upgradeVersion, undefined);
  assert.throws(() => fixture.connection.leg, TypeError);
  assert.deepEqual(fixture.connection.peer, { hostname: "192.0.2.1", port: 4711 });
  await fixture.finish();
  const old = new EdgeFixture();
  await old.sends(UPGRADE.replace("HTTP/1.1", "HTTP/1.0"));
  assert.equal(old.connection.upgradeVersion, "1.0");
  assert.equal(old.connection.leg, old.connection.leg);
  await old.finish();
});

Deno.test("EdgeConnection does not wait with an upgrade that has a body: it is a plain request", async () => {
  for (const line of ["Content-Length: 2", "Transfer-Encoding: chunked"]) {
    const fixture = new EdgeFixture();
    await fixture.sends(UPGRADE.replace("\r\n\r\n", `\r\n${line}\r\n\r\n`) + "ab");
    const got = fixture.serverGot(0);
    assert.doesNotMatch(got, /upgrade/i);
    assert.match(got, /\r\n\r\nab$/);
    assert.equal(fixture.connection.upgradeVersion, undefined);
    await fixture.finish();
  }
});

Deno.test("EdgeConnection passes an upgrade on without a length of 0, which the server would refuse", async () => {
  const fixture = new EdgeFixture();
  await fixture.sends(UPGRADE.replace("\r\n\r\n", "\r\nContent-Length: 0\r\n\r\n"));
  const got = fixture.serverGot(0);
  assert.match(got, /\r\nUpgrade: websocket\r\n/i);
  assert.doesNotMatch(got, /content-length/i);
  assert.equal(fixture.connection.upgradeVersion, "1.1");
  await fixture.finish();
});

Deno.test("EdgeConnection ends when the server goes before it answers an upgrade", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends(UPGRADE);
  const { leg } = fixture.connection;
  fixture.server(0).kill();
  await fixture.over;
  await leg.finished;
  assert.deepEqual(leg.end, { kind: "killed" });
  assert.equal(fixture.clientGot(), "");
  assert.notEqual(fixture.client.otherEnd, undefined);
  assert.equal(timers.pending, 0);
});

Deno.test("EdgeConnection finishes the leg of a client that went before its 101", async () => {
  const fixture = new EdgeFixture();
  await fixture.sends(UPGRADE);
  const { leg } = fixture.connection;
  fixture.client.reset();
  await fixture.answers(0, SWITCHING);
  await leg.finished;
  await fixture.over;
  assert.equal(leg.end?.kind, "killed");
  assert.equal(fixture.released, 1);
});

Deno.test("EdgeConnection is over when its leg is finished", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends(UPGRADE);
  await fixture.answers(0, SWITCHING);
  fixture.connection.leg.kill();
  await fixture.over;
  assert.equal(fixture.released, 1);
  assert.equal(timers.pending, 0);
});

Deno.test("EdgeConnection has no timer of its own on a session", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends(UPGRADE);
  assert.equal(timers.pending, 0);
  await fixture.answers(0, SWITCHING);
  assert.equal(timers.pending, 0);
  timers.advance(3_600_000);
  await fixture.sends(fromClient("late"));
  fixture.serverGot(0);
  assert.equal(fixture.isOver, false);
  await fixture.finish();
});
