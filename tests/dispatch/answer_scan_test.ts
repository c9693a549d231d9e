import assert from "node:assert/strict";
import fc from "fast-check";
import { answerFacts } from "../../src/dispatch/answer_facts.ts";
import { AnswerScan, MAX_REASONS, MAX_VALUE_BYTES } from "../../src/dispatch/answer_scan.ts";

function scan(text: string, cuts: readonly number[] = []): unknown {
  const bytes = new TextEncoder().encode(text);
  const reader = new AnswerScan();
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length]
    .toSorted((a, b) => a - b);
  for (const [index, place] of places.entries()) {
    reader.push(bytes.subarray(places[index - 1] ?? 0, place));
  }
  return reader.end();
}

Deno.test("AnswerScan takes what tells cost and end, and nothing else", () => {
  const answer = {
    id: "x",
    type: "t",
    status: "completed",
    incomplete_details: null,
    usage: { input_tokens: 1, input_tokens_details: { cached_tokens: 1 } },
    error: { message: "m" },
    choices: [{ index: 0, message: { finish_reason: "not here" }, finish_reason: "stop" }],
    output: [{ status: "in_progress", usage: {} }],
  };
  const { id: _id, output: _output, choices: _choices, ...taken } = answer;
  assert.deepEqual(scan(JSON.stringify(answer)), {
    ...taken,
    choices: [{ finish_reason: "stop" }],
  });
  assert.deepEqual(
    scan(JSON.stringify({ response: { ...answer, choices: [], usage: 1 }, x: { usage: 1 } })),
    { response: { ...taken, usage: 1 } },
  );
});

Deno.test.each([
  ["a choice", '{"choices":{"finish_reason":"stop"}}', {}],
  ["choices in an array", '{"choices":[[{"finish_reason":"stop"}]]}', {}],
  ["a response", '{"response":[{"status":"failed"}]}', {}],
  [
    "a name that comes twice",
    '{"usage":1,"choices":[{"finish_reason":"a"}],"usage":2,"choices":1}',
    {
      usage: 2,
    },
  ],
  ["a name with escapes", '{"us\\u0061ge":1.5e1}', { usage: 15 }],
])("AnswerScan of %s of another shape", (_name, text, expected) => {
  assert.deepEqual(scan(text), expected);
});

Deno.test.each(["", "[]", "{", '{"usage":{"a":1}', '{"usage":1}}', '{"usage":1}{}', "{usage:1}"])(
  "AnswerScan of %j: no answer",
  (text) => {
    assert.equal(scan(text), undefined);
  },
);

Deno.test("AnswerScan bounds what it keeps", () => {
  const text = (length: number) => "x".repeat(length - 2);
  const status = (length: number) => scan(JSON.stringify({ status: text(length) }));
  assert.deepEqual(status(MAX_VALUE_BYTES), { status: text(MAX_VALUE_BYTES) });
  assert.deepEqual(status(MAX_VALUE_BYTES + 1), { status: undefined });
  assert.deepEqual(
    scan(JSON.stringify({ error: { message: text(MAX_VALUE_BYTES) } }), [20, 9999]),
    {
      error: {},
    },
  );
  const choices = Array.from({ length: 100 }, (_, index) => ({ finish_reason: `r${index}` }));
  assert.deepEqual(scan(JSON.stringify({ choices: [...choices, ...choices] })), {
    choices: choices.slice(0, MAX_REASONS),
  });
});

Deno.test("AnswerScan finds the facts that JSON.parse() finds, however the answer is cut", () => {
  const tokens = fc.oneof(fc.nat(), fc.constantFrom(-1, 1.5, "3", null));
  const usage = fc.record({
    prompt_tokens: tokens,
    completion_tokens: tokens,
    input_tokens: tokens,
    prompt_tokens_details: fc.oneof(fc.record({ cached_tokens: tokens }), fc.constant(null)),
  }, { requiredKeys: [] });
  const reason = fc.constantFrom("stop", "length", "content_filter", null, 1);
  const choice = fc.oneof(
    fc.record({ finish_reason: reason, message: fc.jsonValue() }),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const status = fc.constantFrom("completed", "incomplete", "failed", "cancelled", "queued", null);
  const part = fc.record({
    usage: fc.oneof(usage, fc.jsonValue({ maxDepth: 2 })),
    choices: fc.oneof(fc.array(choice, { maxLength: 4 }), fc.jsonValue({ maxDepth: 2 })),
    status,
    incomplete_details: fc.oneof(
      fc.record({ reason: fc.constantFrom("max_output_tokens", "x") }),
      fc.constant(null),
    ),
    error: fc.constantFrom(null, {}, { message: "m" }, "m"),
    type: fc.constantFrom("error", "response.completed"),
    data: fc.jsonValue(),
  }, { requiredKeys: [] });
  // What a response has are no choices.
  const response = part.map(({ choices: _choices, ...rest }) => ({ status: "queued", ...rest }));
  const answer = fc.oneof(part, fc.record({ response, usage }));
  const cuts = fc.array(fc.nat(), { maxLength: 8 });
  fc.assert(
    fc.property(answer, cuts, fc.constantFrom(undefined, 1), (answer, cuts, space) => {
      const text = JSON.stringify(answer, null, space);
      assert.deepEqual(answerFacts(scan(text, cuts)), answerFacts(JSON.parse(text)));
    }),
    { numRuns: 2_000 },
  );
});
