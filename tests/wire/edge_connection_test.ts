import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeLatin1, MAX_HEAD_BYTES, MAX_HEADER_LINES } from "../../src/wire/request_head.ts";
import { fakeTimers } from "../support/fake_timers.ts";
import { settled } from "../support/settled.ts";
import { EdgeFixture, head, UPGRADE } from "../support/edge_fixture.ts";

const GET = head("GET /a HTTP/1.1");
const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

Deno.test("EdgeConnection marks what it forwards, and no client can do so", async () => {
  const fixture = new EdgeFixture({ mark: [["x-mark", "secret"]] });
  await fixture.sends(head("GET /a HTTP/1.1", "X-Mark: a", "A: b", "x-mark: secret"));
  assert.equal(fixture.serverGot(0), head("GET /a HTTP/1.1", "A: b", "x-mark: secret"));
  await fixture.answers(0, OK);
  fixture.connection.requestCompleted();
  await fixture.sends(UPGRADE);
  await fixture.server(0).closeWrite();
  await settled();
  assert.match(fixture.serverGot(1), /\r\nx-mark: secret\r\n/);
  await fixture.finish();
});

Deno.test("EdgeConnection forwards requests and copies answers back, on one server connection", async () => {
  const fixture = new EdgeFixture();
  await fixture.sends(GET);
  assert.equal(fixture.serverGot(0), GET);
  await fixture.answers(0, OK);
  assert.equal(fixture.clientGot(), OK);
  fixture.connection.requestCompleted();
  const post = head("POST /b HTTP/1.1", "Content-Length: 5") + "hello";
  await fixture.sends(post + GET);
  assert.equal(fixture.serverGot(0), post + GET);
  await fixture.answers(0, OK + OK);
  assert.equal(fixture.clientGot(), OK + OK);
  assert.equal(fixture.servers.length, 1);
  await fixture.finish();
  assert.equal(fixture.released, 1);
});

Deno.test("EdgeConnection finds heads and bodies in whatever pieces they come", async () => {
  const post = head("POST /b HTTP/1.1", "Content-Length: 40") + `${GET}0123456789ab`;
  assert.equal(`${GET}0123456789ab`.length, 40);
  const all = encodeLatin1(`\r\n\r\n${GET}${post}${post}\r\n${GET}`);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(all.length), { maxLength: 20 }), async (cuts) => {
      const fixture = new EdgeFixture();
      let at = 0;
      for (const cut of [...cuts, all.length].toSorted((a, b) => a - b)) {
        await fixture.client.write(all.subarray(at, cut));
        at = cut;
      }
      await settled();
      assert.equal(fixture.serverGot(0), GET + post + post + GET);
      await fixture.finish();
    }),
    { numRuns: 50 },
  );
});

Deno.test("EdgeConnection makes a request for another host what it means", async () => {
  const fixture = new EdgeFixture();
  await fixture.sends("GET http://b.test/p HTTP/1.1\r\nHost: a\r\n\r\n");
  assert.equal(fixture.serverGot(0), "GET /p HTTP/1.1\r\nHost: b.test\r\n\r\n");
  await fixture.finish();
});

Deno.test("EdgeConnection takes all behind a chunked head for its body, and ends with its answer", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends(head("POST /b HTTP/1.1", "Transfer-Encoding: chunked"));
  assert.equal(
    fixture.serverGot(0),
    "POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nconnection: close\r\n\r\n",
  );
  const rest = `3\r\nabc\r\n0\r\n\r\n${head("GET /smuggled HTTP/1.1", "Upgrade: websocket")}\n\n`;
  await fixture.sends(rest);
  assert.equal(fixture.serverGot(0), rest);
  assert.equal(fixture.servers.length, 1);
  await fixture.answers(0, OK);
  await fixture.server(0).closeWrite();
  await settled();
  assert.equal(fixture.clientGot(), OK);
  assert.equal(fixture.client.otherEnd, "fin");
  await fixture.client.closeWrite();
  await fixture.over;
  assert.equal(timers.pending, 0);
});

Deno.test.each(
  [
    ["ends", (fixture: EdgeFixture) => fixture.client.closeWrite()],
    ["resets", (fixture: EdgeFixture) => Promise.resolve(fixture.client.reset())],
  ] as const,
)("EdgeConnection tells the server when a client %s within a body", async (_how, leave) => {
  for (const framing of ["Content-Length: 10", "Transfer-Encoding: chunked"]) {
    const fixture = new EdgeFixture();
    await fixture.sends(`${head("POST /b HTTP/1.1", framing)}5\r\nab`);
    assert.equal(fixture.server(0).otherEnd, undefined);
    await leave(fixture);
    await settled();
    assert.equal(fixture.server(0).otherEnd, "fin");
    await fixture.server(0).closeWrite();
    await fixture.over;
  }
});

const REFUSALS = [
  ["a bare line feed", "GET / HTTP/1.1\nHost: a\n\n", "invalid_request"],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "invalid_request"],
  [
    "two lengths",
    head("POST / HTTP/1.1", "Content-Length: 1", "Content-Length: 1"),
    "invalid_request",
  ],
  ["a TLS hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", "invalid_request"],
  [
    "a head of more than 16 KiB",
    head("GET / HTTP/1.1", `X: ${"x".repeat(MAX_HEAD_BYTES)}`),
    "request_header_too_large",
  ],
  [
    "more header lines than the server behind it takes",
    head("GET / HTTP/1.1", ...Array<string>(MAX_HEADER_LINES + 1).fill("X: y")),
    "request_header_too_large",
  ],
  ["CONNECT", head("CONNECT /v1/realtime HTTP/1.1"), "invalid_request"],
  ["nothing but empty lines", "\r\n".repeat(MAX_HEAD_BYTES / 2), "request_header_too_large"],
] as const;

Deno.test.each(REFUSALS)("EdgeConnection refuses %s", async (_what, bytes, code) => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends(bytes);
  assert.match(fixture.clientGot(), new RegExp(`^refused: ${code}: `));
  assert.equal(fixture.client.otherEnd, "fin");
  assert.equal(fixture.servers.length, 0);
  await fixture.sends(GET);
  assert.equal(fixture.servers.length, 0);
  assert.equal(fixture.clientGot(), "");
  await fixture.client.closeWrite();
  await fixture.over;
  assert.equal(timers.pending, 0);
});

Deno.test("EdgeConnection accepts a head of exactly 16 KiB", async () => {
  const fixture = new EdgeFixture();
  const empty = head("GET / HTTP/1.1", "X: ");
  const full = head("GET / HTTP/1.1", `X: ${"x".repeat(MAX_HEAD_BYTES - empty.length)}`);
  assert.equal(full.length, MAX_HEAD_BYTES);
  await fixture.sends(full);
  assert.equal(fixture.serverGot(0), full);
  await fixture.finish();
});

Deno.test("EdgeConnection refuses a bad head after the answers to good ones", async () => {
  const fixture = new EdgeFixture();
  await fixture.sends(`${GET}GET / HTTP/1.1\n\n`);
  assert.equal(fixture.serverGot(0), GET);
  assert.equal(fixture.clientGot(), "");
  await fixture.answers(0, OK);
  fixture.connection.requestCompleted();
  await settled();
  await fixture.server(0).closeWrite();
  await settled();
  assert.match(fixture.clientGot(), /^HTTP\/1\.1 200 OK\r\n[^]*okrefused: invalid_request: /);
  assert.equal(fixture.released, 1);
  await fixture.finish();
});

Deno.test("EdgeConnection gives a client that does not go after its refusal two seconds", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends("\n");
  timers.advance(1_999);
  await settled();
  assert.equal(fixture.isOver, false);
  timers.advance(1);
  await fixture.over;
  assert.equal(timers.pending, 0);
});

Deno.test("EdgeConnection answers 408 when a head takes longer than its time", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await settled();
  timers.advance(9_000);
  await fixture.sends("GET / HT");
  timers.advance(9_000);
  await fixture.sends("TP/1.1\r\n");
  timers.advance(999);
  await settled();
  assert.equal(fixture.clientGot(), "");
  timers.advance(1);
  await settled();
  assert.equal(fixture.clientGot(), "refused: request_timeout: request head took too long");
  assert.equal(fixture.client.otherEnd, "fin");
  await fixture.sends("Host: a\r\n\r\n");
  assert.equal(fixture.servers.length, 0);
  await fixture.client.closeWrite();
  await fixture.over;
});

Deno.test("EdgeConnection ends without an answer when not one byte comes", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await settled();
  timers.advance(10_000);
  await settled();
  assert.equal(fixture.clientGot(), "");
  assert.equal(fixture.client.otherEnd, "fin");
  await fixture.client.closeWrite();
  await fixture.over;
});

Deno.test("EdgeConnection measures the time of a head that began in the same packet as a request", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends(`${GET}GET /slow`);
  await fixture.answers(0, OK);
  fixture.connection.requestCompleted();
  assert.equal(fixture.clientGot(), OK);
  timers.advance(10_000);
  await settled();
  assert.match(fixture.clientGot(), /^refused: request_timeout/);
  await fixture.finish();
});

Deno.test("EdgeConnection does not write a 408 into an answer: it ends at once", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends(`${GET}GET /slow`);
  await fixture.answers(0, "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nthe first");
  timers.advance(10_000);
  await fixture.over;
  assert.match(fixture.clientGot(), /the first$/);
  assert.equal(timers.pending, 0);
});

Deno.test("EdgeConnection does not take an empty line behind a body for a slow head", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends(`${head("POST / HTTP/1.1", "Content-Length: 2")}ok\r\n`);
  await fixture.answers(0, OK);
  fixture.connection.requestCompleted();
  assert.equal(fixture.clientGot(), OK);
  timers.advance(74_999);
  await settled();
  assert.equal(fixture.client.otherEnd, undefined);
  await fixture.finish();
});

Deno.test("EdgeConnection ends one that lies idle between requests, and none that waits for an answer", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends(GET);
  timers.advance(300_000);
  await settled();
  assert.equal(fixture.client.otherEnd, undefined);
  await fixture.answers(0, OK);
  fixture.connection.requestCompleted();
  timers.advance(75_000);
  await settled();
  assert.equal(fixture.clientGot(), OK);
  assert.equal(fixture.client.otherEnd, "fin");
  await fixture.finish();
});

Deno.test("EdgeConnection may lie idle for the whole time behind an answer, however long that took", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends(GET);
  timers.advance(74_000);
  await fixture.answers(0, OK);
  fixture.connection.requestCompleted();
  timers.advance(74_999);
  await settled();
  assert.equal(fixture.client.otherEnd, undefined);
  // The head of the next one has a time of its own.
  await fixture.sends(GET.slice(0, 9));
  timers.advance(9_999);
  await fixture.sends(GET.slice(9));
  await fixture.answers(0, OK);
  fixture.connection.requestCompleted();
  timers.advance(75_000);
  await settled();
  assert.equal(fixture.clientGot(), OK + OK);
  assert.equal(fixture.client.otherEnd, "fin");
  await fixture.finish();
});

Deno.test("EdgeConnection ends the client's connection when the server ends its own", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends(GET);
  await fixture.answers(0, OK);
  await fixture.server(0).closeWrite();
  await settled();
  assert.equal(fixture.clientGot(), OK);
  assert.equal(fixture.client.otherEnd, "fin");
  await fixture.sends(GET);
  assert.equal(fixture.serverGot(0), GET);
  assert.equal(fixture.servers.length, 1);
  timers.advance(2_000);
  await fixture.over;
  assert.equal(fixture.released, 1);
});

Deno.test("EdgeConnection tells the server when the client goes, and takes what it still says", async () => {
  const fixture = new EdgeFixture();
  await fixture.sends(GET);
  await fixture.client.closeWrite();
  await settled();
  assert.equal(fixture.server(0).otherEnd, "fin");
  await fixture.answers(0, OK);
  assert.equal(fixture.isOver, false);
  await fixture.server(0).closeWrite();
  await fixture.over;
  assert.equal(fixture.clientGot(), OK);
});

Deno.test("EdgeConnection ends when the client no longer takes an answer", async () => {
  const fixture = new EdgeFixture();
  await fixture.sends(GET);
  fixture.client.reset();
  await fixture.answers(0, OK);
  await fixture.finish();
  assert.equal(fixture.released, 1);
});

Deno.test("EdgeConnection.kill() ends everything at once, and once", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends(GET);
  fixture.connection.kill();
  fixture.connection.kill();
  await fixture.over;
  assert.equal(fixture.client.otherEnd, "fin");
  assert.notEqual(fixture.server(0).otherEnd, undefined);
  assert.equal(fixture.released, 1);
  assert.equal(timers.pending, 0);
});

Deno.test("EdgeConnection.run() ends the client's connection when the server cannot be reached", async () => {
  using timers = fakeTimers();
  for (const request of [GET, head("GET / HTTP/1.1", "Upgrade: websocket")]) {
    const fixture = new EdgeFixture({
      connectNear: () => Promise.reject(new Deno.errors.ConnectionRefused("no server")),
    });
    await fixture.sends(request);
    await fixture.over;
    assert.equal(fixture.client.otherEnd, "fin");
  }
  assert.equal(timers.pending, 0);
});
