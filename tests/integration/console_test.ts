/** The console's files through the whole router. */

import assert from "node:assert/strict";
import { consoleAssets } from "../../src/console/mod.ts";
import { startTestRouter, type TestRouter } from "../support/test_router.ts";

const ENABLED = "console: { enabled: true }";

async function ask(origin: string, path: string, init: RequestInit = {}) {
  const response = await fetch(`${origin}${path}`, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function adminOrigin({ router }: TestRouter): string {
  return `http://127.0.0.1:${router.adminAddresses[0]?.port}`;
}

Deno.test("console: off, its paths are unknown like any other", async () => {
  await using router = await startTestRouter();
  for (const { path } of consoleAssets) {
    const { status, text, headers } = await ask(router.origin, path);
    assert.deepEqual([status, JSON.parse(text).error.code], [404, "not_found"], path);
    assert.equal(headers.get("content-security-policy"), null);
  }
});

Deno.test("console: on, every file comes whole, and not again to who has it", async () => {
  await using router = await startTestRouter({ yaml: ENABLED });
  for (const { path, text, contentType } of consoleAssets) {
    const answer = await ask(router.origin, path);
    assert.deepEqual([answer.status, answer.text === text], [200, true], path);
    assert.equal(answer.headers.get("content-type"), contentType);
    const again = await ask(router.origin, path, {
      headers: { "if-none-match": answer.headers.get("etag") ?? "" },
    });
    assert.deepEqual([again.status, again.text], [304, ""], path);
  }
});

Deno.test("console: HEAD has the headers of GET and no body", async () => {
  await using router = await startTestRouter({ yaml: ENABLED });
  const { status, headers, text } = await ask(router.origin, "/console", { method: "HEAD" });
  assert.deepEqual([status, text], [200, ""]);
  assert.match(headers.get("content-security-policy") ?? "", /^default-src 'none'; /);
});

Deno.test("console: server.allowed_hosts applies", async () => {
  await using router = await startTestRouter({
    yaml: `${ENABLED}\nserver: { bind_address: "127.0.0.1:0", allowed_hosts: [voice.example], ` +
      'runtime_dir: "/tmp/realtime-router-tests" }',
  });
  const { status, text } = await ask(router.origin, "/console");
  assert.deepEqual([status, JSON.parse(text).error.code], [403, "host_not_allowed"]);
});

Deno.test("console: with admin.bind_address it is on that listener only", async () => {
  await using router = await startTestRouter({
    yaml: `${ENABLED}\nadmin: { bind_address: "127.0.0.1:0" }`,
  });
  assert.equal((await ask(router.origin, "/console")).status, 404);
  assert.equal((await ask(adminOrigin(router), "/console")).status, 200);
  // What the page learns from that is that one cannot talk there.
  assert.equal((await ask(adminOrigin(router), "/v1/models")).status, 404);
});

Deno.test("console: the page's address is a label of the metrics, paths below it are not", async () => {
  await using router = await startTestRouter({ yaml: ENABLED });
  await ask(router.origin, "/console");
  await ask(router.origin, "/console/x");
  const count = (endpoint: string, status: string) =>
    router.metric("http_requests_total", { endpoint, status });
  assert.equal(await count("/console", "200"), 1);
  assert.equal(await count("other", "404"), 1);
});
