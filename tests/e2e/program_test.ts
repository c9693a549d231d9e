/**
 * The running program: how it starts and refuses to, what it leaves behind, and how it stops (spec §14).
 *
 * Permissions: net, read and write below the folder for temporary files, run for Deno itself, env for the
 * two variables of npm `ws` and those of Deno's cache.
 *
 * @module
 */

import assert from "node:assert/strict";
import { startDemoBackend } from "../../demo/mod.ts";
import { makeAuthority } from "../support/certificates.ts";
import { freePort } from "../support/free_port.ts";
import { makeLink } from "../support/links.ts";
import { NativeClient } from "../support/native_client.ts";
import { runProgram } from "../support/program.ts";
import {
  routerPermissions,
  type RouterProcess,
  serverSection,
  startRouterProcess,
} from "../support/router_process.ts";
import { makeTempDir, type TempDir } from "../support/temp_dir.ts";
import { MODEL } from "../support/test_router.ts";

const RANDOM_FOLDER = /^[0-9a-f]{16}$/;
const TWO_MINUTES_MS = 120_000;

Deno.test("main: serves the documented configuration of a VoiceChat container as it stands", async () => {
  const model = "nvidia-nemotronlabs-voicechat-11b";
  await using dir = await makeTempDir();
  await using backend = await startDemoBackend({ models: [model], speed: 50 });
  const documented = `
backends:
  - name: voicechat
    url: "http://10.0.0.5:8000"
    type: vllm
    models:
      - nvidia-nemotronlabs-voicechat-11b

realtime:
  enabled: true
  idle_timeout: "120s"
`;
  const yaml = documented.replace("10.0.0.5:8000", `127.0.0.1:${backend.port}`) +
    serverSection(dir);
  await using router = await startRouterProcess(dir, { yaml });
  await using client = await NativeClient.open(
    `ws://127.0.0.1:${router.port}/v1/realtime?model=${model}`,
  );
  await client.textTurn();
  const realtime = backend.upgrades.filter(({ status }) => status === 101);
  assert.deepEqual(realtime.map(({ url }) => url), [`/v1/realtime?model=${model}`]);
});

Deno.test("main: a port in use is exit 1, one line that names it, and leaves nothing behind", async () => {
  await using dir = await makeTempDir();
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr;
  const { code, stderr } = await run(dir, `${serverSection(dir, { port })}`);
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`^realtime-router: [^\\n]*127\\.0\\.0\\.1:${port}[^\\n]*\\n$`));
  assert.deepEqual(folders(dir), []);
});

Deno.test("main: a runtime_dir that is a link is exit 1 and one line that says so", async () => {
  await using dir = await makeTempDir();
  await Deno.mkdir(dir.at("elsewhere"));
  await makeLink({ target: dir.at("elsewhere"), path: dir.at("run") });
  const { code, stderr } = await run(dir, serverSection(dir));
  assert.equal(code, 1);
  assert.equal(stderr, `realtime-router: runtime directory ${dir.at("run")} is a link\n`);
  assert.deepEqual([...Deno.readDirSync(dir.at("elsewhere"))], []);
});

Deno.test("main: a certificate or key file that cannot be read is exit 1 and one line that names it", async (t) => {
  const { cert, key } = await (await makeAuthority()).issue({ names: ["localhost"] });
  const cases = [
    { file: "cert.pem", put: undefined, why: "does not exist" },
    { file: "key.pem", put: undefined, why: "does not exist" },
    { file: "cert.pem", put: "folder", why: "is a folder" },
    { file: "key.pem", put: "elsewhere", why: "may not be read: --allow-read does not cover it" },
  ] as const;
  for (const { file, put, why } of cases) {
    await t.step(`${file} ${why}`, async () => {
      await using dir = await makeTempDir();
      await using other = await makeTempDir();
      for (const [name, text] of [["cert.pem", cert], ["key.pem", key]] as const) {
        if (name !== file) await dir.write(name, text);
      }
      if (put === "folder") await Deno.mkdir(dir.at(file));
      const path = put === "elsewhere" ? await other.write(file, key) : dir.at(file);
      const { code, stderr } = await run(dir, tlsSection(dir).replace(dir.at(file), path));
      const field = file === "cert.pem" ? "server.tls.cert" : "server.tls.key";
      assert.deepEqual([code, stderr], [1, `realtime-router: ${field}: ${path}: ${why}\n`]);
      assert.deepEqual([...Deno.readDirSync(dir.path)].filter(({ name }) => name === "run"), []);
    });
  }
});

Deno.test("main: a certificate or a key that cannot be used is exit 1 and one line", async (t) => {
  const authority = await makeAuthority();
  const good = await authority.issue({ names: ["localhost"] });
  const other = await authority.issue({ names: ["localhost"] });
  const cases = [
    { name: "no certificate", cert: "nothing", key: good.key, message: /No certificates found/ },
    { name: "no key", cert: good.cert, key: "nothing", message: /No keys found/ },
    { name: "swapped", cert: good.key, key: good.cert, message: /No certificates found/ },
    { name: "not a pair", cert: good.cert, key: other.key, message: /KeyMismatch/ },
  ];
  for (const { name, cert, key, message } of cases) {
    await t.step(name, async () => {
      await using dir = await makeTempDir();
      await dir.write("cert.pem", cert);
      await dir.write("key.pem", key);
      const { code, stderr } = await run(dir, tlsSection(dir));
      assert.equal(code, 1);
      assert.match(stderr, /^realtime-router: [^\n]*server\.tls[^\n]*\n$/);
      assert.match(stderr, message);
      assert.deepEqual(folders(dir), []);
    });
  }
});

Deno.test.each<Deno.Signal>(["SIGTERM", "SIGINT"])(
  "main: %s ends sessions with 1001, exits 0, and removes the runtime folder",
  async (signal) => {
    await using dir = await makeTempDir();
    await using backend = await startDemoBackend({ speed: 50 });
    await using router = await startWith(dir, backend.port);
    assert.equal(folders(dir).length, 1);
    await using client = await openSession(router);

    const result = await router.program.end(signal);

    assert.deepEqual([result.code, result.signal, result.stderr], [0, null, ""]);
    const end = { code: 1001, reason: "server shutting down" };
    assert.deepEqual(await client.ended, { ...end, wasClean: true });
    assert.deepEqual(await backend.upgrades[0]?.closed, end);
    assert.deepEqual(folders(dir), []);
    const told = router.program.records.map(({ msg }) => msg);
    const ofTheSession = ["session started", "caller is anonymous"];
    assert.deepEqual(told.filter((msg) => !ofTheSession.includes(msg)), [
      ...told.filter((msg) => msg.startsWith("server.allowed_hosts")),
      "listening",
      "draining",
      "session ended",
      "stopped",
    ]);
  },
);

Deno.test("main: a signal that comes as soon as it listens is heard", async () => {
  await using dir = await makeTempDir();
  for (let round = 0; round < 3; round++) {
    await using router = await startWith(dir, 1);
    assert.equal((await router.program.end()).code, 0);
    assert.deepEqual(folders(dir), []);
  }
});

Deno.test("main: a second signal ends the drain at once, with exit 1", async () => {
  await using dir = await makeTempDir();
  await using backend = await startDemoBackend({ speed: 50 });
  await using router = await startWith(dir, backend.port, { drainTimeout: "1m" });
  await using _client = await openSession(router);
  const draining = router.program.record("draining");
  const ended = router.program.end("SIGTERM");
  await draining;
  const second = await router.program.end("SIGTERM");
  assert.equal(second.code, 1);
  assert.equal(await ended, second);
});

Deno.test("main: two signals at the same moment are one, as a group of processes is sent them", async () => {
  await using dir = await makeTempDir();
  await using backend = await startDemoBackend({ speed: 50 });
  await using router = await startWith(dir, backend.port, { drainTimeout: "0" });
  await using _client = await openSession(router);
  router.program.signal("SIGINT");
  const { code, stdout } = await router.program.end("SIGTERM");
  assert.equal(code, 0);
  assert.match(stdout, /"msg":"stopped"/);
});

Deno.test("main: folders of killed processes are swept once they are old", async () => {
  await using dir = await makeTempDir();
  const killed = await startWith(dir, 1);
  await killed.program.end("SIGKILL");
  const [left] = folders(dir);
  assert.match(left ?? "", RANDOM_FOLDER);

  {
    // It is young, so that it might be of a process that does not listen yet.
    await using second = await startWith(dir, 1);
    assert.equal(folders(dir).length, 2);
    await second.program.end();
    assert.deepEqual(folders(dir), [left]);
  }

  const past = new Date(Date.now() - TWO_MINUTES_MS);
  await Deno.utime(dir.at(`run/${left}`), past, past);
  await using third = await startWith(dir, 1);
  const [own, ...others] = folders(dir);
  assert.deepEqual(others, []);
  assert.notEqual(own, left);

  // However old it is, the folder of a process that lives stays.
  await Deno.utime(dir.at(`run/${own}`), past, past);
  await using fourth = await startWith(dir, 1);
  assert.ok(folders(dir).includes(own ?? ""));
  assert.equal((await fourth.program.end()).code, 0);
  assert.equal((await third.program.end()).code, 0);
});

/** A router with the backend at `port`. */
function startWith(
  dir: TempDir,
  port: number,
  options: { readonly drainTimeout?: string } = {},
): Promise<RouterProcess> {
  const server = serverSection(dir).replace('"0"', `"${options.drainTimeout ?? "0"}"`);
  return startRouterProcess(dir, { yaml: `${server}\n${backendSection(port)}` });
}

function backendSection(port: number): string {
  return `
realtime: { enabled: true }
backends:
  - name: demo
    url: "http://127.0.0.1:${port}"
    models: [${MODEL}]
    model_configs: [{ id: ${MODEL}, metadata: { capabilities: [audio] } }]
health_checks: { enabled: false }
`;
}

/** With a certificate that is to be found in `dir`. */
function tlsSection(dir: TempDir): string {
  const tls = `tls: { cert: "${dir.at("cert.pem")}", key: "${dir.at("key.pem")}" }`;
  return serverSection(dir).replace(/ }$/, `, ${tls} }`);
}

/** Starts a router that is to end by itself. */
async function run(dir: TempDir, server: string) {
  const config = await dir.write("config.yaml", `${server}\n${backendSection(1)}`);
  return await runProgram({ args: ["--config", config], permissions: routerPermissions(dir) });
}

async function openSession(router: RouterProcess): Promise<NativeClient> {
  const client = await NativeClient.open(
    `ws://127.0.0.1:${router.port}/v1/realtime?model=${MODEL}`,
  );
  await client.skipTo("session.created");
  return client;
}

/** What is in the runtime directory. */
function folders(dir: TempDir): readonly string[] {
  return [...Deno.readDirSync(dir.at("run"))].map(({ name }) => name);
}

Deno.test("main: NO_PROXY with loopback in it does not come between the router and its own dialer", async () => {
  await using dir = await makeTempDir();
  await using backend = await startDemoBackend({ models: [MODEL], speed: 50 });
  const yaml = `${serverSection(dir)}\nrealtime: { enabled: true }\nbackends: ` +
    `[{ name: b, url: "http://127.0.0.1:${backend.port}", models: [${MODEL}], ` +
    `model_configs: [{ id: ${MODEL}, metadata: { capabilities: [audio] } }] }]\n`;
  await using router = await startRouterProcess(dir, {
    yaml,
    env: { NO_PROXY: "127.0.0.1,localhost,127.0.0.0/8", no_proxy: "127.0.0.1" },
  });
  await using client = await NativeClient.open(
    `ws://127.0.0.1:${router.port}/v1/realtime?model=${MODEL}`,
  );
  await client.textTurn();
});

Deno.test("main: who connects while it starts is refused by the system or answered, never dropped", async () => {
  await using dir = await makeTempDir();
  const port = freePort();
  const starting = startRouterProcess(dir, {
    yaml: `${serverSection(dir, { port })}\nbackends: []\n`,
  });
  for (let answers = 0; answers < 20;) {
    let conn: Deno.TcpConn;
    try {
      conn = await Deno.connect({ hostname: "127.0.0.1", port });
    } catch (error) {
      assert.ok(error instanceof Deno.errors.ConnectionRefused);
      continue;
    }
    await conn.write(new TextEncoder().encode("GET /health HTTP/1.1\r\nHost: h\r\n\r\n"));
    const buffer = new Uint8Array(1_000);
    const count = await conn.read(buffer);
    conn.close();
    assert.match(new TextDecoder().decode(buffer.subarray(0, count ?? 0)), /^HTTP\/1\.1 200 /);
    answers++;
  }
  await using _router = await starting;
});
