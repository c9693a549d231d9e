import assert from "node:assert/strict";
import { type AdminAuth, checkAdminAccess } from "../../src/admin/mod.ts";

const NONE: AdminAuth = { method: "none", token: "", username: "", password: "", api_key: "" };
const BEARER: AdminAuth = { ...NONE, method: "bearer_token", token: "the-token" };
const BASIC: AdminAuth = { ...NONE, method: "basic", username: "ops", password: "비밀 pass:word" };
const API_KEY: AdminAuth = { ...NONE, method: "api_key", api_key: "the,key" };

const HERE = { host: "localhost:8080" };
const LISTED = [NONE, BEARER, BASIC, API_KEY] as const;

/** The code of the refusal, null for none. */
function check(
  auth: AdminAuth,
  { peer = "127.0.0.1", headers = HERE }: {
    readonly peer?: string;
    readonly headers?: HeadersInit;
  } = {},
): string | null {
  return checkAdminAccess({ peer, headers: new Headers(headers) }, auth)?.code ?? null;
}

function basic(text: string): string {
  return `Basic ${new TextEncoder().encode(text).toBase64()}`;
}

/** Headers that open `auth`, with more. */
function opening(auth: AdminAuth, more: Readonly<Record<string, string>> = {}) {
  const own: Readonly<Record<AdminAuth["method"], Record<string, string>>> = {
    none: {},
    bearer_token: { authorization: "Bearer the-token" },
    basic: { authorization: basic("ops:비밀 pass:word") },
    api_key: { "x-api-key": "the,key" },
  };
  return { ...HERE, ...own[auth.method], ...more };
}

Deno.test.each(
  [
    ["127.0.0.1", "localhost:8080", null],
    ["127.8.8.8", "127.0.0.1:8080", null],
    ["::1", "[::1]:8080", null],
    ["::ffff:127.0.0.1", "localhost", null],
    ["127.0.0.1", "localhost:9999", null],
    ["192.0.2.7", "localhost:8080", "admin_not_allowed"],
    ["::ffff:192.0.2.7", "localhost:8080", "admin_not_allowed"],
    ["fd00::2", "[::1]:8080", "admin_not_allowed"],
    ["127.0.0.1", "rebound.example:8080", "admin_not_allowed"],
    ["127.0.0.1", "192.0.2.7:8080", "admin_not_allowed"],
    ["127.0.0.1", "router.internal", "admin_not_allowed"],
  ] as const,
)("checkAdminAccess() without credentials: peer %s asking for %s gives %j", (peer, host, code) => {
  assert.equal(check(NONE, { peer, headers: { host } }), code);
});

Deno.test("checkAdminAccess() without credentials refuses a request without Host", () => {
  assert.equal(check(NONE, { headers: {} }), "admin_not_allowed");
});

Deno.test.each(
  [
    ["x-forwarded-for", "127.0.0.1"],
    ["x-forwarded-for", "192.0.2.1, 127.0.0.1"],
    ["x-forwarded-for", ""],
    ["x-forwarded-for", "junk"],
    ["forwarded", "for=127.0.0.1"],
    ["x-real-ip", "127.0.0.1"],
    ["via", "1.1 proxy"],
  ] as const,
)("checkAdminAccess() without credentials refuses what a proxy sends on: %s: %j", (name, value) => {
  assert.equal(check(NONE, { headers: { ...HERE, [name]: value } }), "admin_not_allowed");
});

Deno.test.each(LISTED.slice(1).map((auth) => ({ method: auth.method, auth })))(
  "checkAdminAccess() with $method allows any peer, Host and proxy with the credential",
  ({ auth }) => {
    const more = { host: "router.example", "x-forwarded-for": "192.0.2.1" };
    assert.equal(check(auth, { peer: "192.0.2.7", headers: opening(auth, more) }), null);
  },
);

Deno.test.each(LISTED.slice(1).map((auth) => ({ method: auth.method, auth })))(
  "checkAdminAccess() with $method refuses this machine without the credential",
  ({ auth }) => assert.equal(check(auth), "missing_api_key"),
);

Deno.test.each(
  LISTED.flatMap((auth) =>
    [
      ["https://evil.example", "origin_not_allowed"],
      ["http://localhost:3000", "origin_not_allowed"],
      ["http://127.0.0.1:8080", "origin_not_allowed"],
      ["null", "origin_not_allowed"],
      ["", "origin_not_allowed"],
      ["http://localhost:8080/", "origin_not_allowed"],
      ["http://localhost:8080, http://localhost:8080", "origin_not_allowed"],
      ["http://localhost:8080", null],
      ["https://localhost:8080", null],
    ].map(([origin, code]) => ({ method: auth.method, auth, origin: origin ?? "", code }))
  ),
)("checkAdminAccess() with $method: Origin $origin gives $code", ({ auth, origin, code }) => {
  assert.equal(check(auth, { headers: opening(auth, { origin }) }), code);
});

Deno.test.each(
  [
    [{ "sec-fetch-site": "same-origin" }, null],
    [{ "sec-fetch-site": "none" }, null],
    [{ "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" }, null],
    [{ "sec-fetch-site": "cross-site", "sec-fetch-dest": "empty" }, "origin_not_allowed"],
    [{ "sec-fetch-site": "same-site", "sec-fetch-dest": "image" }, "origin_not_allowed"],
    [{ "sec-fetch-site": "cross-site" }, "origin_not_allowed"],
  ] as const,
)("checkAdminAccess() of what a browser asks without an Origin: %j gives %j", (more, code) => {
  for (const auth of LISTED) assert.equal(check(auth, { headers: opening(auth, more) }), code);
});

Deno.test("checkAdminAccess() refuses a foreign page before it looks at the caller", () => {
  const headers = { host: "router.example", origin: "https://evil.example" };
  for (const auth of LISTED) {
    assert.equal(check(auth, { peer: "192.0.2.7", headers }), "origin_not_allowed");
  }
});

Deno.test.each(
  [
    ["Bearer the-token", null],
    ["bearer   the-token", null],
    ["Bearer the-tokem", "invalid_api_key"],
    ["Bearer the-toke", "invalid_api_key"],
    ["Bearer the-token2", "invalid_api_key"],
    ["Bearer THE-TOKEN", "invalid_api_key"],
    ["Bearer the-token, Bearer other", "invalid_api_key"],
    ["Bearer", "missing_api_key"],
    ["the-token", "missing_api_key"],
    [basic("ops:the-token"), "missing_api_key"],
  ] as const,
)("checkAdminAccess() with bearer_token: Authorization %j gives %j", (authorization, code) => {
  assert.equal(check(BEARER, { headers: { ...HERE, authorization } }), code);
});

Deno.test.each(
  [
    [basic("ops:비밀 pass:word"), null],
    [basic("ops:비밀 pass:word").replace("Basic", "BASIC "), null],
    [basic("ops:비밀 pass:wore"), "invalid_api_key"],
    [basic("ops:비밀 pass"), "invalid_api_key"],
    [basic("opt:비밀 pass:word"), "invalid_api_key"],
    [basic("ops"), "invalid_api_key"],
    [basic(":비밀 pass:word"), "invalid_api_key"],
    [basic(""), "invalid_api_key"],
    ["Basic", "invalid_api_key"],
    ["Basic !!!!", "invalid_api_key"],
    ["Basic b3BzOg=", "invalid_api_key"],
    ["Basic b3Bz b3Bz", "invalid_api_key"],
    ["Basic\tb3Bz", "missing_api_key"],
    ["Basics b3Bz", "missing_api_key"],
    ["Bearer the-token", "missing_api_key"],
  ] as const,
)("checkAdminAccess() with basic: Authorization %j gives %j", (authorization, code) => {
  assert.equal(check(BASIC, { headers: { ...HERE, authorization } }), code);
});

Deno.test.each(
  [
    ["the,key", null],
    ["the,kez", "invalid_api_key"],
    ["the,key, the,key", "invalid_api_key"],
    ["THE,KEY", "invalid_api_key"],
    ["", "missing_api_key"],
  ] as const,
)("checkAdminAccess() with api_key: X-API-Key %j gives %j", (key, code) => {
  assert.equal(check(API_KEY, { headers: { ...HERE, "x-api-key": key } }), code);
});

Deno.test.each(
  [
    [BEARER, 'Bearer realm="admin"'],
    [BASIC, 'Basic realm="admin", charset="UTF-8"'],
    [API_KEY, 'ApiKey realm="admin"'],
  ] as const,
)("checkAdminAccess() names the scheme in WWW-Authenticate: $0.method", (auth, challenge) => {
  const refusal = checkAdminAccess({ peer: "127.0.0.1", headers: new Headers(HERE) }, auth);
  assert.deepEqual(refusal?.headers, { "www-authenticate": challenge });
  assert.equal(refusal?.status, 401);
});

Deno.test("checkAdminAccess() lets nobody in with a credential that is empty in the configuration", () => {
  const headers = [
    { authorization: "Bearer " },
    { authorization: basic("") },
    { authorization: basic(":") },
    { "x-api-key": "" },
  ];
  for (const auth of LISTED.slice(1)) {
    for (const given of headers) {
      const empty = { ...NONE, method: auth.method };
      assert.notEqual(check(empty, { headers: { ...HERE, ...given } }), null);
    }
  }
});

Deno.test("checkAdminAccess() takes the credential of the method that is set, and no other", () => {
  const all = { ...BASIC, token: "the-token", api_key: "the,key" };
  for (const auth of LISTED.slice(1)) {
    for (const other of LISTED.slice(1)) {
      const code = check({ ...all, method: auth.method }, { headers: opening(other) });
      assert.equal(code === null, auth === other, `${auth.method} with ${other.method}`);
    }
  }
});
