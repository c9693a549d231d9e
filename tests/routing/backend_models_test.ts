import assert from "node:assert/strict";
import { MAX_DISCOVERED_MODELS, ServedModels } from "../../src/routing/mod.ts";

Deno.test("ServedModels are the list, the ids of model_configs, and nothing discovered", () => {
  const served = new ServedModels({ models: ["a", "b"], modelConfigIds: ["b", "c"] });
  assert.equal(served.discovers, false);
  assert.equal(served.setDiscovered(["d"]), false);
  assert.deepEqual([...served.names], ["a", "b", "c"]);
});

Deno.test("ServedModels with an empty list discover nothing", () => {
  const served = new ServedModels({ models: [], modelConfigIds: [] });
  assert.equal(served.setDiscovered(["d"]), false);
  assert.equal(served.names.size, 0);
});

Deno.test("ServedModels without a list are discovered, each time anew", () => {
  const served = new ServedModels({ modelConfigIds: ["c"] });
  assert.equal(served.setDiscovered(["a", "c", "a"]), true);
  assert.deepEqual([...served.names], ["c", "a"]);
  assert.equal(served.setDiscovered(["c", "a"]), false);
  assert.equal(served.setDiscovered(["b"]), true);
  assert.deepEqual([...served.names], ["c", "b"]);
  assert.equal(served.setDiscovered([]), true);
  assert.deepEqual([...served.names], ["c"]);
});

Deno.test("ServedModels bound what a backend may claim", () => {
  const served = new ServedModels({ modelConfigIds: [] });
  served.setDiscovered(["", "x".repeat(257), "x".repeat(256)]);
  assert.deepEqual([...served.names], ["x".repeat(256)]);
  served.setDiscovered(Array.from({ length: 2 * MAX_DISCOVERED_MODELS }, (_, i) => `m${i}`));
  assert.equal(served.names.size, MAX_DISCOVERED_MODELS);
});
