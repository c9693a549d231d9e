/**
 * From what a client saw to the cell of the table. What it must have seen is told by the backend: its record
 * of the session, and not the client's word alone.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { ResponseRecord } from "../../demo/mod.ts";
import { TOOL } from "./rows.ts";
import type { Account, SeenEvent, SeenSession } from "./errand.ts";

/** The backend's side of a row: the responses that ended in it. */
export type Reported = readonly ResponseRecord["response"][];

/** PCM16 at 24 kHz, of which the backend counts 20 tokens a second. */
const BYTES_PER_TOKEN = 48_000 / 20;

/** What is known of a row beforehand. */
export interface Expected {
  readonly reported: Reported;
  /** Whether the client must not be let in. */
  readonly refused: boolean;
}

/**
 * The cell for a row.
 *
 * @throws {AssertionError} When the client did not have what it should have had.
 */
export function judge(account: Account, { reported, refused }: Expected): string {
  const { row, sessions } = account;
  const [session] = sessions;
  assert.ok(session, "a session");
  if (refused) {
    assert.ok(session.refused, "a refusal that was shown");
    assert.deepEqual({ events: session.events, reported }, { events: [], reported: [] });
    return session.refused;
  }
  assert.equal(session.refused, undefined);
  switch (row) {
    case "connect":
      assert.equal(session.events[0]?.type, "session.created");
      return "yes";
    case "voice turn":
      assertVoice(session, reported);
      return "yes";
    case "text turn":
      assertText(session, reported);
      return "yes";
    case "tool call":
      assertTool(session, reported);
      return "yes";
    case "cancel":
      assertCancelled(session, reported);
      return "yes";
    case "reconnect":
      return judgeReconnect(sessions, reported);
    default:
      assert.match(row, /^close \d+$/);
      assert.ok(session.ended, "an end that was shown");
      return session.ended;
  }
}

function assertVoice({ events }: SeenSession, reported: Reported): void {
  const audio = of(events, "response.output_audio.delta").map(({ delta }) =>
    Uint8Array.fromBase64(String(delta)).length
  );
  const tokens = reported[0]?.usage?.output_token_details?.audio_tokens ?? 0;
  assert.ok(tokens > 0);
  assert.equal(audio.reduce((sum, length) => sum + length, 0), tokens * BYTES_PER_TOKEN);
  assert.equal(of(events, "input_audio_buffer.committed").length, 1);
  assertUsage(events, reported);
}

function assertText({ events }: SeenSession, reported: Reported): void {
  const text = of(events, "response.output_text.delta").map(({ delta }) => delta).join("");
  assert.match(text, /\w+ \w+/);
  assert.equal(of(events, "response.output_text.done")[0]?.["text"], text);
  assertUsage(events, reported);
}

function assertTool(session: SeenSession, reported: Reported): void {
  const calls = of(session.events, "conversation.item.added").flatMap(({ item }) =>
    isRecord(item) && item["type"] === "function_call" ? [item["name"]] : []
  );
  assert.deepEqual(calls, [TOOL.name]);
  const [call] = of(session.events, "response.function_call_arguments.done");
  assert.deepEqual(JSON.parse(String(call?.["arguments"])), { word: "demo" });
  assert.equal(reported.length, 2, "the call, and the answer after it");
  assertText(session, reported);
}

function assertCancelled({ events }: SeenSession, reported: Reported): void {
  assert.deepEqual(reported.map(({ status }) => status), ["cancelled"]);
  assertUsage(events, reported);
}

function judgeReconnect(sessions: readonly SeenSession[], reported: Reported): string {
  const [lost, again] = sessions;
  assert.ok(lost && again, "two sessions");
  assertText(again, reported.slice(-1));
  return lost.ended === null ? "by itself" : "a new connection";
}

/** What the client saw of each response is what the backend reported, to the token. */
function assertUsage(events: readonly SeenEvent[], reported: Reported): void {
  const seen = of(events, "response.done").map(({ response }) => responseOf(response));
  const figures = (usage: SeenResponse["usage"]) => [usage?.input_tokens, usage?.output_tokens];
  assert.deepEqual(
    seen.map(({ status, usage }) => [status, ...figures(usage)]),
    reported.map(({ status, usage }) => [status, usage?.input_tokens, usage?.output_tokens]),
  );
  assert.notEqual(seen.length, 0);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

interface SeenResponse {
  readonly status: string;
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number } | null;
}

function responseOf(value: unknown): SeenResponse {
  assert.ok(typeof value === "object" && value !== null && "status" in value);
  return value as SeenResponse;
}

function of(events: readonly SeenEvent[], type: string): readonly SeenEvent[] {
  return events.filter((event) => event.type === type);
}
