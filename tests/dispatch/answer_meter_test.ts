import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type AnswerFacts,
  answerFacts,
  mergeFacts,
  NO_FACTS,
} from "../../src/dispatch/answer_facts.ts";
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

Deno.test("meterFor(): a type that is no text, and cannot be made one", () => {
  const odd = `data: {"type":{"toString":0},${USAGE}}`;
  assert.deepEqual(read(SSE_TYPE, odd).facts.tokens, TOKENS);
  assert.deepEqual(read(SSE_TYPE, `${odd}\n\n`, event("[DONE]")), {
    facts: { tokens: TOKENS, end: undefined },
    complete: true,
  });
});

Deno.test("meterFor(): events that are no JSON are passed over", () => {
  const { facts } = read(SSE_TYPE, event(`{${USAGE}`), event(`{${USAGE}}`), event('"usage":{'));
  assert.deepEqual(facts.tokens, TOKENS);
});

const MARK = "\ufeff";
const NONE = { tokens: undefined, end: undefined };

Deno.test("meterFor(): a byte order mark before JSON, and before an event", () => {
  assert.deepEqual(read(JSON_TYPE, MARK, `{${USAGE}}`).facts.tokens, TOKENS);
  assert.deepEqual(read(SSE_TYPE, MARK + event(`{${USAGE}}`)).facts.tokens, TOKENS);
});

Deno.test.each(["\n", "\r", "\r\n"])("meterFor(): events whose lines end with %j", (end) => {
  const lines = [`data: {"choices":[],${USAGE}}`, "", "data: [DONE]", "", ""];
  const { facts, complete } = read(SSE_TYPE, lines.join(end));
  assert.deepEqual([facts.tokens, complete], [TOKENS, true]);
});

Deno.test("meterFor(): an event of several lines", () => {
  const { tokens } = read(SSE_TYPE, `data: {\ndata: ${USAGE}\ndata: }\n\n`).facts;
  assert.deepEqual(tokens, TOKENS);
});

Deno.test("meterFor(): a line that is cut off does not take the next event with it", () => {
  const { tokens } = read(SSE_TYPE, 'data: {"usage":\n\n', event(`{${USAGE}}`)).facts;
  assert.deepEqual(tokens, TOKENS);
});

Deno.test("meterFor(): events without empty lines between them", () => {
  const { facts, complete } = read(SSE_TYPE, `data: {"a":1}\ndata: {${USAGE}}\ndata: [DONE]\n`);
  assert.deepEqual([facts.tokens, complete], [TOKENS, true]);
});

Deno.test("meterFor(): any stream of events, however it is written and cut", () => {
  const usage = fc.record({ prompt_tokens: fc.nat(), completion_tokens: fc.nat() });
  const finish_reason = fc.constantFrom("stop", "length", null);
  const event = fc.record({
    usage: fc.oneof(usage, fc.constant(null)),
    choices: fc.array(fc.record({ delta: fc.jsonValue({ maxDepth: 2 }), finish_reason })),
  }, { requiredKeys: [] });
  const shape = {
    event,
    indent: fc.constantFrom(undefined, 1),
    // Of text that is no event.
    noise: fc.constantFrom("", ": ping\n\n", "id: 1\n", "data: x\n\n", "data\n\n", "data:\n\n"),
    space: fc.constantFrom("", " "),
  };
  const end = fc.constantFrom("\n", "\r", "\r\n");
  const cuts = fc.array(fc.nat(), { maxLength: 12 });
  fc.assert(fc.property(
    fc.array(fc.record(shape), { maxLength: 6 }),
    end,
    fc.constantFrom("", MARK),
    cuts,
    (events, end, mark, cuts) => {
      const texts = events.map(({ event, indent, noise, space }) => {
        const lines = JSON.stringify(event, null, indent).split("\n");
        return noise + lines.map((line) => `data:${space}${line}\n`).join("") + "\n";
      });
      const bytes = new TextEncoder().encode(mark + texts.join("").replaceAll("\n", end));
      const meter = meterFor(new Headers(SSE_TYPE));
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length]
        .toSorted((a, b) => a - b);
      for (const [index, place] of places.entries()) {
        meter.push(bytes.subarray(places[index - 1] ?? 0, place));
      }
      const facts = events.map(({ event }) => answerFacts(event)).reduce(mergeFacts, NO_FACTS);
      assert.deepEqual({ ...NONE, ...meter.end() }, { ...NONE, ...facts });
    },
  ));
});
