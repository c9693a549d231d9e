import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type Config,
  listFields,
  MASK,
  maskedConfig,
  parseConfig,
  printConfig,
} from "../../src/config/mod.ts";
import { FULL, getSecret, SECRETS } from "./examples.ts";

const full = parseConfig(FULL, { get: getSecret });

/** The printed text with the masks replaced by the secrets, in the order of the file. */
function fillIn(printed: string): string {
  const order = [
    "KEY_1",
    "DIGEST_2",
    "VOICE_KEY",
    "TEAM",
    "ADMIN_TOKEN",
    "ADMIN_PASSWORD",
    "ADMIN_KEY",
    "SCRAPE_TOKEN",
    "HUB_TOKEN",
  ];
  const parts = printed.split(MASK);
  assert.equal(parts.length, order.length + 1);
  return parts.map((part, index) => part + (getSecret(order[index] ?? "") ?? "")).join("");
}

for (const format of ["yaml", "json"] as const) {
  Deno.test(`printConfig: as ${format}, no secret is in the text`, () => {
    const printed = printConfig(full, format);
    for (const secret of Object.values(SECRETS)) assert(!printed.includes(secret), secret);
  });

  Deno.test(`printConfig: as ${format}, with the secrets put back it means the same`, () => {
    assert.deepEqual(
      parseConfig(fillIn(printConfig(full, format)), { get: () => undefined }),
      full,
    );
  });
}

Deno.test("printConfig: the defaults are a valid file with the same meaning", () => {
  const defaults = parseConfig("logging: {}", { get: () => undefined });
  assert.deepEqual(parseConfig(printConfig(defaults), { get: () => undefined }), defaults);
});

Deno.test("maskedConfig: values are in the file's form", () => {
  const tree = JSON.parse(JSON.stringify(maskedConfig(full)));
  assert.deepEqual(tree.server.bind_address, ["0.0.0.0:8080", "[::1]:8080"]);
  assert.equal(tree.realtime.idle_timeout, "1m");
  assert.equal(tree.realtime.max_session_duration, "0");
  assert.equal(tree.api_keys.api_keys[0].expires_at, "2027-01-01T00:00:00.000Z");
  assert.equal(tree.circuit_breaker.timeout_seconds, 60);
});

Deno.test("maskedConfig: an empty secret is shown as empty, since that is what matters", () => {
  const tree = JSON.parse(JSON.stringify(
    maskedConfig(parseConfig("logging: {}", { get: () => undefined })),
  ));
  assert.equal(tree.admin.auth.token, "");
  assert.equal(tree.metrics.auth_token, "");
});

Deno.test("maskedConfig: api_keys_file is left out, because its keys are shown", () => {
  const config = parseConfig("api_keys: { api_keys_file: k.yaml }", { get: () => undefined });
  const tree = JSON.parse(JSON.stringify(maskedConfig(config)));
  assert.deepEqual(tree.api_keys, { mode: "permissive", api_keys: [] });
});

Deno.test("maskedConfig: whatever stands in a secret field is masked", () => {
  fc.assert(fc.property(fc.stringMatching(/^[0-9a-z]{12,20}$/), (secret) => {
    const config: Config = parseConfig(FULL, {
      get: (name) => (name === "DIGEST_2" ? SECRETS["DIGEST_2"] : `${secret}${name}`),
    });
    assert(!printConfig(config).includes(secret));
    assert(!printConfig(config, "json").includes(secret));
  }));
});

Deno.test("listFields: these fields are secret and no others", () => {
  assert.deepEqual(listFields().filter((field) => field.secret).map((field) => field.path), [
    "api_keys.api_keys[].key",
    "api_keys.api_keys[].key_sha256",
    "backends[].api_key",
    "backends[].headers",
    "admin.auth.token",
    "admin.auth.password",
    "admin.auth.api_key",
    "metrics.auth_token",
    "control_plane.token",
  ]);
});
