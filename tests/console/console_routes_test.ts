import assert from "node:assert/strict";
import { consoleAssets, consoleRoutes } from "../../src/console/mod.ts";
import { createApp } from "../../src/http/mod.ts";
import { EdgeConnection } from "../../src/wire/mod.ts";
import { memoryPair } from "../support/memory_stream.ts";

const CONNECTION = new EdgeConnection(memoryPair()[0], {
  peer: { hostname: "192.0.2.1", port: 4711 },
  connectNear: () => Promise.reject(new Error("no server")),
  renderRefusal: () => new Uint8Array(0),
  maxMessageBytes: 1,
  now: () => 0,
  headTimeoutMs: 1,
  keepAliveMs: 1,
  stallTimeoutMs: 1,
});
const app = createApp({
  routes: consoleRoutes(consoleAssets),
  checkHost: () => null,
  observer: { answered: () => {}, failed: (error) => assert.fail(String(error)) },
  now: () => 0,
});

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return await app(new Request(`http://router.test${path}`, init), CONNECTION);
}

Deno.test("consoleRoutes() serves every file of the page with its type", async () => {
  const served = await Promise.all(consoleAssets.map(async ({ path, text }) => {
    const response = await ask(path);
    assert.equal(response.status, 200);
    assert.equal(await response.text(), text);
    return [path, response.headers.get("content-type")];
  }));
  assert.deepEqual(served, [
    ["/console", "text/html; charset=utf-8"],
    ["/console/console.js", "text/javascript; charset=utf-8"],
    ["/console/console.css", "text/css; charset=utf-8"],
    ["/console/microphone.js", "text/javascript; charset=utf-8"],
    ["/console/icon.svg", "image/svg+xml"],
  ]);
});

Deno.test("consoleRoutes() lets no file do more than the page needs, and nobody embed it", async () => {
  for (const { path } of consoleAssets) {
    const { headers, body } = await ask(path);
    await body?.cancel();
    const policy = headers.get("content-security-policy") ?? "";
    assert.deepEqual(policy.split("; "), [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
    assert.equal(headers.get("cache-control"), "no-cache");
    assert.equal(headers.get("access-control-allow-origin"), null);
  }
});

Deno.test("consoleRoutes() answers 304 to who has the file, however its tag is written", async () => {
  const first = await ask("/console");
  await first.body?.cancel();
  const etag = first.headers.get("etag") ?? "";
  assert.match(etag, /^"[\w-]{22}"$/);
  for (const tags of [etag, `W/${etag}`, `"other", W/${etag}`, "*"]) {
    const response = await ask("/console", { headers: { "if-none-match": tags } });
    assert.deepEqual([response.status, await response.text()], [304, ""], tags);
    assert.equal(response.headers.get("etag"), etag);
    assert.ok(response.headers.has("content-security-policy"));
  }
  for (const tags of ["", '"other"', etag.slice(1, -1)]) {
    const response = await ask("/console", { headers: { "if-none-match": tags } });
    await response.body?.cancel();
    assert.equal(response.status, 200, tags);
  }
});

Deno.test("consoleRoutes() gives each file a tag of its own", async () => {
  const tags = await Promise.all(consoleAssets.map(async ({ path }) => {
    const { headers, body } = await ask(path);
    await body?.cancel();
    return headers.get("etag");
  }));
  assert.equal(new Set(tags).size, consoleAssets.length);
});

Deno.test.each(["POST", "PUT", "DELETE", "OPTIONS"])(
  "consoleRoutes() answers %s with 405",
  async (method) => {
    const response = await ask("/console", { method });
    assert.equal((await response.json()).error.code, "method_not_allowed");
    assert.deepEqual([response.status, response.headers.get("allow")], [405, "GET, HEAD"]);
  },
);

Deno.test("consoleRoutes() knows no other path below /console", async () => {
  for (const path of ["/console/", "/console/main.tsx", "/console/console.js/", "/consoles"]) {
    const response = await ask(path);
    assert.equal((await response.json()).error.code, "not_found", path);
  }
});

Deno.test("the page names no other origin than its own", () => {
  const [page] = consoleAssets;
  assert.deepEqual(page?.text.match(/(?:src|href)="(?!\/console\/)[^"]*"/g), null);
  for (const { path, text } of consoleAssets) {
    const addresses = text.match(/https?:\/\/[^\s"'`)]+/g) ?? [];
    // Names of XML namespaces, which are never asked for.
    const others = addresses.filter((address) => !address.startsWith("http://www.w3.org/"));
    assert.deepEqual(others, [], path);
  }
});
