import assert from "node:assert/strict";
import type { AnswerFacts } from "../../src/dispatch/answer_facts.ts";
import { meterFor } from "../../src/dispatch/answer_meter.ts";

interface Read {
  readonly facts: AnswerFacts;
  readonly complete: boolean;
}

function read(headers: Readonly<Record<string, string>>, ...pieces: readonly string[]): Read {
  const meter = meterFor(new Headers(headers));
  for (const piece of pieces) meter.push(new TextEncoder().encode(piece));
  return { facts: meter.end(), complete: meter.complete };
}

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
const SSE_TYPE = { "content-type": "text/event-stream; charset=utf-8" };
const USAGE = '"usage": {"prompt_tokens":3,"completion_tokens":2}';
const TOKENS = { input: 3, cachedInput: 0, output: 2 };
const COMPLETED = { outcome: "completed", reason: "absent" } as const;

function event(data: unknown): string {
  return `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

Deno.test("meterFor(): JSON, in pieces", () => {
  const { facts } = read(JSON_TYPE, '{"choices":[{"finish_', `reason":"stop"}],${USAGE}`, "}");
  assert.deepEqual(facts, { tokens: TOKENS, end: COMPLETED });
});

Deno.test("meterFor(): JSON that is broken, or has its usage further inside", () => {
  assert.equal(read(JSON_TYPE, `{${USAGE}`).facts.tokens, undefined);
  assert.equal(read(JSON_TYPE, `{"data":[{${USAGE}}]}`).facts.tokens, undefined);
});

Deno.test("meterFor(): JSON and events of any length", () => {
  const long = "x".repeat(5 * 1024 * 1024);
  assert.deepEqual(
    read(JSON_TYPE, `{"data":[{"b64_json":"${long}"}],${USAGE}}`).facts.tokens,
    TOKENS,
  );
  const completed = { type: "response.completed", response: { output: long, status: "completed" } };
  const last = JSON.stringify(completed).replace("}}", `,${USAGE}}}`);
  assert.deepEqual(read(SSE_TYPE, `data: ${last}\n`), {
    facts: { tokens: TOKENS, end: COMPLETED },
    complete: true,
  });
});

Deno.test.each([
  ["another type", { "content-type": "audio/mpeg" }],
  ["no type", {}],
  ["an encoding", { ...JSON_TYPE, "content-encoding": "gzip" }],
])("meterFor() reads nothing of %s", (_name, headers) => {
  assert.deepEqual(read(headers, `{${USAGE}}`), { facts: {}, complete: false });
});

Deno.test("meterFor(): chat events, their usage in the last one", () => {
  const events = [
    event({ choices: [{ delta: { content: "Hi" }, finish_reason: null }], usage: null }),
    event({ choices: [{ delta: {}, finish_reason: "length" }], usage: null }),
  ];
  const last = event(`{"choices":[],${USAGE}}`);
  assert.deepEqual(read(SSE_TYPE, ...events, last), {
    facts: { tokens: TOKENS, end: { outcome: "length", reason: "max_output_tokens" } },
    complete: false,
  });
  assert.ok(read(SSE_TYPE, ...events, last, event("[DONE]")).complete);
});

Deno.test("meterFor(): chat events that count as they go: the last count is the right one", () => {
  const counted = (completion_tokens: number) =>
    event({ choices: [{ delta: {} }], usage: { prompt_tokens: 3, completion_tokens } });
  assert.deepEqual(read(SSE_TYPE, counted(1), counted(2)).facts.tokens, TOKENS);
});

Deno.test.each([
  ["completed", "completed", COMPLETED],
  ["incomplete", "incomplete", COMPLETED],
  ["failed", "failed", { outcome: "upstream_error", reason: "other" }],
])("meterFor(): the event response.%s is the last", (type, status, end) => {
  const usage = { input_tokens: 3, output_tokens: 2 };
  const result = read(
    SSE_TYPE,
    event({ type: "response.created", response: { status: "in_progress", usage: null } }),
    event({ type: "response.output_text.delta", delta: "Hi" }),
    event({ type: `response.${type}`, response: { status, usage } }),
  );
  assert.deepEqual(result, { facts: { tokens: TOKENS, end }, complete: true });
});

Deno.test("meterFor(): an error in a stream", () => {
  const { facts } = read(SSE_TYPE, event({ error: { message: "out of memory" } }), event("[DONE]"));
  assert.deepEqual(facts.end, { outcome: "upstream_error", reason: "other" });
});

Deno.test("meterFor(): what a model writes is no usage", () => {
  const content = `{${USAGE},"finish_reason":"length"}`;
  const { facts } = read(SSE_TYPE, event({ choices: [{ delta: { content } }] }));
  assert.deepEqual(facts, { tokens: undefined, end: undefined });
});

Deno.test("meterFor(): events that are no JSON are passed over", () => {
  const { facts } = read(SSE_TYPE, event(`{${USAGE}`), event(`{${USAGE}}`), event('"usage":{'));
  assert.deepEqual(facts.tokens, TOKENS);
});
