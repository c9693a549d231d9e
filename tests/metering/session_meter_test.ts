import assert from "node:assert/strict";
import { SessionMeter } from "../../src/metering/mod.ts";
import { CONTEXT, created, done, EPOCH_MS, MeterFixture, REQUEST_ID } from "./meter_fixture.ts";

Deno.test("SessionMeter makes the whole record", () => {
  const fixture = new MeterFixture();
  fixture.nowMs = 100;
  fixture.relay(created("resp_1"));
  fixture.nowMs = 1350.4;
  fixture.relay(done("resp_1", {
    status: "incomplete",
    status_details: { type: "incomplete", reason: "max_output_tokens" },
    model: "the backend's own word",
    usage: {
      total_tokens: 1050,
      input_tokens: 1000,
      output_tokens: 50,
      input_token_details: { text_tokens: 20, audio_tokens: 980, cached_tokens: 900 },
      output_token_details: { text_tokens: 10, audio_tokens: 40 },
    },
  }));
  fixture.nowMs = 2000;
  fixture.acceptAll();
  assert.deepEqual(fixture.records, [{
    record_id: `${REQUEST_ID}:1`,
    request_id: REQUEST_ID,
    attempt_seq: 1,
    timestamp: new Date(EPOCH_MS + 2000).toISOString(),
    endpoint: "/v1/realtime",
    model: "voice-1",
    backend: "b1",
    api_key_id: "key-1",
    user_id: "user-1",
    organization_id: "org-1",
    stream: true,
    http_status: 101,
    input_tokens: 100,
    cached_input_tokens: 900,
    output_tokens: 50,
    latency_ms: 1250,
    ttft_absent_reason: "not_observed",
    token_source: "engine_final",
    outcome: "length",
    status_reason: "max_output_tokens",
  }]);
  assert.deepEqual(fixture.results, [["recorded", 1]]);
});

Deno.test("SessionMeter keeps null for anonymous callers", () => {
  const records: unknown[] = [];
  const meter = new SessionMeter({
    context: { ...CONTEXT, apiKeyId: null, userId: null, organizationId: null },
    sink: { record: (record) => records.push(record) },
    onResult: () => {},
    now: () => 0,
    unixNow: () => EPOCH_MS,
  });
  meter.relayed(JSON.stringify(done("r")), 1);
  meter.accepted(1);
  assert.partialDeepStrictEqual(records, [
    { api_key_id: null, user_id: null, organization_id: null },
  ]);
});

Deno.test("SessionMeter numbers five turns, each with its own latency", () => {
  const fixture = new MeterFixture();
  for (let turn = 1; turn <= 5; turn++) {
    fixture.relay(created(`r${turn}`));
    fixture.nowMs += turn * 100;
    fixture.relay(done(`r${turn}`)).acceptAll();
  }
  fixture.meter.end(fixture.sent);
  assert.deepEqual(
    fixture.records.map((record) => [record.record_id, record.attempt_seq, record.latency_ms]),
    [1, 2, 3, 4, 5].map((turn) => [`${REQUEST_ID}:${turn}`, turn, turn * 100]),
  );
  assert.equal(fixture.meter.recorded, 5);
  assert.deepEqual(fixture.counts, { recorded: 5 });
});

Deno.test("SessionMeter records a response.done that comes twice as two (B61)", () => {
  const fixture = new MeterFixture();
  fixture.relay(created("r"));
  fixture.nowMs = 100;
  fixture.relay(
    done("r", { usage: { output_tokens: 5 } }),
    done("r", { usage: { output_tokens: 5 } }),
  );
  fixture.acceptAll().meter.end(fixture.sent);
  assert.deepEqual(
    fixture.records.map((record) => [record.attempt_seq, record.latency_ms, record.output_tokens]),
    [[1, 100, 5], [2, 0, 5]],
  );
  assert.deepEqual(fixture.counts, { recorded: 2 });
});

Deno.test("SessionMeter records nothing before its message is accepted", () => {
  const fixture = new MeterFixture().relayBinary().relay(created("a")).relayBinary();
  assert.equal(fixture.meter.hasPending, false);
  fixture.relay(done("a"));
  assert.equal(fixture.meter.hasPending, true);
  fixture.meter.accepted(3);
  assert.deepEqual(fixture.results, []);
  fixture.meter.accepted(4);
  assert.equal(fixture.meter.hasPending, false);
  assert.deepEqual(fixture.results, [["recorded", 1]]);
  fixture.meter.accepted(4);
  assert.equal(fixture.records.length, 1);
});

Deno.test("SessionMeter accepts some of several that are pending, in their order", () => {
  const fixture = new MeterFixture();
  for (const tokens of [11, 12, 13, 14]) {
    fixture.relay(done("r", { usage: { output_tokens: tokens } })).relayBinary();
  }
  fixture.meter.accepted(3);
  assert.deepEqual(fixture.records.map((record) => record.output_tokens), [11, 12]);
  fixture.relay(done("r", { usage: { output_tokens: 15 } }));
  fixture.meter.accepted(1);
  assert.equal(fixture.records.length, 2);
  fixture.meter.end(7);
  assert.deepEqual(
    fixture.records.map((record) => [record.attempt_seq, record.output_tokens]),
    [[1, 11], [2, 12], [3, 13], [4, 14]],
  );
  assert.deepEqual(fixture.counts, { recorded: 4, session_closed_in_flight: 1 });
});

Deno.test("SessionMeter records at once what was accepted before it was looked at", () => {
  const fixture = new MeterFixture();
  fixture.meter.accepted(1);
  fixture.relay(done("r"));
  assert.equal(fixture.records.length, 1);
  fixture.relay(done("r"));
  assert.equal(fixture.records.length, 1);
});

Deno.test("SessionMeter.end() counts a response that was created and never done (B64)", () => {
  const fixture = new MeterFixture().relay(created("a")).acceptAll();
  fixture.meter.end(fixture.sent);
  assert.deepEqual(fixture.records, []);
  assert.deepEqual(fixture.results, [["session_closed_in_flight", 1]]);
});

Deno.test("SessionMeter.end() records a response.done that the client has by then (B64)", () => {
  const fixture = new MeterFixture().relay(created("a"), done("a"));
  fixture.meter.end(2);
  assert.deepEqual(fixture.results, [["recorded", 1]]);
});

Deno.test("SessionMeter.end() counts a response once whose done the client never got (B64)", () => {
  const fixture = new MeterFixture().relay(created("a"), done("a"));
  fixture.meter.end(1);
  assert.deepEqual(fixture.results, [["session_closed_in_flight", 1]]);
  assert.deepEqual(fixture.records, []);
  assert.equal(fixture.meter.hasPending, false);
});

Deno.test("SessionMeter.end() adds up all that was in flight", () => {
  const fixture = new MeterFixture();
  fixture.relay(created("a"), created("b"), created("b"), created("c"), done("a"), done("x"));
  fixture.meter.end(5);
  assert.deepEqual(fixture.results, [["recorded", 1], ["session_closed_in_flight", 3]]);
});

Deno.test("SessionMeter.end() counts at most the sixteen that are tracked", () => {
  const fixture = new MeterFixture();
  for (let index = 0; index < 40; index++) fixture.relay(created(`r${index}`));
  fixture.meter.end(fixture.sent);
  assert.deepEqual(fixture.counts, { session_closed_in_flight: 16 });
});

Deno.test("SessionMeter.end() counts nothing in a session in which nothing happened", () => {
  const fixture = new MeterFixture();
  fixture.meter.end(0);
  assert.deepEqual(fixture.results, []);
});

Deno.test("SessionMeter does nothing after end()", () => {
  const fixture = new MeterFixture().relay(created("a"), done("b"));
  fixture.meter.end(0);
  const before = structuredClone(fixture.results);
  fixture.relay(created("c"), done("a"), "no JSON").acceptAll();
  fixture.meter.end(fixture.sent);
  assert.deepEqual(fixture.results, before);
  assert.equal(fixture.meter.hasPending, false);
});

Deno.test("SessionMeter drops the oldest of seventeen, whose done has no latency", () => {
  const fixture = new MeterFixture();
  for (let index = 0; index < 17; index++) fixture.relay(created(`r${index}`));
  fixture.nowMs = 500;
  for (let index = 0; index < 17; index++) fixture.relay(done(`r${index}`));
  fixture.meter.end(fixture.sent);
  assert.deepEqual(
    fixture.records.map((record) => record.latency_ms),
    [0, ...Array<number>(16).fill(500)],
  );
  assert.deepEqual(fixture.counts, { recorded: 17 });
});

Deno.test("SessionMeter counts what it cannot read, and goes on", () => {
  const fixture = new MeterFixture();
  fixture.relay("no JSON", "[1]", '{"type":5}', "x".repeat(262_145), done("r")).acceptAll();
  assert.deepEqual(fixture.counts, { unparsed: 3, oversized: 1, recorded: 1 });
});

Deno.test("SessionMeter has a record in the sink before it tells of it", () => {
  const order: string[] = [];
  const meter = new SessionMeter({
    context: CONTEXT,
    sink: { record: () => order.push("sink") },
    onResult: (result) => order.push(result),
    now: () => 0,
    unixNow: () => EPOCH_MS,
  });
  meter.relayed('{"type":"response.done"}', 1);
  meter.accepted(1);
  assert.deepEqual(order, ["sink", "recorded"]);
});

Deno.test("SessionMeter leaves no word of a message in its records", () => {
  const fixture = new MeterFixture();
  const secret = "my voice is my passport";
  fixture.relay(
    { type: "response.created", response: { id: secret, model: secret } },
    done(secret, {
      model: secret,
      status: secret,
      status_details: { reason: secret, error: { message: secret, code: secret } },
      output: [{ content: [{ transcript: secret }] }],
      usage: { input_tokens: secret, output_tokens: 1 },
    }),
  ).acceptAll();
  assert.equal(fixture.records.length, 1);
  assert.ok(!JSON.stringify([fixture.records, fixture.results]).includes(secret));
});
