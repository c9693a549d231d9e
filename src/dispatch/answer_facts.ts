/**
 * What an answer says about its own cost and its end (spec §8, §11), in any of the shapes of the HTTP API:
 * chat and text completions, responses, embeddings, images, and the events that stream them.
 *
 * @module
 */

import type { StatusReason, UsageOutcome } from "../metering/mod.ts";

/** Tokens, whole and never negative. */
export interface TokenCounts {
  /** Without the cached ones. */
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

/** How the backend says that the answer ended. */
export interface AnswerEnd {
  readonly outcome: UsageOutcome;
  readonly reason: StatusReason;
}

/** What is known of an answer. Parts that it does not tell are undefined. */
export interface AnswerFacts {
  readonly tokens?: TokenCounts | undefined;
  readonly end?: AnswerEnd | undefined;
}

/** Nothing known. */
export const NO_FACTS: AnswerFacts = {};

/**
 * Reads a JSON answer or one event of a stream. Never throws: what is missing or of another kind than
 * expected is not there, and a number that is not whole or negative counts as 0.
 */
export function answerFacts(answer: unknown): AnswerFacts {
  const event = asObject(answer);
  // Events of a streamed response carry it whole.
  const response = asObject(event?.["response"]) ?? event;
  if (response === undefined) return NO_FACTS;
  return { tokens: tokensOf(asObject(response["usage"])), end: endOf(response) };
}

/**
 * What two parts of an answer tell. The later one counts where both do; but of several choices that end one
 * after the other, the one that did not simply end is remembered.
 */
export function mergeFacts(earlier: AnswerFacts, later: AnswerFacts): AnswerFacts {
  const keepsEnd = later.end === undefined || (earlier.end !== undefined && isPlain(later.end));
  return {
    tokens: later.tokens ?? earlier.tokens,
    end: keepsEnd ? earlier.end : later.end,
  };
}

function isPlain(end: AnswerEnd): boolean {
  return end.outcome === "completed" && end.reason === "absent";
}

function tokensOf(usage: JsonObject | undefined): TokenCounts | undefined {
  if (usage === undefined) return undefined;
  const details = asObject(usage["prompt_tokens_details"]) ??
    asObject(usage["input_tokens_details"]);
  const cachedInput = count(details?.["cached_tokens"]);
  const output = count(usage["completion_tokens"] ?? usage["output_tokens"]);
  // Of reranking, some servers only say the total.
  const input = usage["prompt_tokens"] ?? usage["input_tokens"] ??
    count(usage["total_tokens"]) - output;
  return { input: Math.max(0, count(input) - cachedInput), cachedInput, output };
}

function endOf(response: JsonObject): AnswerEnd | undefined {
  if (asObject(response["error"]) !== undefined || response["type"] === "error") {
    return { outcome: "upstream_error", reason: "other" };
  }
  const { status } = response;
  if (typeof status === "string") return endOfStatus(status, response["incomplete_details"]);
  const choices = Array.isArray(response["choices"]) ? response["choices"] : [];
  return endOfReasons(choices.map((choice) => asObject(choice)?.["finish_reason"]));
}

/** The same table as for realtime responses (spec §8). */
function endOfStatus(status: string, details: unknown): AnswerEnd | undefined {
  switch (status) {
    case "completed":
      return { outcome: "completed", reason: "absent" };
    case "incomplete":
      return endOfIncomplete(asObject(details)?.["reason"]);
    case "failed":
      return { outcome: "upstream_error", reason: "other" };
    case "cancelled":
      return { outcome: "client_cancelled", reason: "other" };
    default:
      return undefined;
  }
}

function endOfIncomplete(reason: unknown): AnswerEnd {
  if (reason === "max_output_tokens") return { outcome: "length", reason };
  if (reason === "content_filter") return { outcome: "completed", reason };
  return { outcome: "completed", reason: reason === undefined ? "absent" : "other" };
}

/** The `finish_reason` of each choice; undefined when none has ended. */
function endOfReasons(reasons: readonly unknown[]): AnswerEnd | undefined {
  if (reasons.includes("length")) return { outcome: "length", reason: "max_output_tokens" };
  if (reasons.includes("content_filter")) return { outcome: "completed", reason: "content_filter" };
  const ended = reasons.some((reason) => typeof reason === "string");
  return ended ? { outcome: "completed", reason: "absent" } : undefined;
}

type JsonObject = Readonly<Record<string, unknown>>;

function asObject(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as JsonObject
    : undefined;
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
