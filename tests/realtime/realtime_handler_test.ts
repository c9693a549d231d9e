import assert from "node:assert/strict";
import { FakeMeter } from "../support/fake_meter.ts";
import { RouterError } from "../../src/http/mod.ts";
import { type Tracer, UNTRACED } from "../../src/observability/mod.ts";
import { createRealtimeHandler, Sessions, systemClock } from "../../src/realtime/mod.ts";
import { openCircuit } from "../support/live_backends.ts";
import { RecordingLog } from "../support/recording_log.ts";
import { EdgeFixture, UPGRADE } from "../support/edge_fixture.ts";
import { NOW_MS, Scenario } from "./gate_fixture.ts";

const silent = () => {};

/** Writes down what becomes of spans. */
function recordingTracer() {
  const told: unknown[] = [];
  const tracer: Tracer = {
    ...UNTRACED,
    startSpan: (name, options) => {
      told.push({ name, ...options });
      return {
        traceparent: "the session's",
        setAttributes: ({ outcome, ending }) => void told.push({ outcome, ending }),
        end: (options) => void told.push(options),
      };
    },
  };
  return { tracer, told };
}

/** The endpoint before a request whose connection waits for its answer. */
async function setUp(
  scenario: Scenario,
  options: {
    readonly nowMs?: number;
    readonly credentialOf?: () => string | undefined;
    readonly tracer?: Tracer;
  } = {},
) {
  const { nowMs = NOW_MS, credentialOf = () => undefined, tracer = UNTRACED } = options;
  const edge = new EdgeFixture();
  await edge.sends(UPGRADE);
  const sessions = new Sessions();
  const log = new RecordingLog();
  let dials = 0;
  const handle = createRealtimeHandler({
    gate: scenario.gate(nowMs),
    dial: () => {
      dials++;
      return Promise.reject(new Error("nothing is dialled in this test"));
    },
    sessions,
    timers: { handshakeTimeoutMs: 1, idleTimeoutMs: 0, maxSessionDurationMs: 0 },
    backendPath: "/v1/realtime",
    userAgent: "realtime-router/test",
    credentialOf,
    metrics: {
      sessionOpened: () => ({ [Symbol.dispose]: silent }),
      sessionEnded: silent,
      relayed: silent,
      paused: silent,
    },
    meterOf: () => new FakeMeter(),
    onStart: silent,
    onEnd: silent,
    clock: systemClock,
    log,
    tracer,
  });
  const { method, headers, rawQuery } = scenario;
  const request = new Request(`http://router.test/v1/realtime?${rawQuery}`, { method, headers });
  const call = () =>
    handle({ request, connection: edge.connection, requestId: "r", clientAddress: "192.0.2.1" });
  return { edge, call, sessions, log, dials: () => dials };
}

Deno.test("createRealtimeHandler() throws a refusal and starts nothing", async () => {
  const scenario = new Scenario();
  scenario.headers.set("authorization", "Bearer wrong");
  const { edge, call, sessions, dials } = await setUp(scenario);
  assert.throws(call, (error) => error instanceof RouterError && error.code === "invalid_api_key");
  assert.equal(scenario.permits.held, 0);
  assert.equal(sessions.size, 0);
  assert.equal(dials(), 0);
  await edge.finish();
});

Deno.test("createRealtimeHandler() says why a caller counts as anonymous, though it is refused", async () => {
  for (const [authorization, reason] of [["Bearer wrong", "unknown_key"], [null, "no_key"]]) {
    const scenario = new Scenario();
    scenario.mode = "permissive";
    scenario.headers.delete("authorization");
    if (authorization !== null) scenario.headers.set("authorization", authorization!);
    scenario.rawQuery = "model=unknown";
    const { edge, call, log } = await setUp(scenario);
    assert.throws(
      call,
      (error) => error instanceof RouterError && error.code === "model_not_found",
    );
    assert.deepEqual(log.lines, [{
      level: "debug",
      message: "caller is anonymous",
      fields: { request_id: "r", reason },
    }]);
    await edge.finish();
  }
});

Deno.test("createRealtimeHandler() reads the model from the query as it was sent", async () => {
  const scenario = new Scenario();
  scenario.rawQuery = "model=a%2Fb&x=%20";
  const { edge, call } = await setUp(scenario);
  assert.throws(call, (error) => error instanceof RouterError && error.message.includes("'a/b'"));
  await edge.finish();
});

Deno.test("createRealtimeHandler() gives everything back when what follows the checks fails", async () => {
  const scenario = new Scenario();
  openCircuit(scenario.backend, NOW_MS);
  const nowMs = NOW_MS + scenario.backend.config.breaker.timeoutMs;
  const { edge, call, sessions, dials } = await setUp(scenario, {
    nowMs,
    credentialOf: () => {
      throw new TypeError("not a refusal");
    },
  });
  assert.throws(call, TypeError);
  assert.equal(scenario.permits.held, 0);
  assert.deepEqual(scenario.backend.breaker.state(nowMs), {
    kind: "half_open",
    inFlight: 0,
    successes: 0,
  });
  assert.equal(sessions.size, 0);
  assert.equal(dials(), 0);
  await edge.finish();
});

Deno.test.each(
  [
    [null, null],
    ["realtime", "realtime"],
    ["realtime,openai-insecure-api-key.secret, openai-beta.realtime-v1", "realtime"],
    ["openai-insecure-api-key.secret", null],
    ["other, Realtime", null],
  ] as const,
)("createRealtimeHandler() answers the subprotocols %j with %j", async (offered, chosen) => {
  const scenario = new Scenario();
  if (offered !== null) scenario.headers.set("sec-websocket-protocol", offered);
  scenario.headers.set("sec-websocket-extensions", "permessage-deflate");
  scenario.headers.set("x-request-id", "the client's own");
  const { edge, call } = await setUp(scenario);
  const { status, headers } = call();
  assert.equal(status, 101);
  assert.equal(headers.get("x-request-id"), "r");
  assert.equal(headers.get("sec-websocket-protocol"), chosen);
  assert.equal(headers.get("sec-websocket-extensions"), null);
  assert.equal(headers.get("x-served-backend"), null);
  assert.ok(![...headers.values()].some((value) => value.includes("secret")));
  await edge.finish();
});

Deno.test("createRealtimeHandler() holds a permit and lists the session until its client is gone", async () => {
  const scenario = new Scenario();
  const { edge, call, sessions, dials } = await setUp(scenario);
  assert.equal(call().status, 101);
  assert.equal(scenario.permits.held, 1);
  assert.equal(scenario.backend.sessions, 1);
  const [running] = sessions;
  assert.deepEqual({ ...running?.facts, startedAtMs: 0 }, {
    id: "r",
    model: "voice",
    backend: "good",
    keyId: "key-1",
    clientAddress: "192.0.2.1",
    startedAtMs: 0,
  });
  // The client leaves before its 101 is written.
  edge.connection.kill();
  await sessions.whenEmpty();
  assert.equal(scenario.permits.held, 0);
  assert.equal(scenario.backend.sessions, 0);
  assert.equal(dials(), 0);
  await edge.over;
});

Deno.test("createRealtimeHandler() makes a session a span in the client's trace, from its 101 to its end", async () => {
  const scenario = new Scenario();
  scenario.headers.set("traceparent", "the client's");
  const { tracer, told } = recordingTracer();
  const { edge, call, sessions } = await setUp(scenario, { tracer });
  assert.equal(call().status, 101);
  const attributes = {
    request_id: "r",
    model: "voice",
    backend: "good",
    api_key_id: "key-1",
    client_address: "192.0.2.1",
  };
  const started = { name: "realtime session", attributes, traceparent: "the client's" };
  assert.deepEqual(told, [started]);
  edge.connection.kill();
  await sessions.whenEmpty();
  assert.deepEqual(told, [
    started,
    { outcome: "client_abort", ending: "client killed" },
    { failed: true },
  ]);
  await edge.over;
});

Deno.test("createRealtimeHandler() makes no span of a refusal", async () => {
  const scenario = new Scenario();
  scenario.headers.set("authorization", "Bearer wrong");
  const { tracer, told } = recordingTracer();
  const { edge, call } = await setUp(scenario, { tracer });
  assert.throws(call, RouterError);
  assert.deepEqual(told, []);
  await edge.finish();
});
