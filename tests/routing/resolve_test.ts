import assert from "node:assert/strict";
import { RouterError } from "../../src/http/mod.ts";
import {
  type BackendConfig,
  BackendRegistry,
  BUILTIN_MODELS,
  Catalogue,
  type ModelDescription,
  resolveModel,
} from "../../src/routing/mod.ts";
import { backendConfig } from "./fixtures.ts";

function setUp(configs: readonly BackendConfig[], file: readonly ModelDescription[] = []) {
  const catalogue = new Catalogue([
    configs.flatMap(({ modelConfigs }) => modelConfigs),
    file,
    BUILTIN_MODELS,
  ]);
  return { catalogue, registry: new BackendRegistry(configs) };
}

function described(id: string, capabilities?: readonly string[], ...aliases: readonly string[]) {
  return { id, aliases, capabilities, metadata: {} };
}

const VOICECHAT = "nvidia-nemotronlabs-voicechat-11b";

Deno.test("resolveModel() serves the example of the documentation as it stands", () => {
  const world = setUp([backendConfig("voicechat", { type: "vllm", models: [VOICECHAT] })]);
  const resolved = resolveModel(VOICECHAT, { ...world, requireAudio: true });
  assert.equal(resolved.canonicalId, VOICECHAT);
  assert.equal(resolved.dispatchModel, VOICECHAT);
  assert.deepEqual(resolved.candidates.map(({ name }) => name), ["voicechat"]);
});

const world = setUp([
  backendConfig("exact", { models: ["voice", "gpt-realtime-2025-08-28"] }),
  backendConfig("canonical", {
    models: ["gpt-realtime"],
    modelConfigs: [described("my-voice", ["audio", "text"], "voice", "mine")],
  }),
  backendConfig("second", { models: ["my-voice", "Qwen2.5-Omni-7B-AWQ", "text-only", "mystery"] }),
], [described("text-only", ["text"], "writer"), described("unserved", ["audio"])]);

Deno.test.each(
  [
    // Listed as it is: that string is sent, even where a canonical id is listed elsewhere.
    ["voice", "voice", "my-voice", ["exact"]],
    ["gpt-realtime-2025-08-28", "gpt-realtime-2025-08-28", "gpt-realtime", ["exact"]],
    ["my-voice", "my-voice", "my-voice", ["canonical", "second"]],
    ["Qwen2.5-Omni-7B-AWQ", "Qwen2.5-Omni-7B-AWQ", "Qwen2.5-Omni-7B", ["second"]],
    // Not listed: the canonical id is sent.
    ["mine", "my-voice", "my-voice", ["canonical", "second"]],
    ["MINE", "my-voice", "my-voice", ["canonical", "second"]],
    ["Voice", "my-voice", "my-voice", ["canonical", "second"]],
    ["my-voice-q4_k_m", "my-voice", "my-voice", ["canonical", "second"]],
    ["gpt-realtime-2026-01-01", "gpt-realtime", "gpt-realtime", ["canonical"]],
    ["openai/gpt-realtime", "gpt-realtime", "gpt-realtime", ["canonical"]],
  ] as const,
)("resolveModel(%s) sends %s", (requested, dispatchModel, canonicalId, names) => {
  const resolved = resolveModel(requested, { ...world, requireAudio: true });
  assert.equal(resolved.dispatchModel, dispatchModel);
  assert.equal(resolved.canonicalId, canonicalId);
  assert.deepEqual(resolved.candidates.map(({ name }) => name), names);
});

Deno.test.each([
  ["nonsense"],
  ["unserved"],
  // Known to the built-in list, listed by nobody, not even by its canonical id.
  ["gpt-realtime-mini"],
  ["Qwen2.5-Omni-7B"],
  // Without metadata only the very string counts.
  ["Mystery"],
  ["mystery-q4_0"],
  ["toString"],
])("resolveModel(%s) is not found and says so in the caller's words", (requested) => {
  assert.throws(() => resolveModel(requested, world), {
    code: "model_not_found",
    status: 404,
    param: "model",
    message: `The model '${requested}' does not exist`,
  });
});

Deno.test("resolveModel() shows a bounded, printable name", () => {
  assert.throws(
    () => resolveModel("\r\n\u202e" + "x".repeat(5_000), world),
    (error) => error instanceof RouterError && /^The model 'x{200}…' /.test(error.message),
  );
});

Deno.test.each(
  [
    ["text-only", "The model 'text-only' does not support audio"],
    ["WRITER", "The model 'WRITER' does not support audio"],
  ] as const,
)("resolveModel(%s) without audio is refused for realtime only", (requested, message) => {
  assert.throws(() => resolveModel(requested, { ...world, requireAudio: true }), {
    code: "audio_not_supported",
    status: 400,
    param: "model",
    message,
  });
  assert.equal(resolveModel(requested, world).dispatchModel, "text-only");
});

Deno.test("resolveModel() says which key to add for a model that nothing describes", () => {
  assert.throws(() => resolveModel("mystery", { ...world, requireAudio: true }), {
    code: "audio_not_supported",
    message: /'mystery'.*backends\[\]\.model_configs.*capabilities: \[audio, text\]/,
  });
  const resolved = resolveModel("mystery", world);
  assert.equal(resolved.capabilities, null);
  assert.equal(resolved.canonicalId, "mystery");
});

Deno.test("resolveModel() finds a model_config's own capabilities by its id", () => {
  const own = setUp([
    backendConfig("b", { models: [], modelConfigs: [described(`${VOICECHAT}-fp8`)] }),
  ]);
  const resolved = resolveModel(`${VOICECHAT}-fp8`, { ...own, requireAudio: true });
  assert.equal(resolved.dispatchModel, `${VOICECHAT}-fp8`);
});

Deno.test("resolveModel() sees what a backend was discovered to serve", () => {
  const { catalogue, registry } = setUp([backendConfig("b")]);
  const options = { catalogue, registry, requireAudio: true };
  assert.throws(() => resolveModel("gpt-realtime", options), { code: "model_not_found" });
  const [backend] = registry.backends;
  assert.ok(backend !== undefined);
  assert.equal(registry.setDiscovered(backend, ["gpt-realtime"]), true);
  assert.equal(resolveModel("GPT-Realtime", options).dispatchModel, "gpt-realtime");
  registry.setDiscovered(backend, []);
  assert.throws(() => resolveModel("gpt-realtime", options), { code: "model_not_found" });
});

Deno.test("resolveModel() looks at neither health nor circuits", () => {
  const { catalogue, registry } = setUp([backendConfig("b", { models: ["gpt-realtime"] })]);
  const [backend] = registry.backends;
  assert.ok(backend !== undefined);
  for (let index = 0; index < 9; index++) {
    backend.health.record({ kind: "failed", reason: "refused" }, 0);
    backend.breaker.acquire(0)?.failure(0);
  }
  assert.equal(resolveModel("gpt-realtime", { catalogue, registry }).candidates.length, 1);
});
