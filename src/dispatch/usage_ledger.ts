/**
 * The usage records of one request: one for each try, in their order (spec §11).
 *
 * @module
 */

import type { Identity } from "../auth/mod.ts";
import type { UsageOutcome, UsageSink } from "../metering/mod.ts";
import { type AnswerFacts, NO_FACTS } from "./answer_facts.ts";

/** What all records of a request share. */
export interface UsageSubject {
  readonly requestId: string;
  readonly endpoint: string;
  readonly model: string;
  readonly identity: Identity;
  /** Whether the client asked for a stream. */
  readonly stream: boolean;
}

/** How one try ended. */
export interface TryResult {
  readonly backend: string;
  /** The answer's; for a try without one 502, 504, or 499 when the client left. */
  readonly status: number;
  readonly latencyMs: number;
  /** Undefined when it was not observed. */
  readonly ttftMs?: number | undefined;
  /** What the answer said. @default {NO_FACTS} */
  readonly facts?: AnswerFacts | undefined;
  /** Overrides what the answer said. @default {undefined} */
  readonly outcome?: UsageOutcome | undefined;
}

/** See the module. */
export class UsageLedger {
  readonly #subject: UsageSubject;
  readonly #sink: UsageSink;
  readonly #unixNow: () => number;
  /** Not the request's id, which the client may have chosen. */
  readonly #uuid = crypto.randomUUID();
  #attempts = 0;

  constructor(
    subject: UsageSubject,
    options: { readonly sink: UsageSink; readonly unixNow: () => number },
  ) {
    this.#subject = subject;
    this.#sink = options.sink;
    this.#unixNow = options.unixNow;
  }

  /** Records the next try. */
  record(result: TryResult): void {
    const { identity, ...subject } = this.#subject;
    const { facts = NO_FACTS, ttftMs } = result;
    const attempt = ++this.#attempts;
    const { input, cachedInput, output } = facts.tokens ?? { input: 0, cachedInput: 0, output: 0 };
    const outcome = result.outcome ?? facts.end?.outcome ?? "completed";
    this.#sink.record({
      record_id: `${this.#uuid}:${attempt}`,
      request_id: subject.requestId,
      attempt_seq: attempt,
      ...attempt === 1 ? {} : { parent_attempt: attempt - 1 },
      timestamp: new Date(this.#unixNow()).toISOString(),
      endpoint: subject.endpoint,
      model: subject.model,
      backend: result.backend,
      api_key_id: identity.keyId,
      user_id: identity.userId,
      organization_id: identity.organizationId,
      stream: subject.stream,
      http_status: result.status,
      input_tokens: input,
      cached_input_tokens: cachedInput,
      output_tokens: output,
      latency_ms: Math.round(result.latencyMs),
      ...ttftMs === undefined
        ? { ttft_absent_reason: "not_observed" as const }
        : { ttft_ms: Math.round(ttftMs) },
      token_source: input + cachedInput + output > 0 ? "engine_final" : "none",
      outcome,
      status_reason: reasonOf(result, outcome),
    });
  }
}

function reasonOf(result: TryResult, outcome: UsageOutcome) {
  if (result.outcome === undefined) return result.facts?.end?.reason ?? "absent";
  return outcome === "client_cancelled" ? "client_cancelled" : "other";
}
