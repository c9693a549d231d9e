import assert from "node:assert/strict";
import { parseConfig } from "../../src/config/mod.ts";
import {
  backendConfigs,
  buildCatalogue,
  hasAudioModel,
} from "../../src/router/routing_settings.ts";

function parse(text: string) {
  return parseConfig(text, { get: () => undefined });
}

Deno.test("backendConfigs() takes over every field of a backend, its own before the common ones", () => {
  const [backend, ...more] = backendConfigs(parse(`
health_checks:
  enabled: true
  interval: "5s"
  timeout: "4s"
  endpoint: "/common"
  unhealthy_threshold: 7
  healthy_threshold: 6
  warmup_check_interval: "2s"
  max_warmup_duration: "100s"
circuit_breaker:
  failure_threshold: 9
  failure_rate_threshold: 0.25
  minimum_requests: 20
  timeout_seconds: 11
  half_open_max_requests: 4
  half_open_success_threshold: 1
  backends: { b: { failure_threshold: 3, timeout_seconds: 12 } }
backends:
  - name: b
    url: "https://b.test/base"
    type: vllm
    api_key: k
    org_id: org
    headers: { X-Extra: x }
    weight: 4
    models: [m]
    model_configs: [{ id: c, aliases: [a], metadata: { display_name: C, capabilities: [audio] } }]
    realtime: { path: "/own", auth: api-key }
    health_check: { endpoint: "/mine", interval: "1s", timeout: "500ms" }
`));
  assert.deepEqual(more, []);
  const { modelConfigs, ...rest } = backend ?? { modelConfigs: [] };
  assert.deepEqual(rest, {
    name: "b",
    url: "https://b.test/base",
    type: "vllm",
    apiKey: "k",
    orgId: "org",
    headers: { "X-Extra": "x" },
    weight: 4,
    models: ["m"],
    realtimePath: "/own",
    realtimeAuth: "api-key",
    healthEndpoint: "/mine",
    healthTimeoutMs: 500,
    health: {
      enabled: true,
      intervalMs: 1_000,
      unhealthyThreshold: 7,
      healthyThreshold: 6,
      warmupCheckIntervalMs: 2_000,
      maxWarmupDurationMs: 100_000,
    },
    breaker: {
      enabled: true,
      failureThreshold: 3,
      failureRateThreshold: 0.25,
      minimumRequests: 20,
      timeoutMs: 12_000,
      halfOpenMaxRequests: 4,
      halfOpenSuccessThreshold: 1,
    },
  });
  const [model] = modelConfigs;
  assert.deepEqual([model?.id, model?.aliases, model?.capabilities], ["c", ["a"], ["audio"]]);
  assert.equal(model?.metadata?.["display_name"], "C");
});

Deno.test("backendConfigs() gives a plain backend the common settings", () => {
  const [backend] = backendConfigs(parse(`
health_checks: { endpoint: "/common", interval: "5s", timeout: "4s" }
circuit_breaker: { failure_threshold: 9, timeout_seconds: 11 }
backends: [{ name: b, url: "http://b.test" }]
`));
  assert.equal(backend?.healthEndpoint, "/common");
  assert.equal(backend?.health.intervalMs, 5_000);
  assert.equal(backend?.healthTimeoutMs, 4_000);
  assert.equal(backend?.breaker.failureThreshold, 9);
  assert.equal(backend?.breaker.timeoutMs, 11_000);
  assert.equal(backend?.realtimeAuth, "bearer");
  assert.equal(backend?.apiKey, undefined);
  assert.equal(backend?.models, undefined);
  assert.equal(backend?.weight, 1);
});

Deno.test("buildCatalogue() looks in the backends' metadata, then in the file, then in the built-in list", () => {
  const name = "nvidia-nemotronlabs-voicechat-11b";
  const builtin = buildCatalogue(parse("backends: []"), { modelMetadata: [] });
  assert.ok(builtin.lookup(name)?.capabilities?.has("audio"));
  const files = parse(`
backends:
  - name: x
    url: "http://x.test"
    model_configs:
      - { id: ${name}, metadata: { capabilities: [text] } }
      - { id: from-file, metadata: { capabilities: [tools] } }
`);
  const [, fromFile] = files.backends[0]?.model_configs ?? [];
  assert.ok(fromFile !== undefined);
  const inFile = buildCatalogue(parse("backends: []"), { modelMetadata: [fromFile] });
  assert.deepEqual([...inFile.lookup("from-file")?.capabilities ?? []], ["tools"]);
  const own = buildCatalogue(files, {
    modelMetadata: [{ ...fromFile, metadata: { capabilities: ["audio"] } }],
  });
  assert.deepEqual([...own.lookup(name)?.capabilities ?? []], ["text"]);
  assert.deepEqual([...own.lookup("from-file")?.capabilities ?? []], ["tools"]);
});

Deno.test.each(
  [
    ["no backend", "backends: []", false],
    [
      "a backend that is asked for its models",
      'backends: [{ name: b, url: "http://b.test" }]',
      true,
    ],
    [
      "a backend of a model without metadata",
      'backends: [{ name: b, url: "http://b.test", models: [nobody-knows-it] }]',
      false,
    ],
    [
      "a backend of a built-in voice model",
      'backends: [{ name: b, url: "http://b.test", models: [nvidia-nemotronlabs-voicechat-11b] }]',
      true,
    ],
    [
      "a backend of a model that is said to speak",
      'backends: [{ name: b, url: "http://b.test", models: [m], ' +
      "model_configs: [{ id: m, metadata: { capabilities: [audio] } }] }]",
      true,
    ],
    [
      "a backend of a model that is said not to",
      'backends: [{ name: b, url: "http://b.test", models: [m], ' +
      "model_configs: [{ id: m, metadata: { capabilities: [text] } }] }]",
      false,
    ],
  ] as const,
)("hasAudioModel() of %s", (_what, text, expected) => {
  assert.equal(hasAudioModel(parse(text), { modelMetadata: [] }), expected);
});
