/**
 * The router's memory under floods (spec §6 "Backpressure" and "Size").
 *
 * Needs net, run of Deno itself, the temporary folder, and /proc. Linux only.
 */

import assert from "node:assert/strict";
import { makeAuthority } from "../support/certificates.ts";
import { FakeBackend } from "../support/fake_backend.ts";
import { openRaw, upgradeRequest } from "../support/raw_client.ts";
import { encodeFrame, OPCODE, RawPeer } from "../support/raw_peer.ts";
import { MemoryWatch, residentMiB } from "../support/resident_memory.ts";
import {
  type RouterProcess,
  serverSection,
  startRouterProcess,
} from "../support/router_process.ts";
import { makeTempDir } from "../support/temp_dir.ts";
import { MODEL } from "../support/test_router.ts";

const MIB = 1024 * 1024;
/** What spec §6 allows a stall or an attack to add, over the base after a warm-up flood. */
const ALLOWED_GROWTH_MIB = 16;
const SIDES = ["client", "backend"] as const;

interface Setting {
  readonly router: RouterProcess;
  readonly fake: FakeBackend;
  /** Of the router's certificate; undefined without TLS. */
  readonly caPem: string | undefined;
}

async function withRouter(
  run: (setting: Setting) => Promise<void>,
  options: { readonly tls?: boolean } = {},
): Promise<void> {
  await using dir = await makeTempDir();
  const authority = options.tls === true ? await makeAuthority() : undefined;
  const identity = await authority?.issue({ names: ["127.0.0.1"] });
  const tls = identity === undefined
    ? ""
    : `, tls: { cert: ${await dir.write("cert.pem", identity.cert)}, key: ${await dir.write(
      "key.pem",
      identity.key,
    )} }`;
  await using fake = await FakeBackend.listen();
  await using router = await startRouterProcess(dir, {
    yaml: [
      serverSection(dir).replace(/ }$/, `${tls} }`),
      'realtime: { enabled: true, idle_timeout: "0" }',
      "health_checks: { enabled: false }",
      "circuit_breaker: { enabled: false }",
      `backends: [{ name: b, url: "${fake.url}", models: [${MODEL}], ` +
      `model_configs: [{ id: ${MODEL}, metadata: { capabilities: [audio] } }] }]`,
    ].join("\n"),
  });
  await run({ router, fake, caPem: authority?.caPem });
}

async function open({ router, fake, caPem }: Setting, sender: (typeof SIDES)[number]) {
  const client = caPem === undefined
    ? await openRaw({ port: router.port })
    : await openTls(router.port, caPem);
  const backend = await fake.nextSession();
  return sender === "client" ? { from: client, to: backend } : { from: backend, to: client };
}

/** A client over TLS that reads when it is asked to: a TLS socket of Node's kind would read ahead without end. */
async function openTls(port: number, caPem: string): Promise<RawPeer> {
  const conn = await Deno.connectTls({ hostname: "127.0.0.1", port, caCerts: [caPem] });
  const peer = new RawPeer(conn, { masks: true });
  await peer.write(upgradeRequest({ port }));
  assert.match(await peer.readHead() ?? "", /^HTTP\/1\.1 101 /);
  return peer;
}

for (const side of SIDES) {
  Deno.test(`300 MiB of unfinished fragments from the ${side}: 1009 and no memory`, async () => {
    await withRouter(async (setting) => {
      await unfinished(setting, side);
      const baseMiB = await residentMiB(setting.router.program.pid);
      await using watch = new MemoryWatch(setting.router.program.pid);
      const acceptedBytes = await unfinished(setting, side);
      assert.ok(acceptedBytes < 300 * MIB);
      const grownMiB = await watch.peakMiB() - baseMiB;
      report(`fragments from ${side}`, { baseMiB, grownMiB });
      assert.ok(grownMiB <= ALLOWED_GROWTH_MIB, `grew by ${grownMiB} MiB`);
    });
  });

  for (const messageBytes of [64 * 1024, 2_500]) {
    const name = `500 MiB from the ${side} in ${messageBytes} B to a reader that stalls`;
    Deno.test(`${name}: bounded, and all of it arrives`, async () => {
      await withRouter((setting) => stall(setting, { name, side, messageBytes }));
    });
  }

  const name = `500 MiB from the ${side} to a reader that stalls, the client over TLS`;
  Deno.test(`${name}: bounded, and all of it arrives`, async () => {
    const messageBytes = 64 * 1024;
    await withRouter((setting) => stall(setting, { name, side, messageBytes }), { tls: true });
  });
}

async function stall(
  setting: Setting,
  { name, side, messageBytes }: {
    readonly name: string;
    readonly side: (typeof SIDES)[number];
    readonly messageBytes: number;
  },
): Promise<void> {
  await flood(setting, { side, messageBytes, totalBytes: 250 * MIB });
  const baseMiB = await residentMiB(setting.router.program.pid);
  const stalledMiB = await flood(setting, { side, messageBytes, totalBytes: 500 * MIB });
  const grownMiB = stalledMiB - baseMiB;
  report(name, { baseMiB, grownMiB });
  assert.ok(grownMiB <= ALLOWED_GROWTH_MIB, `grew by ${grownMiB} MiB`);
}

/** Sends fragments without end until the session ends. Returns the bytes that could be written. */
async function unfinished(setting: Setting, side: (typeof SIDES)[number]): Promise<number> {
  const { from, to } = await open(setting, side);
  using _from = from;
  using _to = to;
  const closing = from.readClose();
  const otherClosing = to.readClose();
  const chunk = new Uint8Array(64 * 1024);
  await from.send({ opcode: OPCODE.binary, payload: chunk, final: false });
  const fragment = encodeFrame({ opcode: OPCODE.continuation, payload: chunk, final: false }, {
    masked: side === "client",
  });
  let sentBytes = chunk.length;
  try {
    while (sentBytes < 300 * MIB) {
      await from.write(fragment);
      sentBytes += chunk.length;
      if (sentBytes === 5 * MIB) assert.equal((await closing)?.code, 1009);
    }
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    // The router has ended the connection.
  }
  assert.equal((await otherClosing)?.code, 1011);
  return sentBytes;
}

/** Sends numbered messages to a reader that first stalls. Returns the most memory of the router up to then. */
async function flood(
  setting: Setting,
  { side, messageBytes, totalBytes }: {
    readonly side: (typeof SIDES)[number];
    readonly messageBytes: number;
    readonly totalBytes: number;
  },
): Promise<number> {
  const { from, to } = await open(setting, side);
  using _from = from;
  using _to = to;
  const count = Math.ceil(totalBytes / messageBytes);
  await using watch = new MemoryWatch(setting.router.program.pid);
  const progress = { sent: 0 };
  const sending = sendNumbered(from, { count, messageBytes, masked: side === "client", progress });
  await stalled(progress);
  assert.ok(progress.sent < count, "the sender was never held back");
  const stalledMiB = await watch.peakMiB();
  for (let i = 0; i < count; i++) {
    const frame = await to.readMessage();
    assert.equal(frame?.payload.length, messageBytes);
    assert.equal(new DataView(frame.payload.buffer).getUint32(0), i);
  }
  await sending;
  return stalledMiB;
}

async function sendNumbered(
  from: RawPeer,
  { count, messageBytes, masked, progress }: {
    readonly count: number;
    readonly messageBytes: number;
    readonly masked: boolean;
    readonly progress: { sent: number };
  },
): Promise<void> {
  const payload = new Uint8Array(messageBytes);
  for (let i = 0; i < count; i++) {
    new DataView(payload.buffer).setUint32(0, i);
    await from.write(encodeFrame({ opcode: OPCODE.binary, payload }, { masked }));
    progress.sent = i + 1;
  }
}

/** Resolves when nothing was sent for half a second: every buffer on the way is full. */
async function stalled(progress: { readonly sent: number }): Promise<void> {
  for (let before = -1; before !== progress.sent;) {
    before = progress.sent;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function report(name: string, figures: { readonly baseMiB: number; readonly grownMiB: number }) {
  const { baseMiB, grownMiB } = figures;
  Deno.stdout.writeSync(new TextEncoder().encode(
    `    ${name}: base ${baseMiB.toFixed(0)} MiB, grew ${grownMiB.toFixed(1)} MiB\n`,
  ));
}
