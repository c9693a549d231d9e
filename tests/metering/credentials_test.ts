import assert from "node:assert/strict";
import { Credentials } from "../../src/metering/credentials.ts";
import type { CredentialsAnswer } from "../../src/metering/hub_client.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { RecordingLog } from "../support/recording_log.ts";
import { settled } from "../support/settled.ts";

const REFRESH_MS = 60_000;
const KEEP = "warn no new credentials from the hub, the last known ones stay";

/** Answers requests in turn; the last answer stays. */
function setUp(answers: readonly (string | Extract<CredentialsAnswer, { kind: "failed" }>)[]) {
  const clock = new FakeClock();
  const log = new RecordingLog();
  const asked = { times: 0 };
  const credentials = new Credentials({
    hub: {
      fetchCredentials: () => {
        const answer = answers[Math.min(asked.times++, answers.length - 1)] ?? "";
        return Promise.resolve(
          typeof answer === "string" ? { kind: "answer", text: answer } : answer,
        );
      },
    },
    refreshMs: REFRESH_MS,
    clock,
    random: () => 0,
    log,
  });
  return { clock, log, asked, credentials };
}

const answerOf = (keys: Readonly<Record<string, string>>) =>
  JSON.stringify({
    credentials: Object.fromEntries(
      Object.entries(keys).map(([backend, key]) => [backend, { api_key: key }]),
    ),
  });
const UNREACHABLE = { kind: "failed", cause: "unreachable" } as const;

Deno.test("Credentials.of() knows nothing before the first answer, then what it says", async () => {
  const { credentials, log } = setUp([answerOf({ a: "key-a", b: "key-b" })]);
  assert.equal(credentials.of("a"), undefined);
  await credentials.start();
  assert.equal(credentials.of("a"), "key-a");
  assert.equal(credentials.of("b"), "key-b");
  assert.equal(credentials.of("c"), undefined);
  assert.equal(credentials.of("constructor"), undefined);
  assert.deepEqual(log.texts, ["info new credentials from the hub"]);
  await credentials.close();
});

Deno.test("Credentials ask again every refresh; each answer replaces all that was known", async () => {
  const { credentials, clock, asked, log } = setUp([
    answerOf({ a: "key-a", b: "key-b" }),
    answerOf({ a: "key-a", b: "key-b" }),
    answerOf({ a: "key-2", c: "key-c" }),
    answerOf({}),
  ]);
  await credentials.start();
  clock.advance(REFRESH_MS - 1);
  assert.equal(asked.times, 1);
  clock.advance(1);
  await settled();
  assert.equal(asked.times, 2);
  assert.equal(log.lines.length, 1);
  clock.advance(REFRESH_MS);
  await settled();
  assert.deepEqual(["a", "b", "c"].map((name) => credentials.of(name)), [
    "key-2",
    undefined,
    "key-c",
  ]);
  assert.equal(log.lines.length, 2);
  clock.advance(REFRESH_MS);
  await settled();
  assert.equal(credentials.of("a"), undefined);
  await credentials.close();
});

Deno.test.each([
  { name: "no JSON", text: "{" },
  { name: "an empty body", text: "" },
  { name: "a list", text: "[]" },
  { name: "null", text: "null" },
  { name: "no credentials", text: "{}" },
  { name: "a list of credentials", text: '{"credentials":[]}' },
  { name: "a bare key", text: '{"credentials":{"a":"key-x"}}' },
  { name: "no key", text: '{"credentials":{"a":{}}}' },
  { name: "an empty key", text: '{"credentials":{"a":{"api_key":""}}}' },
  { name: "a key with a line break", text: '{"credentials":{"a":{"api_key":"key\\r\\nx: y"}}}' },
  { name: "a key with a space", text: '{"credentials":{"a":{"api_key":"key x"}}}' },
  { name: "a key beyond ASCII", text: '{"credentials":{"a":{"api_key":"kéy"}}}' },
  { name: "a number as a key", text: '{"credentials":{"a":{"api_key":7}}}' },
  { name: "one bad key among good ones", text: answerOf({ b: "key-2", c: "key\n" }) },
  { name: "a key of 4097 characters", text: answerOf({ a: "k".repeat(4_097) }) },
  { name: "a backend's name of 129 characters", text: answerOf({ ["a".repeat(129)]: "key-2" }) },
])("Credentials answered with $name stay as they were, all of them", async ({ text }) => {
  const { credentials, clock, log } = setUp([answerOf({ a: "key-a", b: "key-b" }), text]);
  await credentials.start();
  clock.advance(REFRESH_MS);
  await settled();
  assert.equal(credentials.of("a"), "key-a");
  assert.equal(credentials.of("b"), "key-b");
  assert.equal(credentials.of("c"), undefined);
  assert.equal(log.texts.at(-1), KEEP);
  assert.deepEqual(log.lines.at(-1)?.fields, { cause: "answer invalid", retry_ms: 1_000 });
  await credentials.close();
});

Deno.test("Credentials take keys beside fields that they do not know", async () => {
  const { credentials } = setUp([
    '{"version":2,"credentials":{"a":{"api_key":"key-a","expires":"never"}}}',
  ]);
  await credentials.start();
  assert.equal(credentials.of("a"), "key-a");
  await credentials.close();
});

Deno.test("Credentials stay while the hub is away; it is asked after 1, 2, 4 … s, at most refresh", async () => {
  const { credentials, clock, asked, log } = setUp([
    UNREACHABLE,
    UNREACHABLE,
    UNREACHABLE,
    answerOf({ a: "key-a" }),
    UNREACHABLE,
  ]);
  await credentials.start();
  for (const [ms, times] of [[1_000, 2], [2_000, 3], [4_000, 4]] as const) {
    clock.advance(ms - 1);
    await settled();
    assert.equal(asked.times, times - 1);
    clock.advance(1);
    await settled();
    assert.equal(asked.times, times);
  }
  assert.equal(credentials.of("a"), "key-a");
  clock.advance(REFRESH_MS);
  for (let failures = 1; failures <= 20; failures++) {
    await settled();
    assert.equal(asked.times, 4 + failures);
    assert.equal(credentials.of("a"), "key-a");
    clock.advance(Math.min(500 * 2 ** failures, 30_000));
  }
  assert.ok(log.texts.every((text) => text === KEEP || text.startsWith("info")));
  await credentials.close();
});

Deno.test("Credentials honour retry-after, but are asked for again after refresh at the latest", async () => {
  const { credentials, clock, asked } = setUp([
    { kind: "failed", cause: "status 503", retryAfterMs: 20_000 },
    { kind: "failed", cause: "status 503", retryAfterMs: 3_600_000 },
    UNREACHABLE,
  ]);
  await credentials.start();
  clock.advance(19_999);
  assert.equal(asked.times, 1);
  clock.advance(1);
  await settled();
  assert.equal(asked.times, 2);
  clock.advance(REFRESH_MS);
  await settled();
  assert.equal(asked.times, 3);
  await credentials.close();
});

Deno.test("Credentials never get into the log, whatever the hub says", async () => {
  const secret = "very-secret-key";
  const { credentials, clock, log } = setUp([
    answerOf({ a: secret }),
    answerOf({ a: `${secret}\n` }),
    `{"credentials": ${secret}`,
    JSON.stringify({ credentials: { [secret]: secret } }),
  ]);
  await credentials.start();
  for (let i = 0; i < 4; i++) {
    clock.advance(REFRESH_MS);
    await settled();
  }
  assert.ok(log.lines.length >= 3);
  assert.ok(!JSON.stringify(log.lines).includes(secret));
  await credentials.close();
});

Deno.test("Credentials.close() ends the timer and ignores an answer that is on its way", async () => {
  const clock = new FakeClock();
  const answer = Promise.withResolvers<CredentialsAnswer>();
  const signals: AbortSignal[] = [];
  const credentials = new Credentials({
    hub: {
      fetchCredentials: (signal) => {
        signals.push(signal);
        return answer.promise;
      },
    },
    refreshMs: REFRESH_MS,
    clock,
    random: () => 0,
    log: new RecordingLog(),
  });
  const starting = credentials.start();
  const closing = credentials.close();
  assert.equal(signals[0]?.aborted, true);
  answer.resolve({ kind: "answer", text: answerOf({ a: "key-a" }) });
  await starting;
  await closing;
  assert.equal(credentials.of("a"), undefined);
  assert.equal(clock.pending, 0);

  const { credentials: running, clock: other } = setUp([answerOf({})]);
  await running.start();
  assert.equal(other.pending, 1);
  await running.close();
  assert.equal(other.pending, 0);
});
