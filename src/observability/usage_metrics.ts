/**
 * The metrics of usage (spec §9, §10.2): tokens, and what became of the events that report them.
 *
 * @module
 */

import { Counter, type Registry, type RegistryContentType } from "prom-client";

/** Of a usage record, what is counted. Token counts are whole and never negative. */
export interface CountedUsage {
  /** Null for anonymous callers. */
  readonly api_key_id: string | null;
  /** The name dispatched to, never what a backend wrote. */
  readonly model: string;
  readonly backend: string;
  /** Without the cached ones. */
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
}

/** What became of a backend's event, or of a response that was never reported done (spec §8). */
export type UsageEventResult = "recorded" | "oversized" | "unparsed" | "session_closed_in_flight";

/** See the module. */
export class UsageMetricSet {
  readonly #tokens: Counter<"api_key" | "model" | "backend" | "type">;
  readonly #events: Counter<"backend" | "result">;
  readonly #dropped: Counter;

  constructor(registry: Registry<RegistryContentType>) {
    const registers = [registry];
    this.#tokens = new Counter({
      name: "llm_tokens_total",
      help: "Tokens that backends reported",
      labelNames: ["api_key", "model", "backend", "type"],
      registers,
    });
    this.#events = new Counter({
      name: "realtime_usage_events_total",
      help: "Events of realtime sessions looked at for usage, by what became of them",
      labelNames: ["backend", "result"],
      registers,
    });
    this.#dropped = new Counter({
      name: "usage_spool_dropped_total",
      help: "Usage records dropped because the spool was full",
      registers,
    });
  }

  /** Counts the tokens of a usage record. */
  record(usage: CountedUsage): void {
    const { model, backend } = usage;
    const labels = { api_key: usage.api_key_id ?? "anonymous", model, backend };
    this.#tokens.inc({ ...labels, type: "input" }, usage.input_tokens);
    this.#tokens.inc({ ...labels, type: "cached_input" }, usage.cached_input_tokens);
    this.#tokens.inc({ ...labels, type: "output" }, usage.output_tokens);
  }

  /** Counts events, or responses, of a session with `backend`. */
  event(backend: string, result: UsageEventResult, count: number): void {
    this.#events.inc({ backend, result }, count);
  }

  /** Counts records that were dropped. */
  spoolDropped(count: number): void {
    this.#dropped.inc(count);
  }
}
