/**
 * Many hostile peers at once. Needs what `memory_test.ts` needs. Linux only.
 */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { type Authority, makeAuthority } from "../support/certificates.ts";
import { connectRaw, openRaw, upgradeRequest } from "../support/raw_client.ts";
import { encodeFrame, OPCODE, RawPeer, textOf } from "../support/raw_peer.ts";
import { descriptorCount, MemoryWatch, residentMiB } from "../support/resident_memory.ts";
import { type RouterProcess, startRouterProcess } from "../support/router_process.ts";
import { makeTempDir, type TempDir } from "../support/temp_dir.ts";
import { MODEL } from "../support/test_router.ts";

interface Setting {
  readonly router: RouterProcess;
  readonly fake: FakeBackend;
  readonly caPem: string;
}

async function withRouter(
  run: (setting: Setting) => Promise<void>,
  options: { readonly realtime?: string; readonly serverTls?: boolean } = {},
): Promise<void> {
  await using dir = await makeTempDir();
  await using fake = await FakeBackend.listen();
  const authority = await makeAuthority();
  const tls = options.serverTls ? await writeIdentity(authority, dir) : "";
  await using router = await startRouterProcess(dir, {
    yaml: [
      `server: { bind_address: "127.0.0.1:0", runtime_dir: "${dir.at("run")}", ${tls} }`,
      `realtime: { enabled: true, ${options.realtime ?? ""} }`,
      "health_checks: { enabled: false }",
      "circuit_breaker: { enabled: false }",
      `backends: [{ name: b, url: "${fake.url}", models: [${MODEL}], ` +
      `model_configs: [{ id: ${MODEL}, metadata: { capabilities: [audio] } }] }]`,
    ].join("\n"),
  });
  await run({ router, fake, caPem: authority.caPem });
}

async function writeIdentity(authority: Authority, dir: TempDir): Promise<string> {
  const { cert, key } = await authority.issue({ names: ["127.0.0.1"] });
  const [certPath, keyPath] = [await dir.write("cert.pem", cert), await dir.write("key.pem", key)];
  return `tls: { cert: "${certPath}", key: "${keyPath}" }`;
}

Deno.test("100 clients that stop within their head delay nobody, and are dropped", async () => {
  await withRouter(async ({ router, fake }) => {
    const stuck = await Promise.all(Array.from({ length: 100 }, () => connectRaw(router.port)));
    const part = upgradeRequest({ port: router.port }).slice(0, 60);
    await Promise.all(stuck.map((peer) => peer.write(part)));
    const startedMs = performance.now();
    using client = await openRaw({ port: router.port });
    const tookMs = performance.now() - startedMs;
    assert.ok(tookMs < 100, `a new session took ${tookMs} ms`);
    await fake.nextSession();
    const answers = await Promise.all(stuck.map((peer) => peer.readRest()));
    for (const answer of answers) {
      assert.match(new TextDecoder().decode(answer), /^HTTP\/1\.1 408 [^]*request_timeout/);
    }
    assert.equal(client.end, undefined);
    for (const peer of stuck) peer[Symbol.dispose]();
  });
});

Deno.test("50 stalled clients, each fed by a fast backend: bounded, and others are served", async () => {
  await withRouter(async ({ router, fake }) => {
    const pairs: { readonly client: RawPeer; readonly backend: RawPeer }[] = [];
    for (let i = 0; i < 50; i++) {
      const client = await openRaw({ port: router.port });
      pairs.push({ client, backend: await fake.nextSession() });
    }
    const baseMiB = await residentMiB(router.program.pid);
    await using watch = new MemoryWatch(router.program.pid);
    const frame = encodeFrame({ opcode: OPCODE.binary, payload: new Uint8Array(64 * 1024) }, {
      masked: false,
    });
    let sentBytes = 0;
    for (const { backend } of pairs) {
      void (async () => {
        for (let i = 0; i < 800; i++) {
          await backend.write(frame);
          sentBytes += frame.length;
        }
      })().catch(() => {});
    }
    for (let before = -1; before !== sentBytes;) {
      before = sentBytes;
      await new Promise((resolve) => setTimeout(resolve, 300));
      const startedMs = performance.now();
      const response = await fetch(`http://127.0.0.1:${router.port}/health`);
      await response.body?.cancel();
      if (before === sentBytes) assert.ok(performance.now() - startedMs < 200);
    }
    const grownMiB = await watch.peakMiB() - baseMiB;
    report(`50 stalled clients: grew ${grownMiB.toFixed(0)} MiB, ${grownMiB / 50} a session`);
    assert.ok(grownMiB < 50 * 8, `grew by ${grownMiB} MiB`);
    for (const { client, backend } of pairs) {
      client[Symbol.dispose]();
      backend[Symbol.dispose]();
    }
  });
});

const SMALL_FLOODS = [
  { name: "pings", frame: { opcode: OPCODE.ping, payload: new Uint8Array(125) } },
  { name: "empty messages", frame: { opcode: OPCODE.binary } },
  { name: "empty fragments", frame: { opcode: OPCODE.continuation, final: false } },
] as const;

for (const { name, frame } of SMALL_FLOODS) {
  Deno.test(`${name} without end from a client that reads nothing: bounded`, async () => {
    await withRouter(async ({ router, fake }) => {
      const run = async (megabytes: number) => {
        using client = await openRaw({ port: router.port });
        using backend = await fake.nextSession();
        await backend.sendText("ready");
        if (frame.opcode === OPCODE.continuation) {
          await client.send({ opcode: OPCODE.binary, final: false });
        }
        const one = encodeFrame(frame, { masked: true });
        const many = new Uint8Array(one.length * 1000);
        for (let i = 0; i < 1000; i++) many.set(one, i * one.length);
        const progress = { sentBytes: 0 };
        void (async () => {
          while (progress.sentBytes < megabytes * 1e6) {
            await client.write(many);
            progress.sentBytes += many.length;
          }
        })().catch(() => {});
        for (let before = -1; before !== progress.sentBytes;) {
          before = progress.sentBytes;
          await new Promise((resolve) => setTimeout(resolve, 300));
        }
        return await residentMiB(router.program.pid);
      };
      const baseMiB = await run(10);
      const grownMiB = await run(60) - baseMiB;
      report(`${name}: base ${baseMiB.toFixed(0)} MiB, grew ${grownMiB.toFixed(1)} MiB`);
      assert.ok(grownMiB < 32, `grew by ${grownMiB} MiB`);
    });
  });
}

Deno.test("early data without end: kept within bounds, and all of it arrives", async () => {
  await withRouter(async ({ router, fake }) => {
    using client = await openRaw({ port: router.port });
    const connection = await fake.nextConnection();
    await connection.readRequest();
    const baseMiB = await residentMiB(router.program.pid);
    const count = 25_000;
    const progress = { sent: 0 };
    const sending = (async () => {
      for (let i = 0; i < count; i++) {
        await client.sendText(`${i}:${"x".repeat(2500)}`);
        progress.sent = i + 1;
      }
    })();
    for (let before = -1; before !== progress.sent;) {
      before = progress.sent;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    assert.ok(progress.sent < count, "the client was never held back");
    const grownMiB = await residentMiB(router.program.pid) - baseMiB;
    report(`early data: grew ${grownMiB.toFixed(1)} MiB`);
    assert.ok(grownMiB < 32, `grew by ${grownMiB} MiB`);
    await connection.accept();
    for (let i = 0; i < count; i++) {
      assert.ok(textOf(await connection.peer.readMessage())?.startsWith(`${i}:`));
    }
    await sending;
  }, { realtime: 'handshake_timeout: "60s"' });
});

Deno.test("TLS clients that read nothing are cut, and leave no descriptor", async () => {
  await withRouter(async ({ router, fake, caPem }) => {
    const restFds = await descriptorCount(router.program.pid);
    const peers: RawPeer[] = [];
    for (let i = 0; i < 10; i++) {
      const client = await openTls(router.port, caPem);
      const backend = await fake.nextSession();
      peers.push(client, backend);
      await backend.sendText("ready");
      assert.equal(textOf(await client.readMessage()), "ready");
      const frame = encodeFrame({ opcode: OPCODE.binary, payload: new Uint8Array(64 * 1024) }, {
        masked: false,
      });
      void (async () => {
        for (;;) await backend.write(frame);
      })().catch(() => {});
    }
    // The idle timer ends the stalled sessions; the grace ends their sockets, whatever they hold.
    await ended(router, 10);
    await assertDescriptors(router, restFds);
    for (const peer of peers) peer[Symbol.dispose]();
  }, { serverTls: true, realtime: 'idle_timeout: "500ms"' });
});

Deno.test("TLS backends that read nothing are cut, and leave no descriptor", async () => {
  await using dir = await makeTempDir();
  const authority = await makeAuthority();
  const tls = await authority.issue({ names: ["127.0.0.1"] });
  const caPath = await dir.write("ca.pem", authority.caPem);
  await using fake = await FakeBackend.listen({ tls });
  await using router = await startRouterProcess(dir, {
    yaml: [
      `server: { bind_address: "127.0.0.1:0", runtime_dir: "${dir.at("run")}" }`,
      'realtime: { enabled: true, idle_timeout: "500ms" }',
      "health_checks: { enabled: false }",
      `backends: [{ name: b, url: "${fake.url}", models: [${MODEL}], ` +
      `model_configs: [{ id: ${MODEL}, metadata: { capabilities: [audio] } }] }]`,
    ].join("\n"),
    env: { DENO_TLS_CA_STORE: "system", SSL_CERT_FILE: caPath },
  });
  const restFds = await descriptorCount(router.program.pid);
  const peers: RawPeer[] = [];
  for (let i = 0; i < 10; i++) {
    const client = await openRaw({ port: router.port });
    const backend = await fake.nextSession();
    peers.push(client, backend);
    await backend.sendText("ready");
    assert.equal(textOf(await client.readMessage()), "ready");
    const frame = encodeFrame({ opcode: OPCODE.binary, payload: new Uint8Array(64 * 1024) }, {
      masked: true,
    });
    void (async () => {
      for (;;) await client.write(frame);
    })().catch(() => {});
  }
  await ended(router, 10);
  await assertDescriptors(router, restFds);
  for (const peer of peers) peer[Symbol.dispose]();
});

async function openTls(port: number, caPem: string): Promise<RawPeer> {
  const conn = await Deno.connectTls({ hostname: "127.0.0.1", port, caCerts: [caPem] });
  const client = new RawPeer(conn, { masks: true });
  await client.write(upgradeRequest({ port }));
  assert.match(await client.readHead() ?? "", / 101 /);
  return client;
}

/** The system closes sockets a moment after they were cut; a second later none may be left. */
async function assertDescriptors(router: RouterProcess, restFds: number): Promise<void> {
  const untilMs = performance.now() + 1_000;
  let leftFds = Infinity;
  while (leftFds > restFds && performance.now() < untilMs) {
    leftFds = await descriptorCount(router.program.pid);
  }
  assert.ok(leftFds <= restFds, `${restFds} descriptors before, ${leftFds} after`);
}

/** Waits for the log line of the `count`th ended session. */
async function ended(router: RouterProcess, count: number): Promise<void> {
  await router.program.record(() =>
    router.program.records.filter(({ msg }) => msg === "session ended").length >= count
  );
}

function report(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`    ${line}\n`));
}
