/**
 * A session that only writes down what it hears, in the protocol of vLLM's realtime endpoint:
 *
 * ```
 * session.created ─▶ session.update {model} ─▶ append … commit ─▶ delta … ─▶ commit {final} ─▶ done
 * ```
 *
 * @module
 */

import { z } from "zod";
import { parseMessage } from "./client_events.ts";
import { IdSource } from "./ids.ts";
import { decodeAudio } from "./items.ts";
import { word } from "./output.ts";
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

const clientEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("session.update"), model: z.string() }),
  z.object({ type: z.literal("input_audio_buffer.append"), audio: z.string() }),
  z.object({
    type: z.literal("input_audio_buffer.commit"),
    final: z.boolean().default(false),
  }),
]);

/** What a transcription is made of. */
export type TranscriptionOptions =
  & Pick<SessionOptions, "serial" | "speed" | "maxSessionMs" | "nowMs" | "transport">
  & { readonly models: readonly string[] };

/** See the module. */
export class TranscriptionSession {
  readonly #transport: Transport;
  readonly #models: readonly string[];
  readonly #timers: Timers;
  #ready = false;
  #ended = false;
  #heardMs = 0;
  /** How many words are to be written, and how many are. */
  #wanted = 0;
  #written = 0;
  #text = "";
  #final = false;
  #writing = false;

  constructor(options: TranscriptionOptions) {
    this.#transport = options.transport;
    this.#models = options.models;
    this.#timers = new Timers(options.speed);
    this.#timers.afterWallClock(options.maxSessionMs, () => {
      this.leave({ kind: "close", code: 1001, reason: "session expired" });
    });
    const id = new IdSource(options.serial).next("sess");
    this.#send({ type: "session.created", id, created: Math.floor(options.nowMs / 1_000) });
  }

  /** Takes one message, null for a binary one. Whatever is wrong with it becomes an `error` event. */
  receive(text: string | null): void {
    if (this.#ended) return;
    try {
      this.#handle(parseMessage(text));
    } catch (error) {
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
    const { success, data: event } = clientEvent.safeParse(message);
    if (!success) return this.#refuse("unknown_event", "Unknown event type");
    if (event.type === "session.update") {
      if (this.#models.includes(event.model)) this.#ready = true;
      else this.#refuse("model_not_found", "The model does not exist");
      return;
    }
    if (!this.#ready) return this.#refuse("model_not_validated", "Send session.update first");
    if (event.type === "input_audio_buffer.append") return this.#hear(decodeAudio(event.audio));
    this.#wanted = Math.ceil(this.#heardMs / WORD_MS);
    this.#final ||= event.final;
    if (!this.#writing) this.#write();
  }

  #hear(pcm: Uint8Array): void {
    const heardMs = this.#heardMs + Math.floor(pcm.length / BYTES_PER_MS);
    if (heardMs > MAX_HEARD_MS) return this.#refuse("audio_too_long", "Too much audio");
    this.#heardMs = heardMs;
  }

  #write(): void {
    this.#writing = this.#written < this.#wanted;
    if (!this.#writing) {
      if (this.#final) this.#finish();
      return;
    }
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
    this.#heardMs = this.#wanted = this.#written = 0;
    this.#text = "";
    this.#final = false;
  }

  #refuse(code: string, error: string): void {
    this.#send({ type: "error", error, code });
  }

  #send(event: object): void {
    if (!this.#ended) this.#transport.send(JSON.stringify(event));
  }
}
