import assert from "node:assert/strict";
import { type AnswerFacts, answerFacts, mergeFacts } from "../../src/dispatch/answer_facts.ts";

interface Case {
  readonly name: string;
  readonly answer: unknown;
  readonly facts: AnswerFacts;
}

const completed = { outcome: "completed", reason: "absent" } as const;
const failed = { outcome: "upstream_error", reason: "other" } as const;

function status(status: string, details?: unknown): unknown {
  return { object: "response", status, incomplete_details: details, error: null };
}

const ENDS: readonly (readonly [name: string, answer: unknown, end: AnswerFacts["end"]])[] = [
  ["a choice that stopped", { choices: [{ finish_reason: "stop" }] }, completed],
  ["a choice that called a tool", { choices: [{ finish_reason: "tool_calls" }] }, completed],
  [
    "one of two choices that was cut",
    { choices: [{ finish_reason: "length" }, { finish_reason: "stop" }] },
    { outcome: "length", reason: "max_output_tokens" },
  ],
  [
    "a filtered choice",
    { choices: [{ finish_reason: "content_filter" }] },
    { outcome: "completed", reason: "content_filter" },
  ],
  ["a choice that goes on", { choices: [{ finish_reason: null }] }, undefined],
  ["no choices", { choices: [] }, undefined],
  ["choices of another kind", { choices: "many" }, undefined],
  ["completed", status("completed"), completed],
  [
    "incomplete for its length",
    status("incomplete", { reason: "max_output_tokens" }),
    { outcome: "length", reason: "max_output_tokens" },
  ],
  [
    "incomplete for its content",
    status("incomplete", { reason: "content_filter" }),
    { outcome: "completed", reason: "content_filter" },
  ],
  [
    "incomplete for another reason",
    status("incomplete", { reason: "tired" }),
    { outcome: "completed", reason: "other" },
  ],
  ["incomplete without a reason", status("incomplete", null), completed],
  ["failed", status("failed"), failed],
  ["cancelled", status("cancelled"), { outcome: "client_cancelled", reason: "other" }],
  ["in progress", status("in_progress"), undefined],
  ["an error", { error: { message: "m" } }, failed],
  ["an error event", { type: "error", message: "m" }, failed],
  ["an event with a response", { type: "response.failed", response: status("failed") }, failed],
];

Deno.test.each(ENDS)("answerFacts() of %s", (_name, answer, end) => {
  assert.deepEqual(answerFacts(answer), { tokens: undefined, end });
});

const TOKENS: readonly Case[] = [
  {
    name: "chat",
    answer: {
      usage: {
        prompt_tokens: 10,
        completion_tokens: 4,
        total_tokens: 14,
        prompt_tokens_details: { cached_tokens: 3 },
      },
    },
    facts: { tokens: { input: 7, cachedInput: 3, output: 4 } },
  },
  {
    name: "responses",
    answer: {
      usage: { input_tokens: 9, output_tokens: 2, input_tokens_details: { cached_tokens: 9 } },
    },
    facts: { tokens: { input: 0, cachedInput: 9, output: 2 } },
  },
  {
    name: "a streamed response",
    answer: { type: "response.completed", response: { usage: { input_tokens: 1 } } },
    facts: { tokens: { input: 1, cachedInput: 0, output: 0 } },
  },
  {
    name: "embeddings",
    answer: { usage: { prompt_tokens: 8, total_tokens: 8 } },
    facts: { tokens: { input: 8, cachedInput: 0, output: 0 } },
  },
  {
    name: "reranking, of which only the total is said",
    answer: { usage: { total_tokens: 12 } },
    facts: { tokens: { input: 12, cachedInput: 0, output: 0 } },
  },
  {
    name: "more cached than there was",
    answer: { usage: { prompt_tokens: 1, prompt_tokens_details: { cached_tokens: 5 } } },
    facts: { tokens: { input: 0, cachedInput: 5, output: 0 } },
  },
  {
    name: "numbers that are none",
    answer: {
      usage: {
        prompt_tokens: -1,
        completion_tokens: 1.5,
        prompt_tokens_details: { cached_tokens: "3" },
      },
    },
    facts: { tokens: { input: 0, cachedInput: 0, output: 0 } },
  },
  {
    name: "null details",
    answer: { usage: { prompt_tokens: 2, completion_tokens: null, prompt_tokens_details: null } },
    facts: { tokens: { input: 2, cachedInput: 0, output: 0 } },
  },
  { name: "null usage", answer: { usage: null }, facts: {} },
  { name: "a list", answer: [{ usage: { prompt_tokens: 2 } }], facts: {} },
  { name: "a text", answer: "usage", facts: {} },
  { name: "null", answer: null, facts: {} },
];

Deno.test.each(TOKENS)("answerFacts() counts the tokens of $name", ({ answer, facts }) => {
  assert.deepEqual(answerFacts(answer).tokens, facts.tokens);
});

Deno.test("mergeFacts() lets later facts win, but not a plain end over another one", () => {
  const tokens = (input: number) => ({ input, cachedInput: 0, output: 0 });
  const cut = { outcome: "length", reason: "max_output_tokens" } as const;
  assert.deepEqual(mergeFacts({ tokens: tokens(1), end: completed }, { tokens: tokens(2) }), {
    tokens: tokens(2),
    end: completed,
  });
  assert.deepEqual(mergeFacts({ end: cut }, { end: completed }).end, cut);
  assert.deepEqual(mergeFacts({ end: completed }, { end: cut }).end, cut);
  assert.deepEqual(mergeFacts({ end: cut }, { end: failed }).end, failed);
  assert.deepEqual(mergeFacts({}, { end: completed }).end, completed);
});
