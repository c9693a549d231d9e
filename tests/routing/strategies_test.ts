import assert from "node:assert/strict";
import {
  Backend,
  createStrategy,
  type Strategy,
  type StrategyName,
} from "../../src/routing/mod.ts";
import { backendConfig, backends } from "./fixtures.ts";

const NAMES: readonly StrategyName[] = [
  "RoundRobin",
  "WeightedRoundRobin",
  "LeastLatency",
  "LeastSessions",
  "ConsistentHash",
  "Random",
];

function strategy(name: StrategyName, random: () => number = () => 0): Strategy {
  return createStrategy(name, { random });
}

function picks(chooser: Strategy, candidates: readonly Backend[], times: number): string {
  let text = "";
  for (let i = 0; i < times; i++) text += chooser.pick(candidates, { hashKey: "k" }).name;
  return text;
}

Deno.test.each(NAMES.map((name) => [name] as const))(
  "%s picks the only candidate, and none of none",
  (name) => {
    const [a] = backends("a");
    assert.ok(a !== undefined);
    const chooser = strategy(name);
    for (let i = 0; i < 3; i++) assert.equal(chooser.pick([a], { hashKey: "k" }), a);
    assert.throws(() => chooser.pick([], { hashKey: "k" }), RangeError);
  },
);

Deno.test.each(NAMES.map((name) => [name] as const))("%s leaves the candidates alone", (name) => {
  const list = Object.freeze(backends("a", "b", "c"));
  picks(strategy(name, Math.random), list, 10);
  assert.deepEqual(list.map((backend) => backend.name), ["a", "b", "c"]);
});

Deno.test("RoundRobin takes turns", () => {
  assert.equal(picks(strategy("RoundRobin"), backends("a", "b", "c"), 7), "abcabca");
});

Deno.test("RoundRobin skips one that is missing and lets it catch up by one turn only", () => {
  const [a, b, c] = backends("a", "b", "c");
  assert.ok(a !== undefined && b !== undefined && c !== undefined);
  const chooser = strategy("RoundRobin");
  assert.equal(picks(chooser, [a, b, c], 3), "abc");
  assert.equal(picks(chooser, [a, c], 5), "acaca");
  assert.equal(picks(chooser, [a, b, c], 6), "bcabca");
});

Deno.test("RoundRobin spreads alternating models over the backends they share", () => {
  const [a, b, c] = backends("a", "b", "c");
  assert.ok(a !== undefined && b !== undefined && c !== undefined);
  const chooser = strategy("RoundRobin");
  let text = "";
  // One model on a and b, another on b and c, asked for in turn.
  for (let i = 0; i < 300; i++) text += picks(chooser, [a, b], 1) + picks(chooser, [b, c], 1);
  for (const name of ["a", "b", "c"]) assert.equal(text.split(name).length - 1, 200);
});

Deno.test("RoundRobin made anew by a reload goes on with the turns of the old one", () => {
  const list = backends("a", "b", "c");
  picks(strategy("RoundRobin"), list, 100);
  assert.equal(picks(strategy("RoundRobin"), list, 6), "bcabca");
});

Deno.test.each(
  [
    [[5, 1, 1], 14, "aabacaaaabacaa"],
    [[1, 1, 1], 6, "abcabc"],
    [[2, 0, 1], 6, "acaaca"],
    [[0, 0, 0], 6, "abcabc"],
  ] as const,
)("WeightedRoundRobin with weights %j interleaves smoothly", (weights, times, expected) => {
  const list = ["a", "b", "c"].map((name, i) =>
    new Backend(backendConfig(name, { weight: weights[i] ?? 0 }))
  );
  assert.equal(picks(strategy("WeightedRoundRobin"), list, times), expected);
});

Deno.test("LeastSessions picks the fewest, and takes turns among equals", () => {
  const [a, b, c] = backends("a", "b", "c");
  assert.ok(a !== undefined && b !== undefined && c !== undefined);
  const chooser = strategy("LeastSessions");
  assert.equal(picks(chooser, [a, b, c], 3), "abc");
  const open = [a.openSession(), b.openSession(), b.openSession()];
  assert.equal(picks(chooser, [a, b, c], 2), "cc");
  open.push(c.openSession());
  assert.equal(picks(chooser, [a, b, c], 2), "ac");
  for (const session of open) session[Symbol.dispose]();
  assert.equal(picks(chooser, [a, b, c], 1), "b");
});

Deno.test("LeastLatency tries who was never measured, then picks the fastest", () => {
  const [a, b, c] = backends("a", "b", "c");
  assert.ok(a !== undefined && b !== undefined && c !== undefined);
  const chooser = strategy("LeastLatency");
  a.latency.observe(5);
  assert.equal(picks(chooser, [a, b, c], 3), "bcb");
  b.latency.observe(50);
  c.latency.observe(2);
  assert.equal(picks(chooser, [a, b, c], 2), "cc");
  for (let i = 0; i < 10; i++) c.latency.observe(500);
  assert.equal(picks(chooser, [a, b, c], 2), "aa");
});

Deno.test.each(
  [
    [0, "a"],
    [0.33, "a"],
    [0.34, "b"],
    [0.67, "c"],
    [0.999_999, "c"],
  ] as const,
)("Random with %d picks %s", (value, expected) => {
  assert.equal(picks(strategy("Random", () => value), backends("a", "b", "c"), 1), expected);
});

function assignments(list: readonly Backend[], keys: number): Map<string, string> {
  const chooser = strategy("ConsistentHash");
  const result = new Map<string, string>();
  for (let i = 0; i < keys; i++) {
    const hashKey = `key-${i}`;
    result.set(hashKey, chooser.pick(list, { hashKey }).name);
  }
  return result;
}

Deno.test("ConsistentHash sends a key to the same backend, whatever the order", () => {
  const before = assignments(backends("a", "b", "c", "d"), 500);
  assert.deepEqual(assignments(backends("a", "b", "c", "d"), 500), before);
  assert.deepEqual(assignments(backends("d", "b", "a", "c"), 500), before);
});

Deno.test("ConsistentHash spreads keys evenly, similar names included", () => {
  const names = Array.from({ length: 10 }, (_, i) => `gpu-${i}`);
  const counts = Map.groupBy(assignments(backends(...names), 10_000).values(), (name) => name);
  for (const name of names) {
    const count = counts.get(name)?.length ?? 0;
    assert.ok(count > 850 && count < 1_150, `${name} has ${count} of 10000`);
  }
});

Deno.test("ConsistentHash moves only the keys of a backend that leaves", () => {
  const before = assignments(backends("a", "b", "c", "d"), 4_000);
  const after = assignments(backends("a", "b", "d"), 4_000);
  for (const [key, name] of before) if (name !== "c") assert.equal(after.get(key), name);
});

Deno.test("ConsistentHash moves to a new backend its share and nothing else", () => {
  const before = assignments(backends("a", "b", "c"), 4_000);
  const after = assignments(backends("a", "b", "c", "e"), 4_000);
  let moved = 0;
  for (const [key, name] of after) {
    if (name === before.get(key)) continue;
    assert.equal(name, "e");
    moved++;
  }
  assert.ok(moved > 850 && moved < 1_150, `${moved} of 4000 moved`);
});
