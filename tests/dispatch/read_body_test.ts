import assert from "node:assert/strict";
import { RouterError } from "../../src/http/mod.ts";
import { readBody } from "../../src/dispatch/read_body.ts";
import { settled } from "../support/settled.ts";

const { signal } = new AbortController();

function request(body: BodyInit, headers: Readonly<Record<string, string>> = {}): Request {
  return new Request("http://router.test/", { method: "POST", body, headers });
}

/** Says how many of its pieces were taken, and whether it was cancelled. */
function pieces(count: number): { stream: ReadableStream; taken: number; cancelled: boolean } {
  const seen = {
    stream: new ReadableStream({
      pull: (controller) => {
        controller.enqueue(new Uint8Array(10));
        if (++seen.taken === count) controller.close();
      },
      cancel: () => {
        seen.cancelled = true;
      },
    }, { highWaterMark: 0 }),
    taken: 0,
    cancelled: false,
  };
  return seen;
}

Deno.test("readBody() gives the whole body", async () => {
  assert.equal(new TextDecoder().decode(await readBody(request("abc"), { signal })), "abc");
  const none = new Request("http://router.test/", { method: "POST" });
  assert.equal((await readBody(none, { signal })).length, 0);
});

Deno.test("readBody() takes a body of exactly the limit", async () => {
  const bytes = await readBody(request(pieces(3).stream), { signal, maxBytes: 30 });
  assert.equal(bytes.length, 30);
});

Deno.test("readBody() does not begin a body that says it is too large", async () => {
  const body = pieces(1);
  const large = request(body.stream, { "content-length": "31" });
  await assert.rejects(readBody(large, { signal, maxBytes: 30 }), { code: "request_too_large" });
  assert.equal(body.taken, 0);
});

Deno.test("readBody() stops at the piece that is too much", async () => {
  const body = pieces(100);
  await assert.rejects(readBody(request(body.stream), { signal, maxBytes: 30 }), {
    code: "request_too_large",
  });
  assert.equal(body.taken, 4);
  assert.ok(body.cancelled);
});

Deno.test("readBody() tells of its memory before it takes it, and may be kept from it", async () => {
  const piece = 10 * 1024;
  const sender = (count: number) =>
    new ReadableStream({
      pull: (controller) => {
        controller.enqueue(new Uint8Array(piece));
        if (--count === 0) controller.close();
      },
    });
  const growths: number[] = [];
  const onGrowth = (bytes: number) => void growths.push(bytes);
  await readBody(request(sender(4)), { signal, onGrowth });
  // 16 KiB, twice as much, and as much again.
  assert.deepEqual(growths, [16, 16, 32].map((kibibytes) => kibibytes * 1024));
  const full = new RouterError("connection_limit_reached", "full");
  const refuse = () => {
    throw full;
  };
  await assert.rejects(readBody(request(sender(4)), { signal, onGrowth: refuse }), full);
});

Deno.test("readBody() ends with its signal", async () => {
  let cancelled = false;
  const stream = new ReadableStream({
    cancel: () => {
      cancelled = true;
    },
  });
  const stop = new AbortController();
  const reading = readBody(request(stream), { signal: stop.signal });
  await settled();
  stop.abort();
  await assert.rejects(reading, { code: "request_timeout" });
  assert.ok(cancelled);
});

Deno.test("readBody() with a signal that has ended reads nothing", async () => {
  const body = pieces(1);
  const reading = readBody(request(body.stream), { signal: AbortSignal.abort() });
  await assert.rejects(reading, { code: "request_timeout" });
  assert.equal(body.taken, 0);
});

Deno.test("readBody() refuses a body that breaks off", async () => {
  const stream = new ReadableStream({
    pull: (controller) => controller.error(new Error("connection reset")),
  });
  await assert.rejects(readBody(request(stream), { signal }), { code: "invalid_request" });
});
