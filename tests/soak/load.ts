/**
 * The load of the soak test: a backend, clients, and endings drawn from a table, in a process of its own
 * so that the router's descriptors and memory are its own too.
 *
 * Prints the backend's port. Then, for each line on standard input, which is the router's port, it runs
 * one round of sessions and prints how many of them never became one.
 *
 * @module
 */

import { FakeBackend } from "../support/fake_backend.ts";
import { connectRaw, openRaw, upgradeRequest } from "../support/raw_client.ts";
import { encodeFrame, OPCODE, type RawPeer } from "../support/raw_peer.ts";

const [sessionsText = "1000"] = Deno.args;
const SESSIONS_A_ROUND = Number(sessionsText);
const CONCURRENCY = 60;

interface Pair {
  readonly client: RawPeer;
  readonly backend: RawPeer;
}

type Ending = (pair: Pair) => Promise<void>;

const large = encodeFrame({ opcode: OPCODE.binary, payload: new Uint8Array(64 * 1024) }, {
  masked: false,
});

/** Does the same to one side of a pair, and then to the other. */
const eachSide = (act: (peer: RawPeer) => Promise<void>): Ending[] => [
  ({ client }) => act(client),
  ({ backend }) => act(backend),
];

/** Answers the close frame that comes, if one does, and waits until both connections have ended. */
async function rest(pair: Pair): Promise<void> {
  await Promise.allSettled([pair.client, pair.backend].map(async (peer) => {
    if (await peer.readClose() !== null) await peer.sendClose(1000);
    await peer.readRest();
  }));
}

const ENDINGS: readonly Ending[] = [
  ...eachSide((peer) => peer.sendClose(1000, "bye")),
  ...eachSide((peer) => peer.sendClose()),
  ...eachSide((peer) => Promise.resolve(peer[Symbol.dispose]())),
  ...eachSide((peer) => Promise.resolve(peer.reset())),
  // Half-closed: it sends nothing more, and would still read.
  ...eachSide((peer) => peer.conn.closeWrite?.() ?? Promise.resolve()),
  ...eachSide((peer) => peer.send({ opcode: 4 })),
  ...eachSide((peer) => peer.send({ opcode: OPCODE.binary, claimedLength: 1n << 40n })),
  ...eachSide((peer) => peer.send({ opcode: OPCODE.text, payload: new Uint8Array([0xff]) })),
  // Gone within a frame.
  ...eachSide(async (peer) => {
    await peer.send({ opcode: OPCODE.text, payload: "half", claimedLength: 100n });
    peer[Symbol.dispose]();
  }),
  ...eachSide(async (peer) => {
    await peer.send({ opcode: OPCODE.text, payload: "half", claimedLength: 100n });
    peer.reset();
  }),
  // Gone with much on its way to it.
  async ({ client, backend }) => {
    for (let i = 0; i < 40; i++) await backend.write(large);
    client.reset();
  },
  async ({ client, backend }) => {
    for (let i = 0; i < 10; i++) await backend.write(large);
    backend.reset();
    client[Symbol.dispose]();
  },
  // Quiet, until the idle timer ends it.
  () => Promise.resolve(),
];

/** Rare, since each takes the five seconds of the grace. */
const STALLS: readonly Ending[] = [
  async ({ client, backend }) => {
    const sending = (async () => {
      for (;;) await backend.write(large);
    })().catch(() => {});
    await sending;
    client[Symbol.dispose]();
  },
  async ({ client, backend }) => {
    await client.sendClose(1001);
    await backend.readClose();
    await backend.readRest();
  },
];

const fake = await FakeBackend.listen({ resettable: true });
/** Which client a backend connection belongs to is known by the client's first message. */
const waiting = new Map<number, (peer: RawPeer) => void>();
let next = 0;
let unopened = 0;
let port = 0;
void pairUp();
print(`${fake.port}`);
for (let round = 1; (port = Number(await readLine())) > 0; round++) {
  unopened = 0;
  const end = round * SESSIONS_A_ROUND;
  await Promise.all(Array.from({ length: CONCURRENCY }, async () => {
    while (next < end) await runSession(next++);
  }));
  print(`${unopened}`);
}
Deno.exit(0);

async function runSession(index: number): Promise<void> {
  if (index % 23 === 0) return await leaveWithinRequest();
  if (index % 29 === 0) return await leaveWhileConnecting();
  const client = await openRaw({ port, resettable: true });
  await client.sendText(`${index}`);
  const backend = await backendOf(index);
  const ending = index % 101 === 0
    ? STALLS[Math.floor(index / 101) % STALLS.length]!
    : ENDINGS[index % ENDINGS.length]!;
  await ending({ client, backend }).catch(() => {});
  await rest({ client, backend });
  for (const peer of [client, backend]) {
    peer[Symbol.dispose]();
    await peer.conn.closed;
  }
}

/** A client that goes as soon as it has its 101. */
async function leaveWhileConnecting(): Promise<void> {
  const client = await openRaw({ port, resettable: true });
  client.reset();
  await client.conn.closed;
}

/** A client that goes before its request is complete. */
async function leaveWithinRequest(): Promise<void> {
  unopened++;
  const client = await connectRaw(port, { resettable: true });
  await client.write(upgradeRequest({ port }).slice(0, 100));
  client.reset();
  await client.conn.closed;
}

function backendOf(index: number): Promise<RawPeer> {
  const { promise, resolve } = Promise.withResolvers<RawPeer>();
  waiting.set(index, resolve);
  return promise;
}

/** Gives each backend connection to the session whose client it belongs to. */
async function pairUp(): Promise<never> {
  for (;;) {
    const connection = await fake.nextConnection();
    void (async () => {
      await connection.accept();
      const first = await connection.peer.readMessage();
      // A client that left while connecting has sent nothing.
      if (first === null || first.opcode === OPCODE.close) return connection.peer[Symbol.dispose]();
      const index = Number(new TextDecoder().decode(first.payload));
      waiting.get(index)?.(connection.peer);
      waiting.delete(index);
    })().catch(() => connection.peer[Symbol.dispose]());
  }
}

async function readLine(): Promise<string> {
  const buffer = new Uint8Array(100);
  const count = await Deno.stdin.read(buffer);
  return new TextDecoder().decode(buffer.subarray(0, count ?? 0)).trim();
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
