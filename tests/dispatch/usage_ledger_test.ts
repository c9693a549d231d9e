import assert from "node:assert/strict";
import { anonymous, type Identity } from "../../src/auth/mod.ts";
import { type TryResult, UsageLedger } from "../../src/dispatch/usage_ledger.ts";
import type { UsageRecord } from "../../src/metering/mod.ts";

const KEY: Identity = {
  kind: "key",
  keyId: "key-1",
  name: "console",
  userId: "u1",
  organizationId: "o1",
  allowedModels: null,
  allowedBackends: null,
};

function recorded(
  results: readonly Partial<TryResult>[],
  identity: Identity = KEY,
): readonly UsageRecord[] {
  const records: UsageRecord[] = [];
  const ledger = new UsageLedger({
    requestId: "chosen-by-client",
    endpoint: "/v1/chat/completions",
    model: "voice",
    identity,
    stream: true,
  }, { sink: { record: (record) => void records.push(record) }, unixNow: () => 1_700_000_000_000 });
  for (const result of results) {
    ledger.record({ backend: "a", status: 200, latencyMs: 12.6, ...result });
  }
  return records;
}

Deno.test("UsageLedger.record(): everything about a try", () => {
  const facts = {
    tokens: { input: 7, cachedInput: 3, output: 4 },
    end: { outcome: "length", reason: "max_output_tokens" },
  } as const;
  const [record] = recorded([{ facts, ttftMs: 3.4 }]);
  assert.match(record?.record_id ?? "", /^[0-9a-f-]{36}:1$/);
  assert.deepEqual({ ...record, record_id: "" }, {
    record_id: "",
    request_id: "chosen-by-client",
    attempt_seq: 1,
    timestamp: "2023-11-14T22:13:20.000Z",
    endpoint: "/v1/chat/completions",
    model: "voice",
    backend: "a",
    api_key_id: "key-1",
    user_id: "u1",
    organization_id: "o1",
    stream: true,
    http_status: 200,
    input_tokens: 7,
    cached_input_tokens: 3,
    output_tokens: 4,
    latency_ms: 13,
    ttft_ms: 3,
    token_source: "engine_final",
    outcome: "length",
    status_reason: "max_output_tokens",
  });
});

Deno.test("UsageLedger.record(): tries of one request follow one another", () => {
  const records = recorded([{ status: 503, outcome: "upstream_error" }, { backend: "b" }, {}]);
  assert.deepEqual(
    records.map(({ attempt_seq, parent_attempt, backend }) => [
      attempt_seq,
      parent_attempt,
      backend,
    ]),
    [[1, undefined, "a"], [2, 1, "b"], [3, 2, "a"]],
  );
  assert.ok(!("parent_attempt" in records[0]!));
  const ids = records.map(({ record_id }) => record_id.split(":"));
  assert.equal(new Set(ids.map(([uuid]) => uuid)).size, 1);
  assert.deepEqual(ids.map(([, attempt]) => attempt), ["1", "2", "3"]);
});

Deno.test("UsageLedger.record(): an answer that told nothing", () => {
  const [record] = recorded([{}], anonymous("no_key"));
  assert.equal(record?.token_source, "none");
  assert.equal(record?.outcome, "completed");
  assert.equal(record?.status_reason, "absent");
  assert.equal(record?.ttft_absent_reason, "not_observed");
  assert.ok(!("ttft_ms" in record));
  assert.equal(record?.api_key_id, null);
});

Deno.test.each([
  ["client_cancelled", "client_cancelled"],
  ["upstream_error", "other"],
])("UsageLedger.record(): %s overrides what the answer said", (outcome, reason) => {
  const facts = { end: { outcome: "completed", reason: "content_filter" } } as const;
  const [record] = recorded([{ facts, outcome: outcome as TryResult["outcome"] }]);
  assert.deepEqual([record?.outcome, record?.status_reason], [outcome, reason]);
});

Deno.test("UsageLedger.record(): tokens that were only cached count as reported", () => {
  const tokens = { input: 0, cachedInput: 2, output: 0 };
  assert.equal(recorded([{ facts: { tokens } }])[0]?.token_source, "engine_final");
});
