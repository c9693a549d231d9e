import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type JsonMember,
  JsonMembers,
  MAX_MEMBERS,
  memberValue,
} from "../../src/dispatch/json_members.ts";
import { MAX_DEPTH, MAX_NAME_BYTES } from "../../src/dispatch/json_scanner.ts";

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function jsonMembers(all: Uint8Array, cuts: readonly number[] = []): readonly JsonMember[] {
  const reader = new JsonMembers();
  const places = [0, ...cuts.map((cut) => cut % (all.length + 1)), all.length]
    .toSorted((a, b) => a - b);
  for (const [index, place] of places.entries()) {
    reader.push(all.subarray(places[index - 1] ?? 0, place));
  }
  return reader.end(all);
}

function isValid(text: string): boolean {
  try {
    jsonMembers(bytes(text));
    return true;
  } catch (error) {
    assert.ok(error instanceof SyntaxError);
    return false;
  }
}

Deno.test("JsonMembers lists names and spans in their order", () => {
  const text = ' { "a" : [1, {"b": "]}"}] ,"\\u0061":-0.5e+3,"":"x" } ';
  const members = jsonMembers(bytes(text));
  assert.deepEqual(
    members.map(({ name, start, end }) => [name, text.slice(start, end)]),
    [["a", '[1, {"b": "]}"}]'], ["a", "-0.5e+3"], ["", '"x"']],
  );
});

Deno.test("JsonMembers counts bytes, not characters", () => {
  const text = '{"ä€":"🙂","model":"é"}';
  const all = bytes(text);
  const member = jsonMembers(all)[1];
  assert.ok(member !== undefined);
  assert.equal(memberValue(all, member), "é");
});

Deno.test.each([
  "",
  " ",
  "null",
  "[]",
  '"a"',
  "{",
  "}",
  "{}}",
  "{} x",
  '{"a":1,}',
  '{,"a":1}',
  '{"a" 1}',
  '{"a":}',
  "{a:1}",
  "{'a':1}",
  '{"a":01}',
  '{"a":+1}',
  '{"a":1.}',
  '{"a":.5}',
  '{"a":1e}',
  '{"a":-}',
  '{"a":NaN}',
  '{"a":tru}',
  '{"a":nul',
  '{"a":[1 2]}',
  '{"a":[1,]}',
  '{"a":[}',
  '{"a":[1}',
  '{"a":{"b":1]}',
  '{"a":"\n"}',
  '{"a":"\\x"}',
  '{"a":"\\u12g4"}',
  '{"a":"\\u12"}',
  '{"a":"',
  '{"a":"\\"}',
  '\ufeff{"a":1}',
  '{"a":/**/1}',
])("JsonMembers refuses %j", (text) => {
  assert.ok(!isValid(text));
});

Deno.test("JsonMembers refuses what is not UTF-8, an overlong letter among it", () => {
  assert.throws(() => jsonMembers(Uint8Array.of(0x7b, 0x22, 0xc1, 0xad, 0x22, 0x3a, 0x31, 0x7d)), {
    name: "SyntaxError",
    message: "not UTF-8",
  });
});

Deno.test("JsonMembers bounds the nesting and the number of members", () => {
  const nested = (depth: number) => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  assert.ok(isValid(nested(MAX_DEPTH - 1)));
  assert.ok(!isValid(nested(MAX_DEPTH)));
  const wide = (count: number) => `{${Array.from({ length: count }, () => '"a":1').join()}}`;
  assert.ok(isValid(wide(MAX_MEMBERS)));
  assert.ok(!isValid(wide(MAX_MEMBERS + 1)));
});

Deno.test("JsonMembers reads what JSON.parse() reads, however the text is cut", () => {
  const objects = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 5 }));
  const cuts = fc.array(fc.nat());
  fc.assert(fc.property(objects, fc.constantFrom(undefined, 1), cuts, (object, space, cuts) => {
    const all = bytes(JSON.stringify(object, null, space));
    const read = jsonMembers(all, cuts).map((member) => [member.name, memberValue(all, member)]);
    assert.deepEqual(
      Object.fromEntries(read),
      JSON.parse(new TextDecoder().decode(all)),
    );
  }));
});

Deno.test("JsonMembers takes a text for valid when JSON.parse() does, whatever was done to it", () => {
  const change = fc.record({
    at: fc.nat({ max: 200 }),
    remove: fc.nat({ max: 2 }),
    add: fc.constantFrom("", "{", "}", "[", "]", ",", ":", '"', "\\", "u", "0", "-", ".", "e", " "),
  });
  const objects = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(objects, fc.array(change, { maxLength: 3 }), (object, changes) => {
      let text = JSON.stringify(object);
      for (const { at, remove, add } of changes) {
        const place = at % (text.length + 1);
        text = text.slice(0, place) + add + text.slice(place + remove);
      }
      assert.equal(isValid(text), isObject(text), text);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("JsonMembers gives a name that nobody asks for as an empty one", () => {
  const names = (length: number) =>
    jsonMembers(bytes(`{"${"n".repeat(length)}":1}`)).map(({ name }) => name.length);
  assert.deepEqual(names(MAX_NAME_BYTES), [MAX_NAME_BYTES]);
  assert.deepEqual(names(MAX_NAME_BYTES + 1), [0]);
});

Deno.test("JsonMembers refuses a text as soon as it can be no object", () => {
  const reader = new JsonMembers();
  reader.push(bytes('{"a":[1'));
  assert.throws(() => reader.push(bytes("}")), { name: "SyntaxError", message: "not valid JSON" });
});

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
