/**
 * `HTTP_PROXY` and `NO_PROXY` (docs/operations.md): HTTP requests follow them, sessions do not.
 *
 * Permissions: net, read and write below the folder for temporary files, run for Deno itself, env for the
 * variables of Deno's cache.
 *
 * @module
 */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { LiveBackend } from "../support/live_backend.ts";
import { openRaw } from "../support/raw_client.ts";
import { textOf } from "../support/raw_peer.ts";
import { serverSection, startRouterProcess } from "../support/router_process.ts";
import { makeTempDir } from "../support/temp_dir.ts";
import { MODEL } from "../support/test_router.ts";

/** A router with a backend and the variables `env`. What is asked of the backend directly is in its `probes`. */
async function withRouter(
  env: (proxy: FakeBackend) => Readonly<Record<string, string>>,
  run: (
    parts: { readonly port: number; readonly backend: LiveBackend; readonly proxy: FakeBackend },
  ) => Promise<void>,
): Promise<void> {
  await using dir = await makeTempDir();
  await using backend = await LiveBackend.start("direct");
  await using proxy = await FakeBackend.listen();
  const url = backend.url.replace("ws:", "http:");
  const yaml = `${serverSection(dir)}
realtime: { enabled: true }
backends: [{ name: b, url: "${url}", models: [${MODEL}], model_configs: [{ id: ${MODEL}, metadata: { capabilities: [audio] } }] }]
health_checks: { enabled: false }
`;
  await using router = await startRouterProcess(dir, { yaml, env: env(proxy) });
  await run({ port: router.port, backend, proxy });
}

async function openSession(port: number): Promise<string | null> {
  using client = await openRaw({ port });
  const text = textOf(await client.readMessage());
  await client.sendClose(1000);
  await client.readClose();
  return text;
}

function post(port: number): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: MODEL }),
  });
}

Deno.test("HTTP_PROXY: HTTP requests go through it, sessions do not", async () => {
  await withRouter(
    (proxy) => ({ HTTP_PROXY: proxy.url.replace("ws:", "http:") }),
    async (parts) => {
      const { port, backend, proxy } = parts;
      assert.equal(await openSession(port), "direct");
      const answer = post(port);
      const connection = await proxy.nextConnection();
      const head = await connection.readRequest();
      assert.match(head, /^POST http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions HTTP\/1\.1\r\n/);
      await connection.peer.write(
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
      );
      assert.equal(await (await answer).text(), "{}");
      connection.peer[Symbol.dispose]();
      assert.deepEqual(backend.probes, []);
    },
  );
});

Deno.test("NO_PROXY: requests to a backend that it names are made directly", async () => {
  const env = (proxy: FakeBackend) => ({
    HTTP_PROXY: proxy.url.replace("ws:", "http:"),
    NO_PROXY: "voice.example.com,127.0.0.1",
  });
  await withRouter(env, async ({ port, backend, proxy }) => {
    const answer = await post(port);
    await answer.text();
    assert.equal(answer.status, 200);
    assert.equal(backend.probes.length, 1);
    assert.equal(await openSession(port), "direct");
    assert.equal(proxy.connectionCount, 0);
  });
});
