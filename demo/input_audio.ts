/**
 * The input audio buffer of one session: manual turns, or turns found by voice activity detection.
 *
 * @module
 */

import type { Conversation } from "./conversation.ts";
import type { ServerEvent } from "./events.ts";
import type { IdSource } from "./ids.ts";
import { decodeAudio, recordedClip, type StoredItem } from "./items.ts";
import { RequestError } from "./request_error.ts";
import type { SessionConfig } from "./session_config.ts";
import { BYTES_PER_MS, durationMs } from "./tone.ts";
import { heardAudioTokens, textTokens } from "./usage.ts";
import { EnergyVad, type VadEvent, type VadSettings } from "./vad.ts";
import type { Timers } from "./timers.ts";

/** Two minutes: longer than any turn of a demo, and little enough memory. */
const MAX_BUFFER_BYTES = 120_000 * BYTES_PER_MS;
/** The least audio that makes a turn. */
const MIN_COMMIT_MS = 100;
const TRANSCRIPTION_MS = 120;
const TRANSCRIPT = "This is what the caller said.";
/** Semantic detection names no durations; these are those of the energy detector in its place. */
const SEMANTIC_VAD: VadSettings = { prefixPaddingMs: 300, silenceDurationMs: 500 };

/** What the buffer needs from its session. */
export interface InputAudioHost {
  readonly conversation: Conversation;
  readonly ids: IdSource;
  readonly timers: Timers;
  readonly config: () => SessionConfig;
  readonly emit: (event: ServerEvent) => void;
  /** The caller has begun to speak over the answer, which is to stop. */
  readonly onInterruption: () => void;
  /** A turn has been detected, and is to be answered. */
  readonly onTurn: () => void;
}

/** Collects what the caller says until it is a turn. */
export class InputAudio {
  readonly #host: InputAudioHost;
  readonly #vad = new EnergyVad();
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  /** The identifier promised to the turn under way by `speech_started`. */
  #promisedId: string | null = null;

  constructor(host: InputAudioHost) {
    this.#host = host;
  }

  /**
   * Takes audio. No reply, other than what turn detection makes of it.
   *
   * @throws {RequestError} When it is not base64, or the buffer is full.
   */
  append(base64: string): void {
    const pcm = decodeAudio(base64);
    const detection = this.#host.config().audio.input.turn_detection;
    if (detection === null) return this.#keep(pcm);
    const settings = detection.type === "semantic_vad" ? SEMANTIC_VAD : {
      prefixPaddingMs: detection.prefix_padding_ms,
      silenceDurationMs: detection.silence_duration_ms,
    };
    for (const window of this.#vad.listen(pcm, settings)) {
      this.#keep(window.pcm);
      if (window.event !== null) this.#onChange(window.event, detection);
      if (!this.#vad.speaking) this.#forgetBefore(settings.prefixPaddingMs);
    }
  }

  /**
   * Makes the buffer an item of the conversation.
   *
   * @throws {RequestError} When there are less than 100 ms of audio.
   */
  commit(): void {
    this.#keep(this.#vad.endTurn());
    const heardMs = durationMs(this.#bytes);
    if (heardMs < MIN_COMMIT_MS) {
      const message = `Error committing input audio buffer: buffer too small. Expected at least ` +
        `${MIN_COMMIT_MS}ms of audio, but buffer only has ${heardMs}.00ms of audio.`;
      throw new RequestError("input_audio_buffer_commit_empty", message);
    }
    const stored = this.#turnItem(this.#promisedId ?? this.#host.ids.next("item"));
    this.#empty();
    const { item } = stored;
    const previous_item_id = this.#host.conversation.append(stored);
    this.#host.emit({ type: "input_audio_buffer.committed", previous_item_id, item_id: item.id });
    this.#host.emit({ type: "conversation.item.added", previous_item_id, item });
    this.#host.emit({ type: "conversation.item.done", previous_item_id, item });
    if (this.#host.config().audio.input.transcription !== null) {
      this.#host.timers.after(TRANSCRIPTION_MS, () => this.#transcribe(item.id, heardMs));
    }
  }

  /** Throws the buffer away. */
  clear(): void {
    this.#vad.endTurn();
    this.#empty();
    this.#host.emit({ type: "input_audio_buffer.cleared" });
  }

  #onChange(event: VadEvent, detection: TurnDetection): void {
    if (event.kind === "started") {
      const item_id = this.#host.ids.next("item");
      this.#promisedId = item_id;
      const { audioStartMs: audio_start_ms } = event;
      this.#host.emit({ type: "input_audio_buffer.speech_started", audio_start_ms, item_id });
      if (detection.interrupt_response) this.#host.onInterruption();
      return;
    }
    const item_id = this.#promisedId ?? this.#host.ids.next("item");
    this.#promisedId = item_id;
    const { audioEndMs: audio_end_ms } = event;
    this.#host.emit({ type: "input_audio_buffer.speech_stopped", audio_end_ms, item_id });
    this.commit();
    if (detection.create_response) this.#host.onTurn();
  }

  #transcribe(itemId: string, heardMs: number): void {
    const stored = this.#host.conversation.find(itemId);
    if (stored?.item.type !== "message") return;
    const content = [{ type: "input_audio", transcript: TRANSCRIPT }] as const;
    this.#host.conversation.replace({ ...stored, item: { ...stored.item, content } });
    const place = { item_id: itemId, content_index: 0 };
    this.#host.emit({
      type: "conversation.item.input_audio_transcription.delta",
      ...place,
      delta: TRANSCRIPT,
    });
    const audio_tokens = heardAudioTokens(heardMs);
    const output_tokens = textTokens(TRANSCRIPT);
    this.#host.emit({
      type: "conversation.item.input_audio_transcription.completed",
      ...place,
      transcript: TRANSCRIPT,
      usage: {
        type: "tokens",
        total_tokens: audio_tokens + output_tokens,
        input_tokens: audio_tokens,
        input_token_details: { text_tokens: 0, audio_tokens },
        output_tokens,
      },
    });
  }

  #keep(pcm: Uint8Array): void {
    if (this.#bytes + pcm.length > MAX_BUFFER_BYTES) {
      const message = `The input audio buffer holds at most ${
        durationMs(MAX_BUFFER_BYTES)
      }ms of audio.`;
      throw new RequestError("input_audio_buffer_full", message, { param: "audio" });
    }
    if (pcm.length === 0) return;
    this.#chunks.push(pcm);
    this.#bytes += pcm.length;
  }

  /** Before a turn has started only its prefix is of use. */
  #forgetBefore(keptMs: number): void {
    let first = this.#chunks[0];
    while (first !== undefined && this.#bytes - first.length >= keptMs * BYTES_PER_MS) {
      this.#chunks.shift();
      this.#bytes -= first.length;
      first = this.#chunks[0];
    }
  }

  #empty(): void {
    this.#chunks = [];
    this.#bytes = 0;
    this.#promisedId = null;
  }

  #turnItem(id: string): StoredItem {
    const pcm = new Uint8Array(this.#bytes);
    let at = 0;
    for (const chunk of this.#chunks) {
      pcm.set(chunk, at);
      at += chunk.length;
    }
    return {
      item: {
        id,
        object: "realtime.item",
        type: "message",
        status: "completed",
        role: "user",
        content: [{ type: "input_audio", transcript: null }],
      },
      clips: [recordedClip(pcm)],
    };
  }
}

type TurnDetection = NonNullable<SessionConfig["audio"]["input"]["turn_detection"]>;
