import assert from "node:assert/strict";
import { checkOrigin, compileOrigins, type OriginPolicy } from "../../src/origin/mod.ts";

const CONSOLE = "https://console.example.com";

function policy(patterns: readonly string[], corsEnabled = true): OriginPolicy {
  return { corsEnabled, matcher: compileOrigins(patterns).matcher };
}

interface Case {
  readonly name: string;
  readonly origins: readonly string[];
  readonly host?: string | null;
  readonly patterns?: readonly string[];
  readonly cors?: boolean;
}

const listed = [CONSOLE, "http://localhost:*", "tauri://localhost"];

const ALLOWED: Case[] = [
  { name: "no Origin", origins: [] },
  { name: "no Origin, no Host", origins: [], host: null },
  { name: "exact", origins: [CONSOLE] },
  { name: "upper-case host", origins: ["https://CONSOLE.example.com"] },
  { name: "default port written out", origins: [`${CONSOLE}:443`] },
  { name: "any port of localhost", origins: ["http://localhost:5173"] },
  { name: "any port, none given", origins: ["http://localhost"] },
  { name: "custom scheme", origins: ["tauri://localhost"] },
  { name: "under *", origins: ["https://anything.test:8443"], patterns: ["*"] },
  { name: "same authority over http", origins: ["http://router.test:8080"] },
  { name: "same authority over https", origins: ["https://router.test:8080"] },
  { name: "same authority, other case", origins: ["http://Router.TEST:8080"] },
  { name: "same authority without CORS", origins: ["http://router.test:8080"], cors: false },
  { name: "same authority, https default", origins: ["https://r.test"], host: "r.test" },
  { name: "same authority, Host with :443", origins: ["https://r.test"], host: "r.test:443" },
  { name: "same authority, Host with :80", origins: ["https://r.test"], host: "r.test:80" },
  { name: "same authority, IPv6", origins: ["http://[::1]:8080"], host: "[::1]:8080" },
];

const REFUSED: Case[] = [
  { name: "suffix attack", origins: [`${CONSOLE}.evil.test`] },
  { name: "prefix attack", origins: ["https://evilconsole.example.com"] },
  { name: "subdomain", origins: ["https://a.console.example.com"] },
  { name: "parent domain", origins: ["https://example.com"] },
  { name: "other scheme", origins: ["http://console.example.com"] },
  { name: "other port", origins: [`${CONSOLE}:444`] },
  { name: "null", origins: ["null"] },
  { name: "null under *", origins: ["null"], patterns: ["*"] },
  { name: "null listed by mistake", origins: ["null"], patterns: ["null"] },
  { name: "empty", origins: [""] },
  { name: "empty under *", origins: [""], patterns: ["*"] },
  { name: "two lines", origins: [CONSOLE, CONSOLE] },
  { name: "two lines, one foreign", origins: [CONSOLE, "https://evil.test"] },
  { name: "two lines under *", origins: [CONSOLE, CONSOLE], patterns: ["*"] },
  { name: "two lines joined", origins: [`${CONSOLE}, ${CONSOLE}`] },
  { name: "two lines joined under *", origins: [`${CONSOLE}, ${CONSOLE}`], patterns: ["*"] },
  { name: "two lines of the same authority", origins: Array(2).fill("http://router.test:8080") },
  { name: "trailing slash", origins: [`${CONSOLE}/`] },
  { name: "path", origins: [`${CONSOLE}/x`] },
  { name: "query", origins: [`${CONSOLE}?x`] },
  { name: "userinfo", origins: [`${CONSOLE}@evil.test`] },
  { name: "userinfo in front", origins: ["https://x@console.example.com"] },
  { name: "userinfo under *", origins: [`${CONSOLE}@evil.test`], patterns: ["*"] },
  { name: "localhost suffix", origins: ["http://localhost.attacker.tld"] },
  { name: "localhost suffix with port", origins: ["http://localhost.attacker.tld:5173"] },
  { name: "localhost userinfo", origins: ["http://localhost:5173@evil.test"] },
  { name: "loopback address for localhost", origins: ["http://127.0.0.1:5173"] },
  { name: "white space", origins: [` ${CONSOLE}`] },
  { name: "junk", origins: ["junk"] },
  { name: "junk under *", origins: ["junk"], patterns: ["*"] },
  { name: "foreign page, no CORS", origins: ["https://evil.test"], cors: false },
  { name: "listed, but CORS is off", origins: [CONSOLE], cors: false },
  { name: "* , but CORS is off", origins: [CONSOLE], cors: false, patterns: ["*"] },
  { name: "authority with other port", origins: ["http://router.test:8081"] },
  { name: "authority without port", origins: ["http://router.test"] },
  { name: "authority as prefix", origins: ["http://router.test:80801"] },
  { name: "authority as subdomain", origins: ["http://router.test.evil.test:8080"] },
  { name: "no Host", origins: ["http://router.test:8080"], host: null },
  { name: "malformed Host", origins: ["http://router.test"], host: "router.test/" },
  { name: "two Hosts joined", origins: ["http://a.test"], host: "a.test, a.test" },
  { name: "null against Host null", origins: ["null"], host: "null" },
  { name: "empty against empty Host", origins: [""], host: "" },
];

function check(item: Case) {
  return checkOrigin(
    { originValues: item.origins, host: item.host === undefined ? "router.test:8080" : item.host },
    policy(item.patterns ?? listed, item.cors ?? true),
  );
}

Deno.test.each(ALLOWED)("checkOrigin() allows: $name", (item) => {
  assert.equal(check(item), null);
});

Deno.test.each(REFUSED)("checkOrigin() refuses: $name", (item) => {
  const error = check(item);
  assert.equal(error?.code, "origin_not_allowed");
  assert.equal(error.status, 403);
});

Deno.test("checkOrigin() lets a rebound name through, which allowed_hosts is there to stop", () => {
  const request = { originValues: ["http://evil.test"], host: "evil.test" };
  assert.equal(checkOrigin(request, policy([], false)), null);
});

Deno.test("checkOrigin() does not repeat what the page sent", () => {
  const error = checkOrigin({ originValues: ["https://secret.test"], host: "a" }, policy([]));
  assert.ok(error !== null && !error.message.includes("secret"));
});
