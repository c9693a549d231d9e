import assert from "node:assert/strict";
import { appliedFields, listFields, parseConfig, restartFields } from "../../src/config/mod.ts";

const get = () => undefined;
const load = (text: string) => parseConfig(text, { get });
const BASE = load("logging: {}");

Deno.test("restartFields: nothing waits when nothing changed", () => {
  assert.deepEqual(restartFields(BASE, load("realtime: { enabled: false }")), []);
});

Deno.test("restartFields: lists each changed field of class restart, in the order of the file", () => {
  const changed = load(`
server:
  bind_address: ["0.0.0.0:8080", "0.0.0.0:8081"]
  tls: { cert: c, key: k }
  drain_timeout: "1s"
realtime: { max_sessions: 1 }
admin: { bind_address: "127.0.0.1:9090" }
console: { enabled: true }
`);
  const expected = [
    "server.bind_address",
    "server.tls.cert",
    "server.tls.key",
    "realtime.max_sessions",
    "admin.bind_address",
    "console.enabled",
  ];
  assert.deepEqual(restartFields(BASE, changed), expected);
  assert.deepEqual(restartFields(changed, BASE), expected);
});

Deno.test("restartFields: immediate and gradual changes do not wait", () => {
  const changed = load(`
server: { drain_timeout: "1s", trust_proxy: true, allowed_hosts: [h], cors: { enabled: true } }
api_keys: { mode: blocking }
backends: [{ name: b, url: "http://h" }]
selection_strategy: Random
health_checks: { interval: "1s" }
circuit_breaker: { enabled: false }
timeouts: { request: { standard: { total: "1s" } } }
admin: { auth: { method: bearer_token, token: t } }
logging: { level: debug }
`);
  assert.deepEqual(restartFields(BASE, changed), []);
});

/** Spec §2, the comments of the YAML. */
const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/^server\.(bind_address|tls\.|runtime_dir)/, "restart"],
  [/^server\./, "immediate"],
  [/^(realtime|metrics|control_plane|console)\./, "restart"],
  [/^(backends\[\]|health_checks)\./, "gradual"],
  [/^admin\.bind_address$/, "restart"],
  [/^(api_keys|circuit_breaker|timeouts|admin|logging)\./, "immediate"],
  [/^(model_metadata_file|selection_strategy)$/, "immediate"],
];

Deno.test("listFields: every field has the reload class of the specification", () => {
  for (const field of listFields()) {
    const expected = CLASSES.find(([pattern]) => pattern.test(field.path))?.[1];
    assert.equal(field.reload, expected, field.path);
  }
});

Deno.test("appliedFields: names what changed at once, lists and mappings as a whole", () => {
  const changed = load(`
server: { drain_timeout: "1s", bind_address: "0.0.0.0:1" }
api_keys: { api_keys: [{ key: k, id: i }] }
backends: [{ name: b, url: "http://h" }]
circuit_breaker: { backends: { b: { failure_threshold: 1 } } }
`);
  const expected = [
    "server.drain_timeout",
    "api_keys.api_keys",
    "backends",
    "circuit_breaker.backends",
  ];
  assert.deepEqual(appliedFields(BASE, changed), expected);
  assert.deepEqual(appliedFields(changed, changed), []);
});
