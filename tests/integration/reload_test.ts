/** A reload: what takes effect at once, what running sessions keep, what waits (spec §2). */

import assert from "node:assert/strict";
import { ConfigError, parseConfig } from "../../src/config/mod.ts";
import { FakeBackend } from "../support/fake_backend.ts";
import { openRaw } from "../support/raw_client.ts";
import { type RawPeer, textOf } from "../support/raw_peer.ts";
import { MODEL, RUNTIME_DIR } from "../support/test_router.ts";
import { startWatchedRouter } from "../support/watched_router.ts";

function yamlOf(url: string, more = ""): string {
  return [
    `server: { bind_address: "127.0.0.1:0", runtime_dir: "${RUNTIME_DIR}" }`,
    "realtime: { enabled: true, max_sessions: 5 }",
    "health_checks: { enabled: false }",
    `backends: [{ name: b0, url: "${url}", models: [${MODEL}], ` +
    `model_configs: [{ id: ${MODEL}, aliases: [voice], metadata: { capabilities: [audio] } }] }]`,
    more,
  ].join("\n");
}

async function withRouter(
  first: string,
  run: (router: {
    readonly port: number;
    readonly write: (yaml: string) => void;
    readonly reload: () => Promise<
      { readonly applied: readonly string[]; readonly waiting_for_restart: readonly string[] }
    >;
    readonly whenEmpty: () => Promise<void>;
  }) => Promise<void>,
): Promise<void> {
  let yaml = first;
  const load = () => parseConfig(yaml, { get: () => undefined });
  await using stack = new AsyncDisposableStack();
  const router = await startWatchedRouter(load(), {
    version: "test",
    loadConfig: () => Promise.resolve().then(() => ({ config: load(), modelMetadata: [] })),
  });
  stack.defer(() => router.close());
  await run({
    port: router.addresses[0]!.port,
    write: (text) => yaml = text,
    reload: () => router.reload(),
    whenEmpty: () => router.sessions.whenEmpty(),
  });
}

async function pass(from: RawPeer, to: RawPeer): Promise<void> {
  await from.sendText("still here");
  assert.equal(textOf(await to.readMessage()), "still here");
}

Deno.test("reload: a session survives its backend's removal, and new ones go to the new backend", async () => {
  await using old = await FakeBackend.listen();
  await using fresh = await FakeBackend.listen();
  await withRouter(yamlOf(old.url), async ({ port, write, reload }) => {
    using client = await openRaw({ port });
    using backend = await old.nextSession();
    await pass(backend, client);
    write(yamlOf(fresh.url).replace("name: b0", "name: b1"));
    const { applied, waiting_for_restart } = await reload();
    assert.ok(applied.some((field) => field.startsWith("backends")));
    assert.deepEqual(waiting_for_restart, []);
    await pass(client, backend);
    using second = await openRaw({ port });
    using secondBackend = await fresh.nextSession();
    await pass(secondBackend, second);
    await pass(backend, client);
    assert.equal(old.connectionCount, 1);
  });
});

Deno.test("reload: keys and Origin rules hold from the next request on", async () => {
  await using fake = await FakeBackend.listen();
  await withRouter(yamlOf(fake.url), async ({ port, write, reload }) => {
    using client = await openRaw({ port });
    using backend = await fake.nextSession();
    write(yamlOf(fake.url, "api_keys: { mode: blocking, api_keys: [{ key: reload-key, id: k }] }"));
    await reload();
    await assert.rejects(openRaw({ port }), /401/);
    using withKey = await openRaw({ port, headers: { authorization: "Bearer reload-key" } });
    using _withKeyBackend = await fake.nextSession();
    assert.ok(withKey);
    await pass(backend, client);
    write(yamlOf(fake.url));
    await reload();
    using again = await openRaw({ port });
    using _againBackend = await fake.nextSession();
    assert.ok(again);
  });
});

Deno.test("reload: what waits for a restart is named, and keeps its running value", async () => {
  await using fake = await FakeBackend.listen();
  await withRouter(yamlOf(fake.url), async ({ port, write, reload }) => {
    write(yamlOf(fake.url).replace("max_sessions: 5", 'max_sessions: 1, idle_timeout: "5m"'));
    const { waiting_for_restart } = await reload();
    assert.deepEqual(waiting_for_restart, ["realtime.max_sessions", "realtime.idle_timeout"]);
    const clients = await Promise.all(Array.from({ length: 5 }, () => openRaw({ port })));
    await assert.rejects(openRaw({ port }), /503/);
    // The running values are what the next reload is compared with.
    assert.deepEqual((await reload()).waiting_for_restart, waiting_for_restart);
    for (const client of clients) client[Symbol.dispose]();
  });
});

Deno.test("reload: of two at once, the later one stays in force", async () => {
  const gate = Promise.withResolvers<void>();
  const configOf = (mode: string) => ({
    config: parseConfig(
      `server: { bind_address: "127.0.0.1:0", runtime_dir: "${RUNTIME_DIR}" }\n` +
        `backends: []\napi_keys: { mode: ${mode} }`,
      { get: () => undefined },
    ),
    modelMetadata: [],
  });
  let loads = 0;
  const router = await startWatchedRouter(configOf("permissive").config, {
    version: "test",
    loadConfig: async () => {
      if (++loads === 2) return configOf("permissive");
      await gate.promise;
      return configOf("blocking");
    },
  });
  await using _router = { [Symbol.asyncDispose]: () => router.close() };
  const both = [router.reload(), router.reload()];
  gate.resolve();
  await Promise.all(both);
  const response = await fetch(`http://127.0.0.1:${router.addresses[0]!.port}/v1/models`);
  await response.body?.cancel();
  assert.equal(response.status, 200);
});

Deno.test("reload: a file that is not valid changes nothing", async () => {
  await using fake = await FakeBackend.listen();
  await withRouter(yamlOf(fake.url), async ({ port, write, reload }) => {
    write(yamlOf(fake.url, "api_keys: { mode: blocking }\nunknown: 1"));
    await assert.rejects(reload(), ConfigError);
    using client = await openRaw({ port });
    using backend = await fake.nextSession();
    await pass(client, backend);
  });
});
