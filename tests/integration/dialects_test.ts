/**
 * Every kind of backend through the router: nothing changes on the way, and what is metered of it; and
 * backends that do what they must not.
 */

import assert from "node:assert/strict";
import {
  type DemoBackend,
  type DemoBackendOptions,
  type DialectName,
  DIALECTS,
  SAMPLE_TURNS,
  type SampleStep,
  startDemoBackend,
  tone,
} from "../../demo/mod.ts";
import { makeAuthority } from "../support/certificates.ts";
import { NativeClient, type NativeEnd } from "../support/native_client.ts";
import { textTurn, typeOf } from "../support/text_turn.ts";
import {
  MODEL,
  startTestRouter,
  type TestRouter,
  type TestRouterOptions,
} from "../support/test_router.ts";

type Tokens = readonly [input: number, cached: number, output: number];

/** What the two turns of a dialect are to metering: their tokens, null for no record. */
const METERED: Readonly<Record<DialectName, readonly Tokens[] | null>> = {
  "openai": [[2, 0, 11], [9, 2, 11]],
  "azure": [[2, 0, 11], [9, 2, 11]],
  "beta": [[2, 0, 11], [9, 2, 11]],
  "vllm-omni": [[2, 0, 11], [11, 0, 11]],
  "localai": [[2, 0, 10], [10, 0, 10]],
  "hf": [[0, 0, 0], [0, 0, 0]],
  "speaches": [[0, 0, 0], [0, 0, 0]],
  "voicechat": [[0, 0, 0], [0, 0, 0]],
  "vllm": null,
};

const KEY = "backend-key";

function start(
  dialect: DialectName,
  options: DemoBackendOptions = {},
): Promise<DemoBackend> {
  // Sessions show when they expire.
  const now = () => 1_750_000_000_000;
  return startDemoBackend({ speed: 50, now, apiKey: KEY, ...options, dialect: DIALECTS[dialect] });
}

function startRouter(
  backend: DemoBackend,
  dialect: DialectName,
  options: TestRouterOptions = {},
): Promise<TestRouter> {
  const realtime = dialect === "azure"
    ? `realtime: { path: ${DIALECTS.azure.path}, auth: api-key }, `
    : "";
  const yaml = "backends:\n" +
    `  - { name: b0, url: "${new URL(backend.url).origin}", api_key: ${KEY}, ${realtime}` +
    `models: [${MODEL}], ` +
    `model_configs: [{ id: ${MODEL}, metadata: { capabilities: [audio] } }] }`;
  return startTestRouter({ ...options, yaml });
}

/** Has a conversation, and resolves to all that came, as it came. */
async function converse(
  client: NativeClient,
  steps: readonly SampleStep[],
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { send, until } of steps) {
    for (const event of send) client.send(JSON.stringify(event));
    do texts.push(await client.next()); while (typeOf(texts.at(-1) ?? "") !== until);
  }
  client.close(1000);
  await client.ended;
  return texts;
}

/** Where a client dials the backend itself, and with what. */
function direct(backend: DemoBackend) {
  const headers = { "authorization": `Bearer ${KEY}`, "api-key": KEY };
  return NativeClient.open(`${backend.url}?model=${MODEL}`, { headers });
}

async function assertNothingLeft({ router, metric }: TestRouter, outcome: string): Promise<void> {
  await router.sessions.whenEmpty();
  assert.equal(await metric("realtime_sessions_total", { backend: "b0", outcome }), 1);
  assert.equal(await metric("realtime_active_sessions", { backend: "b0" }), 0);
  assert.equal(router.permitsHeld(), 0);
  assert.equal(router.openTickets(), 0);
}

const events = (router: TestRouter, result: string) =>
  router.metric("realtime_usage_events_total", { backend: "b0", result });

const TURNS = [
  { dialect: "openai" },
  { dialect: "azure" },
  { dialect: "beta" },
  { dialect: "vllm-omni" },
  { dialect: "localai" },
  { dialect: "hf" },
  { dialect: "speaches" },
  { dialect: "voicechat" },
  { dialect: "vllm" },
] as const satisfies readonly { readonly dialect: DialectName }[];

Deno.test("every dialect has its turns here", () => {
  const tested = TURNS.map(({ dialect }) => dialect);
  assert.deepEqual(tested.toSorted(), Object.keys(DIALECTS).toSorted());
});

Deno.test.each<{ dialect: DialectName }>(
  [...TURNS],
)("$dialect: passes unchanged, and is metered as it should be", async ({ dialect }) => {
  const steps = SAMPLE_TURNS[dialect];
  await using alone = await start(dialect);
  await using behind = await start(dialect);
  await using router = await startRouter(behind, dialect);
  const expected = await converse(await direct(alone), steps);
  const received = await converse(await NativeClient.open(router.url), steps);
  assert.equal(received.map(typeOf).filter((type) => type === steps.at(-1)?.until).length, 2);
  assert.deepEqual(received, expected);
  await assertNothingLeft(router, "completed");

  const records = router.router.usage.recent.newestFirst(10).toReversed();
  const metered = METERED[dialect] ?? [];
  assert.deepEqual(
    records.map((record) => ({
      tokens: [record.input_tokens, record.cached_input_tokens, record.output_tokens],
      token_source: record.token_source,
      outcome: record.outcome,
      status_reason: record.status_reason,
    })),
    metered.map((tokens) => ({
      tokens,
      token_source: tokens.some((count) => count > 0) ? "engine_final" : "none",
      outcome: "completed",
      status_reason: "absent",
    })),
  );
  if (dialect === "voicechat") assert.deepEqual(records.map((r) => r.latency_ms), [0, 0]);
  assert.equal(await events(router, "recorded"), metered.length);
  for (const result of ["oversized", "unparsed", "session_closed_in_flight"]) {
    assert.equal(await events(router, result), 0, result);
  }
  const total = metered.reduce((sum, [input]) => sum + input, 0);
  const labels = { api_key: "anonymous", model: MODEL, backend: "b0", type: "input" };
  assert.equal(await router.metric("llm_tokens_total", labels), total);
});

Deno.test("azure: the key comes in its own header, at its own path, and nothing of the client", async () => {
  await using backend = await start("azure");
  await using router = await startRouter(backend, "azure");
  const headers = { "authorization": "Bearer of-the-client", "api-key": "of-the-client" };
  const client = await NativeClient.open(router.url, { headers });
  await client.skipTo("session.created");
  await client[Symbol.asyncDispose]();
  const [upgrade] = backend.upgrades;
  assert.equal(upgrade?.url, `/openai/v1/realtime?model=${MODEL}`);
  assert.equal(upgrade?.headers.get("api-key"), KEY);
  assert.equal(upgrade?.headers.has("authorization"), false);
  await assertNothingLeft(router, "completed");
});

Deno.test("localai: a delta of five seconds is oversized, its response is metered", async () => {
  await using backend = await start("localai");
  await using router = await startRouter(backend, "localai");
  const client = await NativeClient.open(router.url);
  const response = { metadata: { secs: "5" } };
  const texts = await converse(client, [
    { send: [{ type: "response.create", response }], until: "response.done" },
  ]);
  const delta = tone(5_000).toBase64();
  assert.equal(texts.filter((text) => text.includes(delta)).length, 1);
  await assertNothingLeft(router, "completed");
  assert.equal(await events(router, "oversized"), 1);
  const [record] = router.router.usage.recent.newestFirst(10);
  assert.partialDeepStrictEqual(record, { output_tokens: 102, token_source: "engine_final" });
});

Deno.test.each<
  { dialect: DialectName; code: string; end: { code: number; reason: string }; outcome: string }
>([
  {
    dialect: "vllm-omni",
    code: "unsupported_model",
    end: { code: 1008, reason: "This model is not served here" },
    outcome: "completed",
  },
  {
    dialect: "localai",
    code: "invalid_model",
    end: { code: 1011, reason: "backend connection lost" },
    outcome: "backend_abort",
  },
])("$dialect: a model it does not have is told as it tells it", async (row) => {
  await using backend = await start(row.dialect, { models: ["other"] });
  await using router = await startRouter(backend, row.dialect);
  const client = await NativeClient.open(router.url);
  assert.partialDeepStrictEqual(JSON.parse(await client.next()), {
    type: "error",
    error: { code: row.code },
  });
  assert.partialDeepStrictEqual(await client.ended, row.end);
  await assertNothingLeft(router, row.outcome);
});

Deno.test.each<{ dialect: DialectName; code: string; close: number }>([
  { dialect: "hf", code: "session_limit_reached", close: 1008 },
  { dialect: "voicechat", code: "server_busy", close: 1013 },
])("$dialect: $code and Close $close reach the client", async ({ dialect, code, close }) => {
  await using backend = await start(dialect, { maxSessions: 1 });
  await using router = await startRouter(backend, dialect);
  await using first = await direct(backend);
  await first.skipTo("session.created");
  const second = await NativeClient.open(router.url);
  assert.partialDeepStrictEqual(JSON.parse(await second.next()), { error: { code } });
  assert.equal((await second.ended).code, close);
  await assertNothingLeft(router, "completed");
});

Deno.test("speaches: a refusal without a body is a failed connection", async () => {
  await using backend = await start("speaches", { apiKey: "another" });
  await using router = await startRouter(backend, "speaches");
  const client = await NativeClient.open(router.url);
  assert.equal((await client.ended).code, 1011);
  assert.equal(backend.upgrades[0]?.status, 403);
  await assertNothingLeft(router, "backend_connect_failed");
});

/** A backend that misbehaves, and what becomes of the session. */
interface Fault {
  readonly name: string;
  readonly backend?: DemoBackendOptions;
  readonly realtime?: string;
  /** Steers the backend once the session is open. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly end: Pick<NativeEnd, "code" | "reason">;
  readonly outcome: string;
  /** The code that the backend saw at the end; absent when it never had a session. */
  readonly seen?: number;
}

const NOT_CONNECTED = {
  end: { code: 1011, reason: "backend connection failed" },
  outcome: "backend_connect_failed",
};
const LOST = { end: { code: 1011, reason: "backend connection lost" }, outcome: "backend_abort" };
const IDLE = { end: { code: 1000, reason: "idle timeout" }, outcome: "idle_timeout" };
const HOUR_MS = 3_600_000;

const answering = (status: 401 | 403 | 429 | 503): Fault => ({
  name: `answers ${status}`,
  backend: { upgradeFault: { kind: "answer", status } },
  ...NOT_CONNECTED,
});

const FAULTS: readonly Fault[] = [
  answering(401),
  answering(403),
  answering(429),
  answering(503),
  {
    name: "hangs before its 101",
    backend: { upgradeFault: { kind: "hang" } },
    realtime: 'handshake_timeout: "150ms"',
    ...NOT_CONNECTED,
  },
  {
    name: "is too slow with its 101",
    backend: { upgradeFault: { kind: "slow", delayMs: HOUR_MS } },
    realtime: 'handshake_timeout: "150ms"',
    ...NOT_CONNECTED,
  },
  {
    name: "accepts another key",
    backend: { upgradeFault: { kind: "wrong-accept" } },
    ...NOT_CONNECTED,
  },
  {
    name: "chooses an extension that was not offered",
    backend: { upgradeFault: { kind: "extension" } },
    ...NOT_CONNECTED,
  },
  {
    name: "chooses a subprotocol though none was offered",
    backend: { upgradeFault: { kind: "subprotocol" } },
    ...NOT_CONNECTED,
  },
  { name: "masks its frames", backend: { masksFrames: true }, ...LOST, seen: 1002 },
  { name: "sends too much", metadata: { big: "4194305" }, ...LOST, seen: 1009 },
  { name: "half-closes", metadata: { fin: "1" }, ...LOST, seen: 1006 },
  { name: "resets", metadata: { die: "1" }, ...LOST, seen: 1006 },
  {
    name: "freezes",
    metadata: { freeze: "1" },
    realtime: 'idle_timeout: "300ms"',
    ...IDLE,
    seen: 1006,
  },
  {
    name: "pings without end",
    backend: { floodsWithPings: true },
    realtime: 'idle_timeout: "300ms"',
    ...IDLE,
    seen: 1000,
  },
];

Deno.test.each(FAULTS)("a backend that $name", async (fault: Fault) => {
  await using backend = await start("openai", fault.backend);
  await using router = await startRouter(backend, "openai", { realtime: fault.realtime ?? "" });
  const client = await NativeClient.open(router.url);
  if (fault.metadata !== undefined) {
    await client.skipTo("session.created");
    for (const text of textTurn({ metadata: fault.metadata })) client.send(text);
  }
  const { code, reason } = await client.ended;
  assert.deepEqual({ code, reason }, fault.end);
  // One that is frozen would keep its connection for the whole grace.
  if (fault.metadata?.["freeze"] !== undefined) await backend.close();
  await assertNothingLeft(router, fault.outcome);
  if (fault.seen !== undefined) {
    assert.equal((await backend.upgrades[0]?.closed)?.code, fault.seen);
  }
});

Deno.test("a backend that is slow with its 101 misses nothing that was sent meanwhile", async () => {
  await using backend = await start("openai", { upgradeFault: { kind: "slow", delayMs: 150 } });
  await using router = await startRouter(backend, "openai");
  const client = await NativeClient.open(router.url);
  for (const text of textTurn({ metadata: { secs: "0.2" } })) client.send(text);
  assert.equal(backend.upgrades.length, 0);
  await client.skipTo("response.done");
  await client[Symbol.asyncDispose]();
  await assertNothingLeft(router, "completed");
});

Deno.test("a backend that pings has its pongs from the router", async () => {
  const pongs = Promise.withResolvers<void>();
  let count = 0;
  const onPong = () => ++count === 3 && pongs.resolve();
  await using backend = await start("openai", {
    keepalive: { intervalMs: 20, timeoutMs: 5_000, onPong },
  });
  await using router = await startRouter(backend, "openai");
  const client = await NativeClient.open(router.url);
  await pongs.promise;
  await client[Symbol.asyncDispose]();
  await assertNothingLeft(router, "completed");
});

Deno.test.each([
  { name: "that nobody trusts", names: ["127.0.0.1"], ageMs: 0, trusted: false },
  { name: "that has expired", names: ["127.0.0.1"], ageMs: HOUR_MS, trusted: true },
  { name: "for another host", names: ["backend.test"], ageMs: 0, trusted: true },
])("a backend with a certificate $name", async ({ names, ageMs, trusted }) => {
  const authority = await makeAuthority();
  const notAfter = new Date(Date.now() + HOUR_MS / 2 - ageMs);
  const tls = await authority.issue({ names, notAfter });
  await using backend = await start("openai", { tls });
  const caCerts = trusted ? [authority.caPem] : [];
  await using router = await startRouter(backend, "openai", { caCerts });
  const client = await NativeClient.open(router.url);
  const { code, reason } = await client.ended;
  assert.deepEqual({ code, reason }, NOT_CONNECTED.end);
  await assertNothingLeft(router, NOT_CONNECTED.outcome);
  assert.equal(backend.upgrades.length, 0);
});
