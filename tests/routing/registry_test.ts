import assert from "node:assert/strict";
import { BackendRegistry } from "../../src/routing/mod.ts";
import { backendConfig, openCircuit, takeDown } from "./fixtures.ts";

function names(backends: readonly { readonly name: string }[]): string[] {
  return backends.map(({ name }) => name);
}

Deno.test("BackendRegistry.serving() lists the backends of a name in the order of the file", () => {
  const registry = new BackendRegistry([
    backendConfig("b", { models: ["m", "n"] }),
    backendConfig("a", { models: ["m"] }),
  ]);
  assert.deepEqual(names(registry.serving("m")), ["b", "a"]);
  assert.deepEqual(names(registry.serving("n")), ["b"]);
  assert.deepEqual(names(registry.serving("M")), []);
  assert.deepEqual(registry.modelNames, ["m", "n"]);
});

Deno.test("BackendRegistry.serving() does not know the aliases of model_configs", () => {
  const modelConfigs = [{ id: "m", aliases: ["x"], metadata: {} }];
  const registry = new BackendRegistry([backendConfig("b", { modelConfigs })]);
  assert.deepEqual(names(registry.serving("m")), ["b"]);
  assert.deepEqual(names(registry.serving("x")), []);
});

Deno.test("BackendRegistry.setDiscovered() updates the index", () => {
  const registry = new BackendRegistry([backendConfig("a"), backendConfig("b")]);
  const [a, b] = registry.backends;
  assert.ok(a !== undefined && b !== undefined);
  registry.setDiscovered(b, ["m"]);
  registry.setDiscovered(a, ["m", "n"]);
  assert.deepEqual(names(registry.serving("m")), ["a", "b"]);
  registry.setDiscovered(a, []);
  assert.deepEqual(names(registry.serving("m")), ["b"]);
  assert.deepEqual(names(registry.serving("n")), []);
});

Deno.test("BackendRegistry.apply() keeps the state of backends that stay", () => {
  const registry = new BackendRegistry([backendConfig("a"), backendConfig("b")]);
  const a = registry.get("a");
  assert.ok(a !== undefined);
  const session = a.openSession();
  openCircuit(a, 0);
  takeDown(a, 0);
  a.latency.observe(10);
  registry.setDiscovered(a, ["m"]);
  const change = registry.apply([
    backendConfig("c"),
    backendConfig("a", { weight: 7, modelConfigs: [{ id: "own", aliases: [], metadata: {} }] }),
  ]);
  assert.deepEqual(names(change.added), ["c"]);
  assert.deepEqual(names(change.removed), ["b"]);
  assert.deepEqual(names(registry.backends), ["c", "a"]);
  assert.equal(registry.get("a"), a);
  assert.equal(registry.get("b"), undefined);
  assert.equal(a.config.weight, 7);
  assert.equal(a.sessions, 1);
  assert.equal(a.breaker.admits(0), false);
  assert.equal(a.health.routable, false);
  assert.equal(a.latency.averageMs, 10);
  assert.deepEqual(registry.serving("m"), [a]);
  assert.deepEqual(registry.serving("own"), [a]);
  session[Symbol.dispose]();
  assert.equal(a.sessions, 0);
});

Deno.test("BackendRegistry.apply() keeps a name that the backend lists when its own description goes", () => {
  const own = { modelConfigs: [{ id: "m", aliases: [], metadata: {} }] };
  const registry = new BackendRegistry([backendConfig("a", own)]);
  const [a] = registry.backends;
  registry.setDiscovered(a!, ["m", "n"]);
  registry.apply([backendConfig("a", { modelConfigs: [] })]);
  assert.deepEqual(registry.serving("m"), [a]);
  registry.apply([backendConfig("a", own)]);
  registry.setDiscovered(a!, ["n"]);
  registry.apply([backendConfig("a", { modelConfigs: [] })]);
  assert.deepEqual(registry.serving("m"), []);
  assert.deepEqual(registry.serving("n"), [a]);
});

Deno.test("BackendRegistry.apply() forgets what it learnt of a server when the URL changes", () => {
  const registry = new BackendRegistry([backendConfig("a")]);
  const a = registry.get("a");
  assert.ok(a !== undefined);
  using _session = a.openSession();
  openCircuit(a, 0);
  takeDown(a, 0);
  a.latency.observe(10);
  registry.setDiscovered(a, ["m"]);
  registry.apply([backendConfig("a", { url: "http://other.test" })]);
  assert.equal(registry.get("a"), a);
  assert.equal(a.sessions, 1);
  assert.equal(a.breaker.admits(0), true);
  assert.equal(a.health.routable, true);
  assert.equal(a.latency.averageMs, null);
  assert.deepEqual(registry.serving("m"), []);
});

Deno.test("BackendRegistry.apply() drops discovered names once models are listed", () => {
  const registry = new BackendRegistry([backendConfig("a")]);
  const a = registry.get("a");
  assert.ok(a !== undefined);
  registry.setDiscovered(a, ["m"]);
  registry.apply([backendConfig("a", { models: ["n"] })]);
  assert.deepEqual(registry.modelNames, ["n"]);
});

Deno.test("BackendRegistry.apply() refuses two backends of one name and changes nothing", () => {
  const registry = new BackendRegistry([backendConfig("a")]);
  assert.throws(() => registry.apply([backendConfig("b"), backendConfig("b")]), TypeError);
  assert.deepEqual(names(registry.backends), ["a"]);
});
