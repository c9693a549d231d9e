import assert from "node:assert/strict";
import { systemClock } from "../../src/realtime/mod.ts";
import { fakeTimers } from "../support/fake_timers.ts";

Deno.test("systemClock.now() does not go back", () => {
  const first = systemClock.now();
  assert.ok(systemClock.now() >= first);
});

Deno.test("systemClock.after() runs once after its time, unless it is disposed of first", () => {
  using timers = fakeTimers();
  const ran: string[] = [];
  const kept = systemClock.after(1_000, () => ran.push("kept"));
  const dropped = systemClock.after(500, () => ran.push("dropped"));
  dropped[Symbol.dispose]();
  timers.advance(999);
  assert.deepEqual(ran, []);
  timers.advance(1);
  assert.deepEqual(ran, ["kept"]);
  kept[Symbol.dispose]();
  timers.advance(10_000);
  assert.deepEqual(ran, ["kept"]);
  assert.equal(timers.pending, 0);
});
