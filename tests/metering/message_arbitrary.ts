/**
 * Random texts as a backend might send them: events with members left out, in any order, written twice,
 * with escapes in them; and all that is no event.
 */

import fc from "fast-check";

/** A message in parts, so that an example that fails can be read. */
export interface TestMessage {
  readonly text: string;
  /** What stands for `<pad>`: so many times this character. */
  readonly pad: { readonly char: string; readonly count: number } | null;
}

/** The text of a message. */
export function textOf({ text, pad }: TestMessage): string {
  return pad === null ? text : text.replace("<pad>", () => pad.char.repeat(pad.count));
}

/** More of them than are tracked, so that they can all be in flight. */
export const IDS = Array.from({ length: 41 }, (_, index) => `r${index}`);

/** JSON texts, the first of them much more often than the second. */
function mostly(usual: fc.Arbitrary<string>, odd: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: usual },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );
}

/** A JSON string, sometimes with one of its characters escaped. */
function quoted(text: string): fc.Arbitrary<string> {
  const escaped = fc.nat(text.length - 1).map((at) => {
    const code = text.charCodeAt(at).toString(16).padStart(4, "0");
    return `"${text.slice(0, at)}\\u${code}${text.slice(at + 1)}"`;
  });
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(`"${text}"`) },
    { weight: 1, arbitrary: escaped },
  );
}

function oneOf(...texts: string[]): fc.Arbitrary<string> {
  return fc.constantFrom(...texts).chain(quoted);
}

const space = fc.constantFrom("", "", "", " ", "\t\r\n ");

/** An object with its members in any order, some of them missing, some there twice. */
function object(members: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> {
  const written = Object.entries(members).map(([name, value]) => {
    const member = fc.tuple(space, quoted(name), space, value).map(
      ([before, key, after, text]) => `${before}${key}:${after}${text}`,
    );
    return fc.oneof(
      { weight: 10, arbitrary: fc.tuple(member) },
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.tuple(member, member) },
    );
  });
  return fc.tuple(...written)
    .chain((lists) => {
      const all: string[] = lists.flat();
      return fc.shuffledSubarray(all, { minLength: all.length });
    })
    .map((all) => `{${all.join(",")}}`);
}

const NOT_NUMBERS = ["null", "true", '"12"', '""', "[]", "[5]", "{}", '{"cached_tokens":3}'];
const ODD_NUMBERS = [
  ...["0", "-0", "-1", "-900", "0.5", "12.5", "1e3", "1E2", "1.0", "1e-3", "1e999", "-1e999"],
  ...["9007199254740991", "9007199254740992", "9007199254740993", "1e300"],
];
const number = mostly(fc.nat(3000).map(String), [...NOT_NUMBERS, ...ODD_NUMBERS]);

const usage = object({
  total_tokens: number,
  input_tokens: number,
  input_token_details: mostly(object({ text_tokens: number, cached_tokens: number }), NOT_NUMBERS),
  output_tokens: number,
});

const REASONS = ["max_output_tokens", "content_filter", "turn_detected", "client_cancelled"];
const reason = mostly(oneOf(...REASONS, "other", "absent", "weather"), NOT_NUMBERS);
const STATUSES = ["completed", "incomplete", "cancelled", "failed", "in_progress", "canceled"];

const id = mostly(oneOf(...IDS), ["null", "7", '""', "{}", '["r1"]', `"${"long".repeat(100)}"`]);

const response = object({
  id,
  status: mostly(oneOf(...STATUSES), [...NOT_NUMBERS, '["failed"]']),
  status_details: mostly(object({ type: oneOf(...STATUSES), reason }), NOT_NUMBERS),
  usage: mostly(usage, NOT_NUMBERS),
  model: oneOf("voice-9"),
});

function event(type: string, members: Readonly<Record<string, fc.Arbitrary<string>>>) {
  const types = mostly(quoted(type), [
    "7",
    "null",
    '"error"',
    '"response.done"',
    '["response.done"]',
  ]);
  return fc.tuple(space, object({ type: types, event_id: oneOf("event_1"), ...members }), space)
    .map((parts) => parts.join(""));
}

const created = event("response.created", { response: mostly(object({ id }), NOT_NUMBERS) });
const done = event("response.done", { response: mostly(response, NOT_NUMBERS) });
const delta = event("response.output_audio.delta", { response_id: id, delta: oneOf("AAAA") });
const nested = event("error", { error: done, usage });

const notAnEvent = fc.oneof(
  fc.constantFrom("", "hello", "null", "12", "[]", "{}", '"response.done"', '{"type":"x"} {}'),
  done.map((text) => `[${text}]`),
  done.map((text) => `\uFEFF${text}`),
  fc.tuple(done, fc.nat(400)).map(([text, at]) => text.slice(0, at)),
  fc.tuple(done, fc.nat(400)).map(([text, at]) => text.slice(0, at) + text.slice(at + 1)),
  fc.string({ maxLength: 20 }),
  fc.json({ maxDepth: 2 }),
);

/** At, below and above the size that is parsed. */
const huge: fc.Arbitrary<TestMessage> = fc.tuple(
  fc.constantFrom("response.done", "response.created", "response.output_audio.delta"),
  fc.constantFrom(["a", 1], ["é", 2], ["한", 3], ["😀", 4]),
  fc.integer({ min: -100, max: 100 }),
).map(([type, [char, bytes], more]) => {
  const text = `{"type":"${type}","response":{"id":"r1"},"delta":"<pad>"}`;
  const room = 262_144 - (text.length - "<pad>".length);
  return { text, pad: { char: String(char), count: Math.floor((room + more) / Number(bytes)) } };
});

/** Any of them. */
export const anyMessage: fc.Arbitrary<TestMessage> = fc.oneof(
  {
    weight: 400,
    arbitrary: fc.oneof(
      { weight: 4, arbitrary: created },
      { weight: 5, arbitrary: done },
      { weight: 1, arbitrary: delta },
      { weight: 1, arbitrary: nested },
      { weight: 2, arbitrary: notAnEvent },
    ).map((text) => ({ text, pad: null })),
  },
  { weight: 1, arbitrary: huge },
);
