/**
 * One response under way:
 *
 * ```
 * created ──80 ms──▶ pieces … ──▶ done events ──▶ response.done ──▶ rate_limits.updated
 *    └────────────────── ended early: cancelled, incomplete, failed ──┘
 * ```
 *
 * @module
 */

import type { CancelReason, ResponseObject, ServerEvent, StatusDetails } from "./events.ts";
import type { Knobs } from "./knobs.ts";
import type { ResponseOutput } from "./output.ts";
import type { CancelTimer, Timers } from "./timers.ts";
import type { Exit } from "./transport.ts";
import { type TokenCount, type Usage, type UsageMeter, ZERO_USAGE } from "./usage.ts";

/** Conversation time between `response.created` and the first item. */
const THINKING_MS = 80;

/** The fields of the `response` object that stay the same all along. */
export type ResponseFrame = Pick<
  ResponseObject,
  "id" | "conversation_id" | "output_modalities" | "max_output_tokens" | "audio" | "metadata"
>;

/** What is to be said, and how. */
export interface ResponsePlan {
  readonly frame: ResponseFrame;
  readonly output: ResponseOutput;
  readonly knobs: Knobs;
  /** The context that this response reads. */
  readonly input: TokenCount;
}

/** What a response needs from its session. */
export interface ResponseHost {
  readonly emit: (event: ServerEvent) => void;
  /** Emits an event whose message is exactly that many bytes long. */
  readonly emitSized: (event: (contents: string) => ServerEvent, bytes: number) => void;
  readonly timers: Timers;
  /** Ends the connection, and with it the session. */
  readonly leave: (exit: Exit) => void;
  readonly meter: UsageMeter;
  /** Told once, just before `response.done` goes out. */
  readonly onEnd: (response: ResponseObject) => void;
  /** Told once, after `response.done` went out. */
  readonly onDone: (usage: Usage) => void;
}

/** How a response ends. */
export type ResponseEnding =
  | { readonly status: "completed" }
  | { readonly status: "incomplete"; readonly reason: "max_output_tokens" | "content_filter" }
  | { readonly status: "cancelled"; readonly reason: CancelReason }
  | { readonly status: "failed"; readonly code: string };

/** Runs one response on the session's timers. */
export class ResponseRun {
  readonly #plan: ResponsePlan;
  readonly #host: ResponseHost;
  readonly #pieces: Generator<number, void>;
  #started = false;
  #ended = false;
  #cancelTimer: CancelTimer = () => {};

  constructor(plan: ResponsePlan, host: ResponseHost) {
    this.#plan = plan;
    this.#host = host;
    this.#pieces = plan.output.pieces();
  }

  /** The identifier in `response.id`. */
  get id(): string {
    return this.#plan.frame.id;
  }

  /** Sends `response.created` and goes on by itself. */
  start(): void {
    this.#host.emit({
      type: "response.created",
      response: {
        object: "realtime.response",
        ...this.#plan.frame,
        status: "in_progress",
        status_details: null,
        output: [],
        usage: null,
      },
    });
    this.#wait(THINKING_MS);
  }

  /** Ends the response now, with the events that this takes. Once only; later calls do nothing. */
  end(ending: ResponseEnding): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelTimer();
    const { knobs, output, input, frame } = this.#plan;
    const items = this.#started
      ? [output.finish(ending.status === "completed" ? "completed" : "incomplete")]
      : [];
    const usage = ending.status === "failed"
      ? ZERO_USAGE
      : this.#host.meter.measure(input, output.tokens);
    const response: ResponseObject = {
      object: "realtime.response",
      ...frame,
      status: ending.status,
      status_details: statusDetails(ending),
      output: items,
      ...wireUsage(usage, knobs),
    };
    this.#host.onEnd(response);
    if (knobs.nodone) return;
    for (let copies = knobs.dup ? 2 : 1; copies > 0; copies--) {
      this.#host.emit({ type: "response.done", response });
    }
    this.#host.onDone(usage);
  }

  #wait(ms: number): void {
    this.#cancelTimer = this.#host.timers.after(ms, () => this.#step());
  }

  #step(): void {
    const { knobs, output } = this.#plan;
    if (knobs.fail !== undefined) return this.end({ status: "failed", code: knobs.fail });
    const first = !this.#started;
    this.#started = true;
    const { done, value } = this.#pieces.next();
    if (done) return this.end({ status: "completed" });
    if (first) this.#disturb();
    if (this.#ended) return;
    if (output.tokens.text + output.tokens.audio >= this.#tokenLimit()) {
      return this.end({ status: "incomplete", reason: "max_output_tokens" });
    }
    this.#wait(value);
  }

  /** What the knobs want to happen after the first piece. */
  #disturb(): void {
    const { knobs, output } = this.#plan;
    if (knobs.big !== undefined && output.delta !== null) {
      this.#host.emitSized(output.delta, knobs.big);
    }
    if (knobs.filter) this.end({ status: "incomplete", reason: "content_filter" });
    const exit = wantedExit(knobs);
    if (exit === null) return;
    this.#ended = true;
    this.#host.leave(exit);
  }

  #tokenLimit(): number {
    const { knobs, frame } = this.#plan;
    const limit = frame.max_output_tokens === "inf" ? Infinity : frame.max_output_tokens;
    return Math.min(limit, knobs.maxtok ?? Infinity);
  }
}

function statusDetails(ending: ResponseEnding): StatusDetails | null {
  switch (ending.status) {
    case "completed":
      return null;
    case "failed": {
      const message = "The response failed because its metadata asked for it.";
      return { type: "failed", error: { type: "server_error", code: ending.code, message } };
    }
    case "incomplete":
      return { type: "incomplete", reason: ending.reason };
    case "cancelled":
      return { type: "cancelled", reason: ending.reason };
  }
}

function wantedExit(knobs: Knobs): Exit | null {
  if (knobs.die) return { kind: "reset" };
  if (knobs.fin) return { kind: "fin" };
  if (knobs.freeze) return { kind: "freeze" };
  if (knobs.close === undefined) return null;
  return { kind: "close", code: knobs.close, reason: "asked for by metadata" };
}

function wireUsage(usage: Usage, knobs: Knobs): Pick<ResponseObject, "usage"> {
  if (knobs.nousage === "missing") return {};
  if (knobs.nousage === "null") return { usage: null };
  if (!knobs.nulldetails) return { usage };
  return { usage: { ...usage, input_token_details: null, output_token_details: null } };
}
