import assert from "node:assert/strict";
import { SseParser } from "../../src/console/page/data/sse_parser.ts";

const STREAM =
  ': connected\n\nevent: one\ndata: {"a":1}\n\n: heartbeat\n\nevent: two\ndata: x:y\n\n';
const EVENTS = [{ name: "one", data: '{"a":1}' }, { name: "two", data: "x:y" }];

Deno.test("SseParser reads events and passes comments over", () => {
  assert.deepEqual(new SseParser().push(STREAM), EVENTS);
});

Deno.test("SseParser reads the same events out of any pieces", () => {
  for (let size = 1; size < STREAM.length; size++) {
    const parser = new SseParser();
    const events = [];
    for (let at = 0; at < STREAM.length; at += size) {
      events.push(...parser.push(STREAM.slice(at, at + size)));
    }
    assert.deepEqual(events, EVENTS, `pieces of ${size}`);
  }
});

Deno.test("SseParser takes CRLF, several data lines, and events without a name", () => {
  assert.deepEqual(new SseParser().push("data: a\r\ndata:b\r\n\r\n"), [
    { name: "message", data: "a\nb" },
  ]);
});

Deno.test("SseParser makes no event of a name alone", () => {
  assert.deepEqual(new SseParser().push("event: one\n\ndata: x\n\n"), [
    { name: "message", data: "x" },
  ]);
});

Deno.test("SseParser does not keep a line without an end for ever", () => {
  const parser = new SseParser();
  assert.throws(() => {
    for (let i = 0; i < 20; i++) parser.push("x".repeat(100_000));
  }, RangeError);
});
