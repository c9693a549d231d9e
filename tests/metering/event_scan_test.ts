import assert from "node:assert/strict";
import { field, MAX_PARSED_BYTES, scanEvent } from "../../src/metering/event_scan.ts";

const NO_DONE = { kind: "done", id: undefined, status: undefined, reason: undefined };

Deno.test.each(
  [
    ["", "unparsed"],
    [" ", "unparsed"],
    ["hello", "unparsed"],
    ["null", "unparsed"],
    ["true", "unparsed"],
    ["12", "unparsed"],
    ['"response.done"', "unparsed"],
    ["[]", "unparsed"],
    ['[{"type":"response.done"}]', "unparsed"],
    ["{}", "unparsed"],
    ['{"type":null}', "unparsed"],
    ['{"type":1}', "unparsed"],
    ['{"type":["response.done"]}', "unparsed"],
    ['{"type":{"type":"response.done"}}', "unparsed"],
    ['{"Type":"response.done"}', "unparsed"],
    ['{"event":{"type":"response.done"}}', "unparsed"],
    ['{"__proto__":{"type":"response.done"}}', "unparsed"],
    ['{"type":"response.done"', "unparsed"],
    ['{"type":"response.done",}', "unparsed"],
    ['{"type":"response.done"} x', "unparsed"],
    ['{"type":"response.done"}{"type":"response.done"}', "unparsed"],
    ["{'type':'response.done'}", "unparsed"],
    ['{"type":"response.done","n":01}', "unparsed"],
    ['{"type":"response.done","n":NaN}', "unparsed"],
    ['{"type":"response.done","s":"a\nb"}', "unparsed"],
    ['{"type":"response.done","s":"\\x"}', "unparsed"],
    ['\uFEFF{"type":"response.done"}', "unparsed"],
    ['data: {"type":"response.done"}', "unparsed"],
    ['{"type":"response.done","type":7}', "unparsed"],
    ['{"type":"session.created","response":{"id":"r"}}', "other"],
    ['{"type":""}', "other"],
    ['{"type":"Response.done"}', "other"],
    ['{"type":"response.done "}', "other"],
    ['{"type":"response.done","type":"error"}', "other"],
    ['{"type":"x","response":{"type":"response.done"}}', "other"],
    ['{"type":"response.created"}', "created"],
    ['{"type":"response.done"}', "done"],
    [' \t\r\n{ "type" : "response.done" } \n', "done"],
    ['{"type":7,"type":"response.done"}', "done"],
    ['{"\\u0074ype":"response.done"}', "done"],
    ['{"type":"response\\u002edone"}', "done"],
    ['{"a":{"type":"error"},"type":"response.done"}', "done"],
  ] as const,
)("scanEvent(%j) is %s", (text, kind) => {
  assert.equal(scanEvent(text).kind, kind);
});

Deno.test.each(
  [
    ['"response":{"id":"r1"}', { id: "r1" }],
    ['"response":{"id":7}', { id: 7 }],
    ['"response":null', {}],
    ['"response":"r1"', {}],
    ['"response":["r1"]', {}],
    ['"response":{}', {}],
    ['"response":{"status":"failed","usage":{"a":1}}', { status: "failed", usage: { a: 1 } }],
    ['"response":{"status_details":{"reason":"x"}}', { reason: "x" }],
    ['"response":{"status_details":null}', {}],
    ['"response":{"status_details":"x"}', {}],
    ['"response":{"status_details":[{"reason":"x"}]}', {}],
    ['"response":{"reason":"x"},"status_details":{"reason":"y"}', {}],
    ['"id":"top","status":"failed","usage":{}', {}],
    ['"response":{"__proto__":{"id":"r1"}}', {}],
    ['"response":{"id":"first","id":"last"}', { id: "last" }],
  ] as const,
)("scanEvent() of a response.done with %s", (members, fields) => {
  const text = `{"type":"response.done",${members}}`;
  assert.deepEqual(scanEvent(text), { ...NO_DONE, usage: undefined, ...fields });
});

Deno.test("scanEvent() gives the id of a response.created", () => {
  const text = '{"type":"response.created","response":{"id":"r1"}}';
  assert.deepEqual(scanEvent(text), { kind: "created", id: "r1" });
});

const HEAD = '{"type":"response.done","s":"';
const TAIL = '"}';

/** A `response.done` of exactly `bytes` bytes, padded with `char` as far as it goes. */
function doneOf(bytes: number, char: string): string {
  const charBytes = new TextEncoder().encode(char).length;
  const room = bytes - HEAD.length - TAIL.length;
  const text = HEAD + char.repeat(Math.floor(room / charBytes)) + "x".repeat(room % charBytes) +
    TAIL;
  assert.equal(new TextEncoder().encode(text).length, bytes);
  return text;
}

Deno.test.each(
  ["a", "é", "한", "😀"].flatMap((char) =>
    ([
      [MAX_PARSED_BYTES - 1, "done"],
      [MAX_PARSED_BYTES, "done"],
      [MAX_PARSED_BYTES + 1, "oversized"],
      [MAX_PARSED_BYTES + 4, "oversized"],
    ] as const).map(([bytes, kind]) => [bytes, char, kind] as const)
  ),
)("scanEvent() of %d bytes padded with %s is %s", (bytes, char, kind) => {
  assert.equal(scanEvent(doneOf(bytes, char)).kind, kind);
});

Deno.test("scanEvent() calls text that is too large oversized, whatever is in it", () => {
  assert.equal(scanEvent("[".repeat(MAX_PARSED_BYTES + 1)).kind, "oversized");
  assert.equal(scanEvent("x".repeat(4 * 1024 * 1024)).kind, "oversized");
});

Deno.test("scanEvent() survives the deepest nesting that is parsed", () => {
  assert.equal(scanEvent("[".repeat(MAX_PARSED_BYTES)).kind, "unparsed");
  const depth = 130_000;
  const nested = `{"type":"response.done","a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  assert.equal(scanEvent(nested).kind, "done");
});

Deno.test.each(
  [
    ['{"a":1}', "a", 1],
    ['{"a":null}', "a", null],
    ["{}", "a", undefined],
    ["{}", "constructor", undefined],
    ['{"__proto__":{"a":1}}', "a", undefined],
    ['["x"]', "a", undefined],
    ['"text"', "length", undefined],
    ["null", "a", undefined],
    ["5", "a", undefined],
  ] as const,
)("field(%s, %j) is %j", (text, name, expected) => {
  assert.equal(field(JSON.parse(text), name), expected);
});
