/**
 * The session meter against a model that keeps every message of a session and works all of it out at the
 * end, in the plainest way, over random sessions.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { StatusReason, UsageOutcome, UsageRecord } from "../../src/metering/mod.ts";
import { anyMessage, IDS, type TestMessage, textOf } from "./message_arbitrary.ts";
import { CONTEXT, EPOCH_MS, MeterFixture, type ResultCounts } from "./meter_fixture.ts";

type Step =
  | { readonly kind: "message"; readonly message: TestMessage }
  | { readonly kind: "binary" }
  | { readonly kind: "wait"; readonly ms: number }
  /** So many thousandths of the messages so far are accepted; more than all of them, in advance. */
  | { readonly kind: "accept"; readonly permille: number };

interface Sent {
  /** Null for a binary message. */
  readonly text: string | null;
  readonly atMs: number;
  /** Undefined when the client never got it. */
  acceptedMs: number | undefined;
}

interface Outcome {
  readonly records: readonly UsageRecord[];
  readonly counts: ResultCounts;
  /** After each step, whether something was pending. */
  readonly pending: readonly boolean[];
}

function countOf(permille: number, sent: number): number {
  return Math.floor(permille * sent / 1000);
}

function meterOutcome(steps: readonly Step[], endPermille: number): Outcome {
  const fixture = new MeterFixture();
  const pending = steps.map((step) => {
    if (step.kind === "message") fixture.relay(textOf(step.message));
    else if (step.kind === "binary") fixture.relayBinary();
    else if (step.kind === "wait") fixture.nowMs += step.ms;
    else fixture.meter.accepted(countOf(step.permille, fixture.sent));
    return fixture.meter.hasPending;
  });
  fixture.meter.end(countOf(endPermille, fixture.sent));
  return { records: fixture.records, counts: fixture.counts, pending };
}

const REASONS = [
  "max_output_tokens",
  "content_filter",
  "turn_detected",
  "client_cancelled",
] as const;
const OUTCOMES = new Map<unknown, UsageOutcome>([
  ["cancelled", "client_cancelled"],
  ["failed", "upstream_error"],
]);

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name],
    value,
  );
}

function tokens(value: unknown): number {
  const fits = typeof value === "number" && value >= 0 && value < 2 ** 53 && value % 1 === 0;
  return fits ? Math.abs(value) : 0;
}

/** The event in a text, or why there is none. */
function read(text: string): "oversized" | "unparsed" | { readonly value: unknown } {
  if (new TextEncoder().encode(text).length > 256 * 1024) return "oversized";
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || Array.isArray(value)) return "unparsed";
    return typeof at(value, "type") === "string" ? { value } : "unparsed";
  } catch {
    return "unparsed";
  }
}

type Response = Pick<
  UsageRecord,
  | "input_tokens"
  | "cached_input_tokens"
  | "output_tokens"
  | "token_source"
  | "outcome"
  | "status_reason"
>;

function responseOf(event: unknown): Response {
  const status = at(event, "response", "status");
  const reason = at(event, "response", "status_details", "reason");
  const input = tokens(at(event, "response", "usage", "input_tokens"));
  const cached = tokens(at(event, "response", "usage", "input_token_details", "cached_tokens"));
  const output = tokens(at(event, "response", "usage", "output_tokens"));
  const isLength = status === "incomplete" && reason === "max_output_tokens";
  const known: StatusReason | undefined = REASONS.find((word) => word === reason);
  return {
    input_tokens: input > cached ? input - cached : 0,
    cached_input_tokens: cached,
    output_tokens: output,
    token_source: input + cached + output > 0 ? "engine_final" : "none",
    outcome: isLength ? "length" : OUTCOMES.get(status) ?? "completed",
    status_reason: known ?? (reason === undefined || reason === null ? "absent" : "other"),
  };
}

/** What was sent, when, and when it was accepted; and how far both had come after each step. */
function history(steps: readonly Step[], endPermille: number) {
  const sent: Sent[] = [];
  let nowMs = 0;
  let accepted = 0;
  const accept = (permille: number) => {
    accepted = Math.max(accepted, countOf(permille, sent.length));
    for (const message of sent.slice(0, accepted)) message.acceptedMs ??= nowMs;
  };
  const progress = steps.map((step) => {
    if (step.kind === "wait") nowMs += step.ms;
    else if (step.kind === "accept") accept(step.permille);
    else {
      const text = step.kind === "message" ? textOf(step.message) : null;
      const isAccepted = sent.length + 1 <= accepted;
      sent.push({ text, atMs: nowMs, acceptedMs: isAccepted ? nowMs : undefined });
    }
    return { sent: sent.length, accepted };
  });
  accept(endPermille);
  return { sent, progress };
}

function modelOutcome(steps: readonly Step[], endPermille: number): Outcome {
  const { sent, progress } = history(steps, endPermille);
  const records: UsageRecord[] = [];
  const counts: ResultCounts = {};
  const count = (result: keyof ResultCounts) => counts[result] = (counts[result] ?? 0) + 1;
  const doneAt: number[] = [];
  let open: { readonly id: unknown; readonly atMs: number }[] = [];
  for (const [index, { text, atMs, acceptedMs }] of sent.entries()) {
    if (text === null) continue;
    const event = read(text);
    if (typeof event === "string") {
      count(event);
      continue;
    }
    const type = at(event.value, "type");
    const id = at(event.value, "response", "id");
    const clock = open.find((other) => other.id === id);
    if (type === "response.created" && typeof id === "string" && clock === undefined) {
      open = [...open, { id, atMs }].slice(-16);
    }
    if (type !== "response.done") continue;
    doneAt.push(index + 1);
    open = open.filter((other) => other !== clock);
    if (acceptedMs === undefined) {
      count("session_closed_in_flight");
      continue;
    }
    count("recorded");
    records.push({
      record_id: `${CONTEXT.requestId}:${records.length + 1}`,
      request_id: CONTEXT.requestId,
      attempt_seq: records.length + 1,
      timestamp: new Date(EPOCH_MS + acceptedMs).toISOString(),
      endpoint: CONTEXT.endpoint,
      model: CONTEXT.model,
      backend: CONTEXT.backend,
      api_key_id: CONTEXT.apiKeyId,
      user_id: CONTEXT.userId,
      organization_id: CONTEXT.organizationId,
      stream: true,
      http_status: 101,
      latency_ms: clock === undefined ? 0 : Math.round(atMs - clock.atMs),
      ttft_absent_reason: "not_observed",
      ...responseOf(event.value),
    });
  }
  open.forEach(() => count("session_closed_in_flight"));
  const pending = progress.map((now) =>
    doneAt.some((number) => number <= now.sent && number > now.accepted)
  );
  return { records, counts, pending };
}

/** So many responses are created at once. */
function burst(count: number): Step[] {
  return IDS.slice(0, count).map((id) => {
    const text = `{"type":"response.created","response":{"id":"${id}"}}`;
    return { kind: "message", message: { text, pad: null } };
  });
}

const one = (step: Step): Step[] => [step];
const someSteps: fc.Arbitrary<Step[]> = fc.oneof(
  { weight: 12, arbitrary: anyMessage.map((message) => one({ kind: "message", message })) },
  { weight: 1, arbitrary: fc.constant(one({ kind: "binary" })) },
  { weight: 4, arbitrary: fc.nat(20_000).map((eighths) => one({ kind: "wait", ms: eighths / 8 })) },
  { weight: 3, arbitrary: fc.nat(1100).map((permille) => one({ kind: "accept", permille })) },
  { weight: 1, arbitrary: fc.nat(IDS.length - 1).map(burst) },
);

Deno.test("SessionMeter agrees with a plain model on random sessions", () => {
  fc.assert(
    fc.property(
      fc.array(someSteps, { maxLength: 40, size: "max" }).map((steps) => steps.flat()),
      fc.nat(1000),
      (steps, endPermille) => {
        assert.deepEqual(meterOutcome(steps, endPermille), modelOutcome(steps, endPermille));
      },
    ),
    { numRuns: 2500 },
  );
});
