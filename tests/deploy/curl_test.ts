/** The `curl` commands of the documents, at a router: each answers as its page shows. */

import assert from "node:assert/strict";
import { startDemoBackend } from "../../demo/mod.ts";
import { parseConfig } from "../../src/config/mod.ts";
import { NativeClient } from "../support/native_client.ts";
import { RUNTIME_DIR } from "../support/test_router.ts";
import { startWatchedRouter } from "../support/watched_router.ts";
import { commandsOf, curlRequest } from "./console_blocks.ts";

const VOICE = "nvidia-nemotronlabs-voicechat-11b";
const SAMPLE_ID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

/** A router whose backends are those of the pages. */
async function startRouter() {
  await using stack = new AsyncDisposableStack();
  const voice = stack.use(await startDemoBackend({ models: [VOICE], speed: 50 }));
  const chat = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { messages } = await request.json();
      return Response.json({ object: "chat.completion", heard: messages });
    },
  );
  stack.defer(() => chat.shutdown());
  const config = (maxSessions: number) =>
    parseConfig(
      [
        `server: { bind_address: "127.0.0.1:0", runtime_dir: "${RUNTIME_DIR}", drain_timeout: "0" }`,
        `realtime: { enabled: true, max_sessions: ${maxSessions} }`,
        "health_checks: { enabled: false }",
        "backends:",
        `  - { name: voicechat, url: "http://127.0.0.1:${voice.port}", type: vllm, models: [${VOICE}] }`,
        `  - { name: chat, url: "http://127.0.0.1:${chat.addr.port}", models: [my-model] }`,
      ].join("\n"),
      { get: () => undefined },
    );
  const router = await startWatchedRouter(config(256), {
    version: "test",
    loadConfig: () => Promise.resolve({ config: config(8), modelMetadata: [] }),
  });
  stack.defer(() => router.close());
  const port = router.addresses[0]?.port ?? 0;
  const held = stack.move();
  return { router, port, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** The names in a JSON value. Where one side has nothing to show, everything is the same. */
function assertSameNames(real: unknown, shown: unknown, path = ""): void {
  if (typeof real !== "object" || real === null) return;
  if (typeof shown !== "object" || shown === null) return;
  if (Array.isArray(real) || Array.isArray(shown)) {
    assert.ok(Array.isArray(real) && Array.isArray(shown), path);
    if (real.length > 0 && shown.length > 0) assertSameNames(real[0], shown[0], `${path}[0]`);
    return;
  }
  // Names of models, backends, keys, outcomes and refusals are those that there were.
  const free = /\.(?:by_\w+|handshake_rejections_total)$/.test(path);
  if (!free) assert.deepEqual(Object.keys(real), Object.keys(shown), path);
  const pairs = free
    ? [[Object.values(real)[0], Object.values(shown)[0]]]
    : Object.keys(real).map((key) => [Object(real)[key], Object(shown)[key]]);
  for (const [index, [one, other]] of pairs.entries()) {
    assertSameNames(one, other, `${path}.${free ? "*" : Object.keys(real)[index]}`);
  }
}

Deno.test("docs/admin-api.md: every command answers as the page shows", async () => {
  await using running = await startRouter();
  const url = `ws://127.0.0.1:${running.port}/v1/realtime?model=${VOICE}`;
  await using client = await NativeClient.open(url);
  await client.textTurn();
  const [session] = running.router.sessions;
  const commands = await commandsOf("docs/admin-api.md");
  const told: string[] = [];
  for (const { command, output, json } of commands) {
    const typed = command.replace(SAMPLE_ID, session?.facts.id ?? "");
    const request = curlRequest(typed, `http://localhost:${running.port}`);
    const { pathname } = new URL(request.url);
    const answer = await fetch(request);
    told.push(`${request.method} ${pathname.replace(SAMPLE_ID, "{id}")} ${answer.status}`);
    if (answer.headers.get("content-type")?.startsWith("text/event-stream")) {
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      assert.equal((await reader?.read())?.value?.trimEnd(), output[0]);
      await reader?.cancel();
    } else {
      assertSameNames(await answer.json(), json);
    }
  }
  assert.deepEqual(told, [
    "GET /admin/stats 200",
    "GET /admin/backends 200",
    "POST /admin/backends/voicechat/circuit/reset 200",
    "GET /admin/sessions 200",
    "DELETE /admin/sessions/{id} 202",
    "GET /admin/events 200",
    "POST /admin/reload 200",
  ]);
  assert.deepEqual(await client.ended, {
    code: 1001,
    reason: "closed by operator",
    wasClean: true,
  });
});

Deno.test("docs/http-api.md: every command is answered by the backend", async () => {
  await using running = await startRouter();
  const commands = await commandsOf("docs/http-api.md");
  assert.equal(commands.length, 1);
  for (const { command } of commands) {
    const answer = await fetch(curlRequest(command, `http://localhost:${running.port}`));
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), {
      object: "chat.completion",
      heard: [{ role: "user", content: "Hello" }],
    });
  }
});
