/**
 * The responses of one session: at most one at a time.
 *
 * @module
 */

import type { ResponseParams } from "./client_events.ts";
import type { Conversation } from "./conversation.ts";
import type { CancelReason, ResponseObject, ServerEvent } from "./events.ts";
import type { IdSource } from "./ids.ts";
import { type Knobs, readKnobs } from "./knobs.ts";
import type { OutputHost, ResponseOutput } from "./output.ts";
import { RequestError } from "./request_error.ts";
import { type ResponseFrame, type ResponseHost, ResponseRun } from "./response.ts";
import type { SessionConfig } from "./session_config.ts";
import { SpeechOutput } from "./speech_output.ts";
import { TextOutput } from "./text_output.ts";
import { planCall, ToolOutput } from "./tool_output.ts";
import { sumTokens, textTokens, type TokenCount, UsageMeter } from "./usage.ts";

const REQUEST_LIMIT = 1_000;
const TOKEN_LIMIT = 1_000_000;
const LIMIT_RESET_S = 60;
/** What a written word takes at most. */
const MAX_WORD_MS = 200;

/** What the responses need from their session. */
export interface ResponsesHost
  extends Pick<ResponseHost, "emit" | "emitSized" | "timers" | "leave"> {
  readonly conversation: Conversation;
  readonly ids: IdSource;
  readonly config: () => SessionConfig;
  /** Audio in one delta; `Infinity` for all of it. */
  readonly audioChunkMs: number;
  /** Samples per second of spoken audio. */
  readonly outputRate: number;
  /** Told of every response that ended, just before its `response.done`. */
  readonly report: (response: ResponseObject) => void;
}

/** Creates and cancels responses. */
export class Responses {
  readonly #host: ResponsesHost;
  readonly #meter = new UsageMeter();
  #active: ResponseRun | null = null;
  #requests = 0;
  #tokens = 0;

  constructor(host: ResponsesHost) {
    this.#host = host;
  }

  /**
   * Starts a response.
   *
   * @throws {RequestError} When one is active, or its metadata asks for something impossible.
   */
  create(params: ResponseParams = {}): void {
    const metadata = params.metadata ?? null;
    const knobs = readKnobs(metadata);
    if (this.#active !== null) {
      const message =
        `Conversation already has an active response in progress: ${this.#active.id}.`;
      throw new RequestError("conversation_already_has_active_response", message);
    }
    const frame = this.#frame(params, metadata);
    const input = this.#context(params);
    const output = this.#output(frame, params, knobs);
    this.#requests++;
    this.#active = new ResponseRun({ frame, output, knobs, input }, {
      emit: this.#host.emit,
      emitSized: this.#host.emitSized,
      timers: this.#host.timers,
      leave: this.#host.leave,
      meter: this.#meter,
      onEnd: (response) => {
        this.#active = null;
        this.#host.report(response);
      },
      onDone: (usage) => {
        this.#tokens += usage.total_tokens;
        this.#host.emit(this.#rateLimits());
      },
    });
    this.#active.start();
  }

  /**
   * Ends the active response for the client.
   *
   * @throws {RequestError} When none is active, or `responseId` names another one.
   */
  cancel(responseId: string | null): void {
    if (this.#active === null || (responseId !== null && responseId !== this.#active.id)) {
      const message = "Cancellation failed: no active response found";
      throw new RequestError("response_cancel_not_active", message);
    }
    this.#end("client_cancelled");
  }

  /** Ends the active response, if there is one, because the caller has begun to speak. */
  interrupt(): void {
    this.#end("turn_detected");
  }

  #end(reason: CancelReason): void {
    this.#active?.end({ status: "cancelled", reason });
  }

  #frame(params: ResponseParams, metadata: ResponseFrame["metadata"]): ResponseFrame {
    const config = this.#host.config();
    const { format, voice } = config.audio.output;
    return {
      id: this.#host.ids.next("resp"),
      conversation_id: this.#host.conversation.id,
      output_modalities: params.output_modalities ?? config.output_modalities,
      max_output_tokens: params.max_output_tokens ?? config.max_output_tokens,
      audio: { output: { format, voice } },
      metadata,
    };
  }

  /** Everything the response reads: instructions, tools, the conversation. */
  #context(params: ResponseParams): TokenCount {
    const config = this.#host.config();
    const tools = params.tools ?? config.tools;
    const text = textTokens(params.instructions ?? config.instructions) +
      (tools.length === 0 ? 0 : textTokens(JSON.stringify(tools)));
    return sumTokens([{ text, audio: 0 }, this.#host.conversation.tokens()]);
  }

  #output(frame: ResponseFrame, params: ResponseParams, knobs: Knobs): ResponseOutput {
    const config = this.#host.config();
    const { conversation, ids, emit, audioChunkMs: chunkMs, outputRate } = this.#host;
    const host: OutputHost = { responseId: frame.id, conversation, ids, emit };
    const call = conversation.last?.type === "function_call_output"
      ? null
      : planCall(params.tools ?? config.tools, params.tool_choice ?? config.tool_choice);
    if (call !== null) return new ToolOutput(host, call);
    const lengthMs = Math.round(knobs.secs * 1_000);
    if (frame.output_modalities[0] === "audio") {
      return new SpeechOutput(host, { lengthMs, chunkMs, sampleRate: outputRate });
    }
    const wordMs = Math.min(chunkMs, MAX_WORD_MS);
    return new TextOutput(host, { words: Math.ceil(lengthMs / wordMs), wordMs });
  }

  #rateLimits(): ServerEvent {
    const left = (limit: number, used: number) => ({
      limit,
      remaining: Math.max(0, limit - used),
      reset_seconds: LIMIT_RESET_S,
    });
    return {
      type: "rate_limits.updated",
      rate_limits: [
        { name: "requests", ...left(REQUEST_LIMIT, this.#requests) },
        { name: "tokens", ...left(TOKEN_LIMIT, this.#tokens) },
      ],
    };
  }
}
