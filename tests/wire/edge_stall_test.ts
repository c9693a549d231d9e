/** Clients of an {@link EdgeConnection} that stop half-way. */

import assert from "node:assert/strict";
import { EdgeFixture } from "../support/edge_fixture.ts";
import { fakeTimers } from "../support/fake_timers.ts";
import { settled } from "../support/settled.ts";

const POST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n";
const GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

Deno.test("EdgeConnection ends a client that stops within its body", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends(`${POST}the first`);
  timers.advance(59_999);
  await fixture.sends("more");
  timers.advance(59_999);
  await settled();
  assert.equal(fixture.isOver, false);
  timers.advance(1);
  await fixture.over;
  assert.equal(timers.pending, 0);
});

Deno.test("EdgeConnection ends a client that does not take its answer", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  fixture.client.holdsBytes = 0;
  await fixture.sends(GET);
  await fixture.answers(0, "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n");
  timers.advance(59_999);
  await settled();
  assert.equal(fixture.isOver, false);
  timers.advance(1);
  await fixture.over;
  assert.equal(timers.pending, 0);
});

Deno.test("EdgeConnection leaves a client alone that waits for a slow answer", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends(GET);
  timers.advance(600_000);
  await settled();
  assert.equal(fixture.isOver, false);
  await fixture.answers(0, "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
  assert.match(fixture.clientGot(), /200 OK/);
  await fixture.finish();
});

Deno.test("EdgeConnection leaves a client alone that waits behind a body in chunks", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
  timers.advance(600_000);
  await settled();
  assert.equal(fixture.isOver, false);
  await fixture.answers(0, "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
  assert.match(fixture.clientGot(), /200 OK/);
  await fixture.finish();
});

Deno.test("EdgeConnection writes nothing into an answer that its client takes slowly", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  fixture.client.holdsBytes = 0;
  await fixture.sends(GET);
  await fixture.answers(0, "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nslow");
  // The server has written it; the client has not taken it.
  fixture.connection.requestCompleted();
  timers.advance(30_000);
  await fixture.sends("GET / HT");
  timers.advance(10_000);
  await fixture.over;
  assert.doesNotMatch(fixture.clientGot(), /request_timeout/);
});

const UPGRADE = "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
const ANSWERS = [
  ["101", "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n"],
  ["404", "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"],
] as const;

Deno.test.each(ANSWERS)(
  "EdgeConnection ends a client that does not take the %s to its upgrade",
  async (_status, answer) => {
    using timers = fakeTimers();
    const fixture = new EdgeFixture();
    fixture.client.holdsBytes = 0;
    await fixture.sends(UPGRADE);
    await fixture.answers(0, answer);
    timers.advance(59_999);
    await settled();
    assert.equal(fixture.isOver, false);
    timers.advance(1);
    await fixture.over;
    assert.equal(timers.pending, 0);
  },
);

Deno.test("EdgeConnection ends with its session, even before its client has taken the 101", async () => {
  using timers = fakeTimers();
  const fixture = new EdgeFixture();
  fixture.client.holdsBytes = 0;
  await fixture.sends(UPGRADE);
  const { leg } = fixture.connection;
  await fixture.answers(0, ANSWERS[0][1]);
  leg.kill();
  await fixture.over;
  assert.equal(timers.pending, 0);
});

Deno.test("EdgeConnection.endAfterAnswers() lets the client have the whole answer, and then ends", async () => {
  using _timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends(GET);
  const ending = fixture.connection.endAfterAnswers();
  await fixture.answers(0, "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n");
  await settled();
  assert.equal(fixture.client.otherEnd, undefined);
  await fixture.answers(0, "late");
  fixture.connection.requestCompleted();
  await settled();
  await fixture.server(0).closeWrite();
  await ending;
  assert.match(fixture.clientGot(), /200 OK[^]*late$/);
  assert.equal(fixture.client.otherEnd, "fin");
  await fixture.client.closeWrite();
  await fixture.over;
});

Deno.test("EdgeConnection.endAfterAnswers() ends an idle connection at once", async () => {
  using _timers = fakeTimers();
  const fixture = new EdgeFixture();
  await settled();
  await fixture.connection.endAfterAnswers();
  assert.equal(fixture.client.otherEnd, "fin");
  await fixture.client.closeWrite();
  await fixture.over;
});
