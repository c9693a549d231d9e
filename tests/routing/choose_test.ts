import assert from "node:assert/strict";
import { RouterError } from "../../src/http/mod.ts";
import {
  type Backend,
  chooseBackend,
  type ChooseOptions,
  createStrategy,
} from "../../src/routing/mod.ts";
import { backendConfig, backends, openCircuit, takeDown } from "./fixtures.ts";

function options(changes: Partial<ChooseOptions> = {}): ChooseOptions {
  return {
    strategy: createStrategy("RoundRobin", { random: () => 0 }),
    hashKey: "k",
    allowedBackends: null,
    preferredBackend: null,
    nowMs: 0,
    ...changes,
  };
}

function abc(): [Backend, Backend, Backend] {
  const [a, b, c] = backends("a", "b", "c");
  assert.ok(a !== undefined && b !== undefined && c !== undefined);
  return [a, b, c];
}

function chosen(candidates: readonly Backend[], changes: Partial<ChooseOptions> = {}): string {
  const { backend, slot } = chooseBackend(candidates, options(changes));
  slot.release();
  return backend.name;
}

Deno.test("chooseBackend() follows the strategy", () => {
  const strategy = createStrategy("RoundRobin", { random: () => 0 });
  const list = abc();
  const names = [1, 2, 3, 4].map(() => chosen(list, { strategy }));
  assert.deepEqual(names, ["a", "b", "c", "a"]);
});

Deno.test("chooseBackend() leaves out what the key may not use", () => {
  assert.equal(chosen(abc(), { allowedBackends: new Set(["c", "x"]) }), "c");
});

Deno.test("chooseBackend() leaves out who is unhealthy, warming up or refused by its circuit", () => {
  const [a, b, c] = abc();
  takeDown(a, 0);
  openCircuit(b, 0);
  assert.equal(chosen([a, b, c]), "c");
  c.health.record({ kind: "warming_up" }, 0);
  assert.throws(() => chosen([a, b, c]), { code: "no_available_backend", status: 503 });
});

Deno.test.each(
  [
    ["c", "c"],
    [null, "a"],
    ["x", "a"],
    ["C", "a"],
    ["", "a"],
  ] as const,
)("chooseBackend() with x-backend %j chooses %s", (preferredBackend, expected) => {
  assert.equal(chosen(abc(), { preferredBackend }), expected);
});

Deno.test("chooseBackend() ignores x-backend when that one is not admissible", () => {
  const preferredBackend = "b";
  for (const spoil of [openCircuit, takeDown]) {
    const [a, b, c] = abc();
    spoil(b, 0);
    assert.equal(chosen([a, b, c], { preferredBackend }), "a");
  }
  const [a, b, c] = abc();
  assert.equal(chosen([a, b, c], { preferredBackend, allowedBackends: new Set(["c"]) }), "c");
  assert.equal(chosen([a, b, c], { preferredBackend, exclude: new Set([b]) }), "a");
});

Deno.test("chooseBackend() tells a key that may not from backends that cannot", () => {
  const [a, b, c] = abc();
  takeDown(b, 0);
  assert.throws(() => chosen([a, b, c], { allowedBackends: new Set(["x"]) }), {
    code: "backend_not_allowed",
    status: 403,
  });
  assert.throws(() => chosen([a, b, c], { allowedBackends: new Set(["b"]) }), {
    code: "no_available_backend",
    status: 503,
  });
  // Not allowed at all comes first, even when everything is down as well.
  takeDown(a, 0);
  takeDown(c, 0);
  assert.throws(() => chosen([a, b, c], { allowedBackends: new Set(["x"]) }), {
    code: "backend_not_allowed",
  });
});

function retryAfter(candidates: readonly Backend[], changes: Partial<ChooseOptions>): number {
  try {
    chosen(candidates, changes);
  } catch (error) {
    assert.ok(error instanceof RouterError);
    assert.equal(error.code, "no_available_backend");
    assert.equal(error.source, "upstream");
    return Number(error.headers["retry-after"]);
  }
  throw new assert.AssertionError({ message: "a backend was chosen" });
}

Deno.test.each(
  [
    ["its circuit half-opens", (b: Backend) => openCircuit(b, 0), 1_500, 59],
    ["its circuit half-opens, soon", (b: Backend) => openCircuit(b, 0), 59_999, 1],
    ["it is probed", (b: Backend) => takeDown(b, 0), 10_000, 20],
    ["a probe is overdue", (b: Backend) => takeDown(b, 0), 40_000, 1],
    ["it is warm", (b: Backend) => b.health.record({ kind: "warming_up" }, 0), 0, 1],
  ] as const,
)("chooseBackend() asks to retry when %s", (_name, spoil, nowMs, seconds) => {
  const [a, b, c] = abc();
  spoil(a);
  spoil(b);
  spoil(c);
  assert.equal(retryAfter([a, b, c], { nowMs }), seconds);
});

Deno.test("chooseBackend() asks to retry for the first that may recover, among those allowed", () => {
  const [a, b] = abc();
  openCircuit(a, 0);
  takeDown(b, 0);
  assert.equal(retryAfter([a, b], { nowMs: 0 }), 30);
  assert.equal(retryAfter([a, b], { nowMs: 0, allowedBackends: new Set(["a"]) }), 60);
});

Deno.test("chooseBackend() never asks to wait for more than a minute", () => {
  const breaker = { ...backendConfig("x").breaker, timeoutMs: 3_600_000 };
  const [a] = abc();
  a.reconfigure(backendConfig("a", { breaker }));
  openCircuit(a, 0);
  assert.equal(retryAfter([a], { nowMs: 0 }), 60);
});

Deno.test("chooseBackend() takes a slot, which counts for the circuit", () => {
  const [a] = abc();
  openCircuit(a, 0);
  const taken = [1, 2, 3].map(() => chooseBackend([a], options({ nowMs: 60_000 })));
  assert.throws(() => chosen([a], { nowMs: 60_000 }), { code: "no_available_backend" });
  taken[0]?.slot.release();
  chooseBackend([a], options({ nowMs: 60_000 })).slot.failure(60_000);
  assert.equal(a.breaker.admits(60_000), false);
});

Deno.test("chooseBackend() does not touch the circuits of those it does not choose", () => {
  const [a, b] = abc();
  openCircuit(b, 0);
  assert.equal(chosen([a, b], { nowMs: 60_000, preferredBackend: "a" }), "a");
  assert.deepEqual(b.breaker.state(60_000), { kind: "half_open", inFlight: 0, successes: 0 });
});

Deno.test("chooseBackend() names no backend in its refusals", () => {
  const [a] = backends("secret-backend");
  assert.ok(a !== undefined);
  takeDown(a, 0);
  for (const allowedBackends of [null, new Set(["other"])]) {
    assert.throws(
      () => chosen([a], { allowedBackends }),
      (error) => error instanceof RouterError && !error.message.includes("secret"),
    );
  }
});

Deno.test("chooseBackend() tries each backend once when told which were tried", () => {
  const list = abc();
  const exclude = new Set<Backend>();
  const order: string[] = [];
  for (let index = 0; index < 3; index++) {
    const { backend, slot } = chooseBackend(list, options({ exclude }));
    slot.failure(0);
    exclude.add(backend);
    order.push(backend.name);
  }
  assert.deepEqual(order.toSorted(), ["a", "b", "c"]);
  assert.throws(() => chosen(list, { exclude }), { code: "no_available_backend" });
});
