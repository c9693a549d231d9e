import assert from "node:assert/strict";
import { freePort } from "../../support/free_port.ts";
import { Loop, type Socket } from "../../../bench/driver/loop.ts";

const PIECE_BYTES = 64 * 1024;
const PIECES = 256;

/** The bytes at a place of a stream, so that whoever reads it sees where one is missing. */
function piece(index: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(PIECE_BYTES).fill(index % 251);
}

function soon(): number {
  return performance.now() + 5_000;
}

Deno.test("Loop: what the kernel does not take at once follows, complete and in order", () => {
  const loop = new Loop();
  let received = 0;
  let ended = false;
  const port = loop.listen(() => ({
    onBytes: (bytes, length) => {
      for (let at = 0; at < length; at++) {
        const expected = Math.floor(received++ / PIECE_BYTES) % 251;
        if (bytes[at] !== expected) assert.fail(`byte ${received}: ${bytes[at]}`);
      }
    },
    onEnd: () => ended = true,
  }));
  let connected: Socket | undefined;
  loop.connect(port, {
    onConnect: (socket) => connected = socket,
    onBytes: () => {},
    onEnd: () => {},
  });
  assert.ok(loop.run({ isDone: () => connected !== undefined, deadlineMs: soon() }));
  for (let index = 0; index < PIECES; index++) connected?.send(piece(index));
  assert.equal(connected?.isBlocked, true);
  connected?.closeWhenSent();
  assert.ok(loop.run({ isDone: () => ended, deadlineMs: soon() }));
  assert.equal(received, PIECES * PIECE_BYTES);
});

Deno.test("Loop: a refused connection ends", () => {
  const loop = new Loop();
  const port = freePort();
  let ended = false;
  loop.connect(port, {
    onConnect: () => assert.fail("nobody listens there"),
    onBytes: () => {},
    onEnd: () => ended = true,
  });
  assert.ok(loop.run({ isDone: () => ended, deadlineMs: soon() }));
});

Deno.test("Loop: calls when something is due, and stops at its deadline", () => {
  const loop = new Loop();
  const startMs = performance.now();
  const calls: number[] = [];
  const isDone = loop.run({
    isDone: () => false,
    deadlineMs: startMs + 100,
    dueMs: (nowMs) => {
      if (nowMs - startMs >= 20 * (calls.length + 1)) calls.push(nowMs);
      return startMs + 20 * (calls.length + 1);
    },
  });
  assert.equal(isDone, false);
  assert.ok(performance.now() - startMs >= 100);
  assert.ok(calls.length >= 1 && calls.length <= 5);
});
