import assert from "node:assert/strict";
import { Lifetime, stopReasonOf } from "../../src/dispatch/lifetime.ts";
import { FakeClock } from "../support/fake_clock.ts";

Deno.test("Lifetime ends when its time is over", () => {
  const clock = new FakeClock();
  using lifetime = new Lifetime(new AbortController().signal, clock);
  lifetime.expireAfter(100);
  clock.advance(99);
  assert.equal(lifetime.stopped, undefined);
  clock.advance(1);
  assert.equal(lifetime.stopped, "timeout");
});

Deno.test("Lifetime.expireAfter() replaces the end, counted anew", () => {
  const clock = new FakeClock();
  using lifetime = new Lifetime(new AbortController().signal, clock);
  lifetime.expireAfter(100);
  clock.advance(99);
  lifetime.expireAfter(100);
  assert.equal(clock.pending, 1);
  clock.advance(99);
  assert.equal(lifetime.stopped, undefined);
  clock.advance(1);
  assert.equal(lifetime.stopped, "timeout");
});

Deno.test("Lifetime ends when the client leaves, or has left already", () => {
  const client = new AbortController();
  using before = new Lifetime(client.signal, new FakeClock());
  client.abort();
  assert.equal(before.stopped, "client_gone");
  using after = new Lifetime(client.signal, new FakeClock());
  assert.equal(after.stopped, "client_gone");
});

Deno.test("Lifetime lets go of the timer and of the client", () => {
  const clock = new FakeClock();
  const client = new AbortController();
  const lifetime = new Lifetime(client.signal, clock);
  lifetime.expireAfter(100);
  lifetime[Symbol.dispose]();
  assert.equal(clock.pending, 0);
  client.abort();
  assert.equal(lifetime.stopped, undefined);
});

Deno.test("stopReasonOf() sees through joined signals", () => {
  const clock = new FakeClock();
  using lifetime = new Lifetime(new AbortController().signal, clock);
  const joined = AbortSignal.any([lifetime.signal, new AbortController().signal]);
  assert.equal(stopReasonOf(joined), undefined);
  lifetime.expireAfter(1);
  clock.advance(1);
  assert.equal(stopReasonOf(joined), "timeout");
});
