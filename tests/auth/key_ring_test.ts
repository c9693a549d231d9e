import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type AuthMode, type KeyEntry, KeyRing } from "../../src/auth/mod.ts";
import { RouterError } from "../../src/http/mod.ts";

const NOW_MS = 1_700_000_000_000;

function entry(changes: Partial<KeyEntry> & { readonly id: string }): KeyEntry {
  return { enabled: true, allowedModels: [], allowedBackends: [], ...changes };
}

const ENTRIES: readonly KeyEntry[] = [
  entry({
    id: "full",
    key: "sk-full",
    name: "console",
    userId: "u1",
    organizationId: "o1",
    allowedModels: ["m"],
    allowedBackends: ["b"],
  }),
  entry({ id: "plain", keySha256: sha256("sk-plain").toUpperCase() }),
  entry({ id: "off", key: "sk-off", enabled: false }),
  entry({ id: "old", key: "sk-old", expiresAtMs: NOW_MS }),
  entry({ id: "fresh", key: "sk-fresh", expiresAtMs: NOW_MS + 1 }),
  entry({ id: "off-and-old", key: "sk-off-old", enabled: false, expiresAtMs: 0 }),
];

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function ring(mode: AuthMode): KeyRing {
  return new KeyRing(ENTRIES, { mode });
}

Deno.test.each(
  [
    ["permissive", "Bearer sk-full", "full"],
    ["blocking", "Bearer sk-full", "full"],
    ["blocking", "bearer sk-full", "full"],
    ["blocking", "BEARER sk-full", "full"],
    ["blocking", "Bearer sk-plain", "plain"],
    ["blocking", "Bearer sk-fresh", "fresh"],
  ] as const,
)("KeyRing.authenticate() %s: %s is %s", (mode, header, id) => {
  assert.equal(ring(mode).authenticate(header, { nowMs: NOW_MS }).keyId, id);
});

Deno.test("KeyRing.authenticate() gives the identity with its limits", () => {
  assert.deepEqual(ring("blocking").authenticate("Bearer sk-full", { nowMs: NOW_MS }), {
    kind: "key",
    keyId: "full",
    name: "console",
    userId: "u1",
    organizationId: "o1",
    allowedModels: new Set(["m"]),
    allowedBackends: new Set(["b"]),
  });
});

Deno.test("KeyRing.authenticate() takes empty lists for no restriction", () => {
  const identity = ring("blocking").authenticate("Bearer sk-plain", { nowMs: NOW_MS });
  assert.equal(identity.allowedModels, null);
  assert.equal(identity.allowedBackends, null);
  assert.equal(identity.name, null);
});

const INVALID: [string | null, string, string][] = [
  [null, "missing_api_key", "no_key"],
  ["", "missing_api_key", "no_key"],
  [" ", "missing_api_key", "no_key"],
  ["Bearer", "missing_api_key", "no_bearer_key"],
  ["Bearer ", "missing_api_key", "no_bearer_key"],
  ["Basic c2stZnVsbA==", "missing_api_key", "no_bearer_key"],
  ["sk-full", "missing_api_key", "no_bearer_key"],
  ["Bearer sk-ful", "invalid_api_key", "unknown_key"],
  ["Bearer sk-fullx", "invalid_api_key", "unknown_key"],
  ["Bearer SK-FULL", "invalid_api_key", "unknown_key"],
  [`Bearer ${sha256("sk-full")}`, "invalid_api_key", "unknown_key"],
  ["Bearer full", "invalid_api_key", "unknown_key"],
  ["Bearer sk-full, Bearer sk-full", "invalid_api_key", "unknown_key"],
  ["Bearer sk-full, Bearer nonsense", "invalid_api_key", "unknown_key"],
  ["Basic x, Bearer sk-full", "invalid_api_key", "unknown_key"],
  ["Bearer sk-off", "invalid_api_key", "disabled_key"],
  ["Bearer sk-off-old", "invalid_api_key", "disabled_key"],
  ["Bearer sk-old", "expired_api_key", "expired_key"],
];

Deno.test.each(INVALID)("KeyRing.authenticate() blocking: %j is %s", (header, code) => {
  assert.throws(() => ring("blocking").authenticate(header, { nowMs: NOW_MS }), (error) => {
    assert.ok(error instanceof RouterError);
    assert.equal(error.code, code);
    assert.equal(error.status, 401);
    assert.deepEqual(error.headers, { "www-authenticate": "Bearer" });
    assert.ok(!error.message.includes("sk-"));
    return true;
  });
});

Deno.test.each(INVALID)(
  "KeyRing.authenticate() permissive: %j is anonymous (%s)",
  (header, _code, note) => {
    assert.deepEqual(ring("permissive").authenticate(header, { nowMs: NOW_MS }), {
      kind: "anonymous",
      keyId: null,
      name: null,
      userId: null,
      organizationId: null,
      allowedModels: null,
      allowedBackends: null,
      note,
    });
  },
);

Deno.test("KeyRing without keys refuses every key in blocking mode", () => {
  const empty = new KeyRing([], { mode: "blocking" });
  assert.throws(
    () => empty.authenticate("Bearer x", { nowMs: 0 }),
    { code: "invalid_api_key" },
  );
});

Deno.test("KeyRing keeps no secret that could be printed", () => {
  const text = Deno.inspect(ring("blocking"), { depth: 20, showHidden: true }) +
    JSON.stringify(ring("blocking"));
  assert.ok(!text.includes("sk-full"));
});

Deno.test.each(
  [
    ["no secret", [entry({ id: "a" })], /"a" needs exactly one/],
    ["two secrets", [entry({ id: "a", key: "SECRET", keySha256: sha256("x") })], /exactly one/],
    ["an empty secret", [entry({ id: "a", key: "" })], /"a" is empty/],
    ["a short digest", [entry({ id: "a", keySha256: "abcd" })], /64 hexadecimal/],
    ["a digest with junk", [entry({ id: "a", keySha256: "z".repeat(64) })], /64 hexadecimal/],
    [
      "two equal ids",
      [entry({ id: "a", key: "SECRET" }), entry({ id: "a", key: "SECRET2" })],
      /Two API keys have the id "a"/,
    ],
    [
      "two equal secrets",
      [entry({ id: "a", key: "SECRET" }), entry({ id: "b", keySha256: sha256("SECRET") })],
      /"a" and "b" have the same secret/,
    ],
  ] as const,
)("new KeyRing() refuses %s", (_name, entries, message) => {
  assert.throws(() => new KeyRing(entries, { mode: "permissive" }), (error) => {
    assert.ok(error instanceof TypeError);
    assert.match(error.message, message);
    assert.ok(!error.message.includes("SECRET"));
    return true;
  });
});
