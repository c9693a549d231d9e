/** What both legs may send: sizes, strictness, and how a breach ends a session. */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { concatBytes } from "../support/memory_stream.ts";
import { openRaw } from "../support/raw_client.ts";
import { closeBody, encodeFrame, type FrameToWrite, OPCODE, textOf } from "../support/raw_peer.ts";
import { startTestRouter } from "../support/test_router.ts";

const MAX = 4 * 1024 * 1024;
const SIDES = ["client", "backend"] as const;
type Side = (typeof SIDES)[number];

interface Setting {
  readonly fake: FakeBackend;
  readonly router: Awaited<ReturnType<typeof startTestRouter>>;
}

async function withRouter(run: (setting: Setting) => Promise<void>): Promise<void> {
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({ backends: [fake.url] });
  await run({ fake, router });
}

async function open({ fake, router }: Setting, sender: Side) {
  const client = await openRaw({ port: router.port });
  const backend = await fake.nextSession();
  await backend.sendText("ready");
  assert.equal(textOf(await client.readMessage()), "ready");
  return sender === "client" ? { from: client, to: backend } : { from: backend, to: client };
}

/** A message of `bytes` bytes, in as many fragments. */
function* message(opcode: number, bytes: number, fragments: number): Iterable<FrameToWrite> {
  const size = Math.floor(bytes / fragments);
  for (let i = 0; i < fragments; i++) {
    const last = i === fragments - 1;
    const length = last ? bytes - size * (fragments - 1) : size;
    const payload = new Uint8Array(length).fill(97 + (i % 26));
    yield { opcode: i === 0 ? opcode : OPCODE.continuation, payload, final: last };
  }
}

for (const side of SIDES) {
  for (const opcode of [OPCODE.text, OPCODE.binary]) {
    for (const fragments of [1, 64]) {
      const kind = `${opcode === OPCODE.text ? "text" : "binary"} from ${side}, ` +
        `${fragments === 1 ? "whole" : `${fragments} fragments`}`;
      Deno.test(`size: 4,194,304 bytes pass (${kind})`, async () => {
        await withRouter(async (setting) => {
          const { from, to } = await open(setting, side);
          const sending = (async () => {
            for (const frame of message(opcode, MAX, fragments)) await from.send(frame);
          })();
          const received = await to.readMessage();
          assert.equal(received?.opcode, opcode);
          assert.equal(received.payload.length, MAX);
          const expected = [...message(opcode, MAX, fragments)].at(-1)?.payload as Uint8Array;
          assert.deepEqual(received.payload.subarray(-expected.length), expected);
          await sending;
          from[Symbol.dispose]();
          to[Symbol.dispose]();
        });
      });

      Deno.test(`size: one byte more is 1009 to the sender and 1011 to the other (${kind})`, async () => {
        await withRouter(async (setting) => {
          const { from, to } = await open(setting, side);
          const closing = from.readClose();
          const sending = (async () => {
            for (const frame of message(opcode, MAX + 1, fragments)) await from.send(frame);
          })();
          assert.deepEqual(await to.readClose(), {
            code: 1011,
            reason: `${side} connection lost`,
          });
          assert.equal((await closing)?.code, 1009);
          await sending;
          from[Symbol.dispose]();
          to[Symbol.dispose]();
        });
      });
    }
  }

  const BREACHES: readonly {
    readonly name: string;
    readonly frames: readonly FrameToWrite[];
    readonly code?: number;
  }[] = [
    { name: "wrong mask", frames: [{ opcode: 1, payload: "x", masked: side !== "client" }] },
    { name: "RSV1, as of compression", frames: [{ opcode: 1, payload: "x", reserved: 4 }] },
    { name: "RSV3", frames: [{ opcode: 1, payload: "x", reserved: 1 }] },
    { name: "opcode 3", frames: [{ opcode: 3, payload: "x" }] },
    { name: "opcode 11", frames: [{ opcode: 11 }] },
    { name: "fragmented ping", frames: [{ opcode: OPCODE.ping, final: false }] },
    { name: "ping of 126 bytes", frames: [{ opcode: 9, payload: new Uint8Array(126) }] },
    { name: "continuation of nothing", frames: [{ opcode: 0, payload: "x" }] },
    {
      name: "message within a message",
      frames: [{ opcode: 1, payload: "x", final: false }, { opcode: 1, payload: "y" }],
    },
    { name: "close code 1005", frames: [{ opcode: 8, payload: closeBody(1005) }] },
    { name: "close code 2999", frames: [{ opcode: 8, payload: closeBody(2999) }] },
    { name: "close body of one byte", frames: [{ opcode: 8, payload: new Uint8Array(1) }] },
    { name: "2^63 bytes", frames: [{ opcode: 2, claimedLength: 1n << 63n }] },
    { name: "2^40 bytes", frames: [{ opcode: 2, claimedLength: 1n << 40n }], code: 1009 },
    {
      name: "text that is not UTF-8",
      frames: [{ opcode: 1, payload: new Uint8Array([0xc3, 0x28]) }],
      code: 1007,
    },
    {
      name: "text that is not UTF-8, in fragments",
      frames: [
        { opcode: 1, payload: new Uint8Array([0xe2, 0x82]), final: false },
        { opcode: 0, payload: new Uint8Array([0x41]) },
      ],
      code: 1007,
    },
    {
      name: "text whose last fragment ends within a character",
      frames: [
        { opcode: 1, payload: new Uint8Array([0x61]), final: false },
        { opcode: 0, payload: new Uint8Array([0x62, 0xe2, 0x82]) },
      ],
      code: 1007,
    },
    {
      name: "text that ends within a character, its last fragment empty",
      frames: [
        { opcode: 1, payload: new Uint8Array([0x61, 0xf0, 0x9f, 0x98]), final: false },
        { opcode: 0 },
      ],
      code: 1007,
    },
    {
      name: "text that ends within a character",
      frames: [{ opcode: 1, payload: new Uint8Array([0x61, 0xc3]) }],
      code: 1007,
    },
    {
      name: "close reason that is not UTF-8",
      frames: [{ opcode: 8, payload: closeBody(1000, new Uint8Array([0xff])) }],
      code: 1007,
    },
  ];

  Deno.test(`strictness: what the ${side} may not send ends it, and nothing of it passes`, async (t) => {
    await withRouter(async (setting) => {
      for (const { name, frames, code = 1002 } of BREACHES) {
        await t.step(name, async () => {
          const { from, to } = await open(setting, side);
          await from.sendText("before");
          for (const frame of frames) await from.send(frame);
          assert.equal(textOf(await to.readMessage()), "before");
          assert.deepEqual(await to.readClose(), {
            code: 1011,
            reason: `${side} connection lost`,
          });
          assert.equal((await from.readClose())?.code, code);
          from[Symbol.dispose]();
          to[Symbol.dispose]();
        });
      }
      await setting.router.router.sessions.whenEmpty();
      const outcome = { backend: "b0", outcome: `${side}_abort` };
      const count = await setting.router.metric("realtime_sessions_total", outcome);
      assert.equal(count, BREACHES.length);
    });
  });

  Deno.test(`strictness: text of the ${side} that is not UTF-8, and its close frame right behind it`, async () => {
    await withRouter(async (setting) => {
      const { from, to } = await open(setting, side);
      const frames = [
        { opcode: OPCODE.text, payload: "before" },
        { opcode: OPCODE.text, payload: new Uint8Array([0x61, 0xff, 0xfe]) },
        { opcode: OPCODE.close, payload: closeBody(1000, "bye") },
      ].map((frame) => encodeFrame(frame, { masked: side === "client" }));
      await from.write(concatBytes(frames));
      assert.equal(textOf(await to.readMessage()), "before");
      assert.deepEqual(await to.readClose(), { code: 1011, reason: `${side} connection lost` });
      assert.equal((await from.readClose())?.code, 1007);
      from[Symbol.dispose]();
      to[Symbol.dispose]();
      await setting.router.router.sessions.whenEmpty();
      const outcome = { backend: "b0", outcome: `${side}_abort` };
      assert.equal(await setting.router.metric("realtime_sessions_total", outcome), 1);
    });
  });

  Deno.test(`strictness: a peer that goes on after its breach still sees the code (${side})`, async () => {
    await withRouter(async (setting) => {
      const { from, to } = await open(setting, side);
      const closing = from.readClose();
      await from.send({ opcode: 3 });
      for (let i = 0; i < 64; i++) {
        await from.send({ opcode: OPCODE.binary, payload: new Uint8Array(64 * 1024) });
      }
      assert.equal((await closing)?.code, 1002);
      from[Symbol.dispose]();
      to[Symbol.dispose]();
    });
  });

  Deno.test(`frames of the ${side} may come one byte at a time`, async () => {
    await withRouter(async (setting) => {
      const { from, to } = await open(setting, side);
      const frames = [
        { opcode: OPCODE.text, payload: "안녕", final: false },
        { opcode: OPCODE.ping, payload: "ping" },
        { opcode: OPCODE.continuation, payload: "x".repeat(200) },
        { opcode: OPCODE.close, payload: closeBody(1014, "끝") },
      ];
      for (const frame of frames) {
        for (const byte of encodeFrame(frame, { masked: side === "client" })) {
          await from.write(Uint8Array.of(byte));
        }
      }
      assert.equal(textOf(await to.readMessage()), `안녕${"x".repeat(200)}`);
      assert.deepEqual(await to.readClose(), { code: 1014, reason: "끝" });
      assert.equal((await from.readFrame())?.opcode, OPCODE.pong);
      assert.deepEqual(await from.readClose(), { code: 1014, reason: "끝" });
      from[Symbol.dispose]();
      to[Symbol.dispose]();
    });
  });
}
