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
