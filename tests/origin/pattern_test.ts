import assert from "node:assert/strict";
import { compileOrigins, parseOrigin, parseOriginPattern } from "../../src/origin/mod.ts";

Deno.test.each(
  [
    ["*", { kind: "any" }],
    ["https://console.example.com", {
      kind: "exact",
      scheme: "https",
      authority: "console.example.com",
    }],
    ["https://Console.Example.com:443", {
      kind: "exact",
      scheme: "https",
      authority: "console.example.com",
    }],
    ["tauri://localhost", { kind: "exact", scheme: "tauri", authority: "localhost" }],
    ["http://localhost:*", { kind: "any-port", scheme: "http", host: "localhost" }],
    ["localhost:*", { kind: "any-port", scheme: null, host: "localhost" }],
    ["[::1]:*", { kind: "any-port", scheme: null, host: "[::1]" }],
    ["http://[::1]:*", { kind: "any-port", scheme: "http", host: "[::1]" }],
  ] as const,
)("parseOriginPattern() compiles %s", (text, pattern) => {
  assert.deepEqual(parseOriginPattern(text), { ok: true, pattern });
});

Deno.test.each(
  [
    ["", /scheme is missing/],
    ["null", /never allowed/],
    ["localhost", /scheme is missing/],
    ["https://a.test/", /trailing slash/],
    ["https://a.test/*", /wildcard/],
    ["https://*.a.test", /wildcard/],
    ["https://*", /wildcard/],
    ["*://a.test", /wildcard/],
    ["*:*", /expected an origin/],
    [":*", /expected an origin/],
    ["https://:*", /expected an origin/],
    ["https://a.test:443:*", /expected an origin/],
    ["https://a.test:8080:*", /expected an origin/],
    ["a.test:443:*", /expected an origin/],
    ["https://u@a.test:*", /expected an origin/],
    ["https://a.test:80*", /wildcard/],
    ["https://a.test https://b.test", /expected an origin/],
  ] as const,
)("parseOriginPattern() refuses %j", (text, problem) => {
  const result = parseOriginPattern(text);
  assert.ok(!result.ok);
  assert.match(result.problem, problem);
});

Deno.test.each(
  [
    [["https://a.test"], "https://a.test", "named"],
    [["https://a.test"], "https://A.test:443", "named"],
    [["https://a.test"], "https://a.test:444", "none"],
    [["https://a.test"], "http://a.test", "none"],
    [["https://a.test"], "https://a.test.evil.test", "none"],
    [["https://a.test"], "https://evila.test", "none"],
    [["http://localhost:*"], "http://localhost", "named"],
    [["http://localhost:*"], "http://localhost:80", "named"],
    [["http://localhost:*"], "http://localhost:5173", "named"],
    [["http://localhost:*"], "https://localhost:5173", "none"],
    [["http://localhost:*"], "http://localhost.attacker.tld", "none"],
    [["http://localhost:*"], "http://localhost.attacker.tld:5173", "none"],
    [["http://localhost:*"], "http://xlocalhost:5173", "none"],
    [["localhost:*"], "https://localhost:5173", "named"],
    [["localhost:*"], "tauri://localhost", "named"],
    [["localhost:*"], "http://127.0.0.1:5173", "none"],
    [["[::1]:*"], "http://[0::1]:9", "named"],
    [["tauri://localhost"], "tauri://localhost", "named"],
    [["tauri://localhost"], "http://localhost", "none"],
    [["tauri://localhost"], "tauri://localhost:1420", "none"],
    [["*"], "https://anything.test:1", "any"],
    [["*"], "tauri://localhost", "any"],
    [["*", "https://a.test"], "https://a.test", "named"],
    [[], "https://a.test", "none"],
  ] as const,
)("OriginMatcher of %j matches %s as %s", (patterns, value, expected) => {
  const { matcher, problems } = compileOrigins(patterns);
  const origin = parseOrigin(value);
  assert.ok(origin !== null);
  assert.deepEqual(problems, []);
  assert.equal(matcher.match(origin), expected);
});

Deno.test("compileOrigins() reports the positions of faulty patterns and keeps the others", () => {
  const { matcher, problems } = compileOrigins(["https://a.test/", "https://b.test", "nonsense"]);
  assert.deepEqual(problems.map(({ index }) => index), [0, 2]);
  const origin = parseOrigin("https://b.test");
  assert.ok(origin !== null);
  assert.equal(matcher.match(origin), "named");
});
