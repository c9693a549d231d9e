import assert from "node:assert/strict";
import { configWarnings, parseConfig } from "../../src/config/mod.ts";

const NOW = Date.UTC(2026, 5, 1);

/** Paths of the warnings for a file. */
function warningsOf(text: string, hasAudioModel = true) {
  const config = parseConfig(text, { get: () => undefined });
  return configWarnings(config, { hasAudioModel: () => hasAudioModel, now: NOW });
}

/** No warning by itself. */
const QUIET = 'server: { allowed_hosts: [localhost], bind_address: "127.0.0.1:80" }\n';

Deno.test("configWarnings: a quiet configuration has none", () => {
  assert.deepEqual(warningsOf(QUIET), []);
});

Deno.test("configWarnings: no session deadline at all says what it means", () => {
  const off = 'realtime: { max_sessions: 9, idle_timeout: "0", max_session_duration: "0" }\n';
  const [warning, ...more] = warningsOf(QUIET + off);
  assert.deepEqual(more, []);
  assert.equal(warning?.path, "realtime.idle_timeout");
  for (const part of ["without a FIN", "permit", "backend session", "TCP keepalive", "9 such"]) {
    assert(warning?.message.includes(part), part);
  }
});

const ONE_DEADLINE = [
  '{ idle_timeout: "0", max_session_duration: "1h" }',
  '{ idle_timeout: "1s" }',
];

for (const realtime of ONE_DEADLINE) {
  Deno.test(`configWarnings: one session deadline is enough: ${realtime}`, () => {
    assert.deepEqual(warningsOf(`${QUIET}realtime: ${realtime}`), []);
  });
}

const CASES: readonly (readonly [string, string, string, RegExp])[] = [
  [
    "permissive without allowed_hosts",
    "logging: {}",
    "server.allowed_hosts",
    /DNS rebinding/,
  ],
  [
    "blocking without an enabled key",
    `${QUIET}api_keys: { mode: blocking, api_keys: [{ id: k, key: s, enabled: false }] }`,
    "api_keys.api_keys",
    /every caller will be refused/,
  ],
  [
    "any origin with credentials",
    'server: { allowed_hosts: [h], cors: { enabled: true, allow_origins: ["*"], ' +
    "allow_credentials: true } }",
    "server.cors.allow_origins",
    /any web page/,
  ],
  [
    "the origin null",
    'server: { allowed_hosts: [h], cors: { allow_origins: ["null"] } }',
    "server.cors.allow_origins",
    /refused even so/,
  ],
  [
    "an expired key",
    `${QUIET}api_keys: { api_keys: [{ id: old, key: s, expires_at: "2026-06-01T00:00:00Z" }] }`,
    "api_keys.api_keys",
    /^key old has expired$/,
  ],
  [
    "a key for a backend that does not exist",
    `${QUIET}api_keys: { api_keys: [{ id: k, key: s, allowed_backends: [gone] }] }`,
    "api_keys.api_keys",
    /^key k allows backend gone, which does not exist$/,
  ],
  [
    "overrides for a backend that does not exist",
    `${QUIET}circuit_breaker: { backends: { gone: {} } }`,
    "circuit_breaker.backends",
    /^has overrides for backend gone, which does not exist$/,
  ],
];

for (const [name, text, path, message] of CASES) {
  Deno.test(`configWarnings: ${name}`, () => {
    const warnings = warningsOf(text);
    assert.deepEqual(warnings.map((warning) => warning.path), [path]);
    assert.match(warnings[0]?.message ?? "", message);
  });
}

Deno.test("configWarnings: realtime without an audio model, only while it is enabled", () => {
  const [warning] = warningsOf(`${QUIET}realtime: { enabled: true }`, false);
  assert.equal(warning?.path, "realtime.enabled");
  assert.match(warning?.message ?? "", /backends\[\]\.model_configs/);
  assert.deepEqual(warningsOf(QUIET, false), []);
});

Deno.test("configWarnings: blocking mode needs no allowed_hosts", () => {
  const text = "api_keys: { mode: blocking, api_keys: [{ id: k, key: s }] }";
  assert.deepEqual(warningsOf(text), []);
});

Deno.test("configWarnings: no warning has a secret", () => {
  const text = "api_keys: { api_keys: [{ id: k, key: sk-secret, allowed_backends: [gone], " +
    'expires_at: "2020-01-01T00:00:00Z" }] }';
  assert(!JSON.stringify(warningsOf(text)).includes("sk-secret"));
});
