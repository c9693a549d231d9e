/**
 * A session that only writes down what it hears, in the protocol of vLLM's realtime endpoint
 * (`vllm/entrypoints/openai/realtime/connection.py`). The first commit starts the writing, which goes on as
 * audio comes; the final one ends the audio:
 *
 * ```
 * session.created ─▶ session.update {model} ─▶ commit ─▶ append … delta … ─▶ commit {final} ─▶ done
 * ```
 *
 * @module
 */

import { z } from "zod";
import { parseMessage } from "./client_events.ts";
import { IdSource } from "./ids.ts";
import { word } from "./output.ts";
import { RequestError } from "./request_error.ts";
import type { SessionOptions } from "./session.ts";
import { Timers } from "./timers.ts";
import type { Exit, Transport } from "./transport.ts";
import { heardAudioTokens, textTokens } from "./usage.ts";

/** PCM16 mono at 16 kHz. */
const BYTES_PER_MS = 32;
/** What a word takes to be said, and to be written. */
const WORD_MS = 200;
/** Ten minutes in one transcription. */
const MAX_HEARD_MS = 600_000;

const envelope = z.object({ type: z.string().default("None") });
const update = z.object({ model: z.string() });
const append = z.object({ audio: z.string() });
const commit = z.object({ final: z.boolean().default(false) });

/** What a transcription is made of. */
export type TranscriptionOptions = Pick<
  SessionOptions,
  "serial" | "speed" | "maxSessionMs" | "nowMs" | "transport"
>;

/** See the module. */
export class TranscriptionSession {
  readonly #transport: Transport;
  readonly #timers: Timers;
  #ready = false;
  #ended = false;
  #heardMs = 0;
  #written = 0;
  #text = "";
  /** Whether there will be no more audio. */
  #final = false;
  /** A writer that has caught up waits for more audio. */
  #writing: "not" | "writes" | "waits" = "not";

  constructor(options: TranscriptionOptions) {
    this.#transport = options.transport;
    this.#timers = new Timers(options.speed);
    this.#timers.afterWallClock(options.maxSessionMs, () => {
      this.leave({ kind: "close", code: 1001, reason: "session expired" });
    });
    const id = new IdSource(options.serial).next("sess").replaceAll("_", "-");
    this.#send({ type: "session.created", id, created: Math.floor(options.nowMs / 1_000) });
  }

  /** Takes one message, null for a binary one. Whatever is wrong with it becomes an `error` event. */
  receive(text: string | null): void {
    if (this.#ended) return;
    try {
      this.#handle(parseMessage(text));
    } catch (error) {
      if (error instanceof RequestError && error.code === "invalid_json") {
        return this.#refuse("invalid_json", "Invalid JSON");
      }
      this.#refuse("processing_error", error instanceof Error ? error.message : "unknown");
    }
  }

  /** Ends the connection from this side. */
  leave(exit: Exit): void {
    this.end();
    this.#transport.leave(exit);
  }

  /** Stops everything; nothing is sent any more. */
  end(): void {
    this.#ended = true;
    this.#timers.stop();
  }

  #handle(message: unknown): void {
    const { type } = envelope.parse(message);
    switch (type) {
      case "session.update":
        // Any name is good: what the check of it says goes nowhere.
        update.parse(message);
        this.#ready = true;
        return;
      case "input_audio_buffer.append":
        return this.#hear(append.parse(message).audio);
      case "input_audio_buffer.commit":
        return this.#commit(commit.parse(message).final);
      default:
        this.#refuse("unknown_event", `Unknown event type: ${type}`);
    }
  }

  #hear(audio: string): void {
    const heardMs = this.#heardMs + Math.floor(lengthOf(audio) / BYTES_PER_MS);
    if (heardMs === this.#heardMs || heardMs > MAX_HEARD_MS) {
      return this.#refuse("invalid_audio", "Invalid audio data");
    }
    this.#heardMs = heardMs;
    if (this.#writing === "waits") this.#write();
  }

  #commit(final: boolean): void {
    if (!this.#ready) {
      const message = "Model not validated. Make sure to validate the model by sending a " +
        "session.update event.";
      return this.#refuse("model_not_validated", message);
    }
    if (final) this.#final = true;
    if (this.#writing === "waits" || (this.#writing === "not" && !final)) this.#write();
  }

  #write(): void {
    if (this.#written === Math.ceil(this.#heardMs / WORD_MS)) {
      if (this.#final) return this.#finish();
      this.#writing = "waits";
      return;
    }
    this.#writing = "writes";
    const delta = word(this.#written++);
    this.#text += delta;
    this.#send({ type: "transcription.delta", delta });
    this.#timers.after(WORD_MS, () => this.#write());
  }

  #finish(): void {
    const prompt_tokens = heardAudioTokens(this.#heardMs);
    const completion_tokens = textTokens(this.#text);
    const total_tokens = prompt_tokens + completion_tokens;
    const usage = { prompt_tokens, total_tokens, completion_tokens };
    this.#send({ type: "transcription.done", text: this.#text, usage });
    this.#heardMs = this.#written = 0;
    this.#text = "";
    this.#final = false;
    this.#writing = "not";
  }

  #refuse(code: string, error: string): void {
    this.#send({ type: "error", error, code });
  }

  #send(event: object): void {
    if (!this.#ended) this.#transport.send(JSON.stringify(event));
  }
}

/** How many bytes a base64 text stands for; none when it is no such text. */
function lengthOf(base64: string): number {
  try {
    return Uint8Array.fromBase64(base64).length;
  } catch {
    return 0;
  }
}
