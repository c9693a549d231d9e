import assert from "node:assert/strict";
import { Backend } from "../../src/routing/mod.ts";
import { backendConfig } from "./fixtures.ts";

Deno.test("Backend.openSession() counts each session until it is disposed of, once", () => {
  const backend = new Backend(backendConfig("a"));
  const first = backend.openSession();
  const second = backend.openSession();
  assert.equal(backend.sessions, 2);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  assert.equal(backend.sessions, 1);
  second[Symbol.dispose]();
  assert.equal(backend.sessions, 0);
});

Deno.test("Backend.reconfigure() refuses another name", () => {
  const backend = new Backend(backendConfig("a"));
  assert.throws(() => backend.reconfigure(backendConfig("b")), TypeError);
});

Deno.test("LatencyAverage follows what is observed and ignores nonsense", () => {
  const { latency } = new Backend(backendConfig("a"));
  assert.equal(latency.averageMs, null);
  for (const nonsense of [NaN, Infinity, -1]) latency.observe(nonsense);
  assert.equal(latency.averageMs, null);
  latency.observe(100);
  assert.equal(latency.averageMs, 100);
  latency.observe(200);
  assert.equal(latency.averageMs, 120);
  for (let index = 0; index < 50; index++) latency.observe(10);
  assert.ok(Math.abs((latency.averageMs ?? 0) - 10) < 0.1);
  latency.reset();
  assert.equal(latency.averageMs, null);
});
