/**
 * Voice activity detection by loudness. Pure: the same audio gives the same turns, whatever its chunks.
 *
 * @module
 */

import { BYTES_PER_MS, durationMs } from "./tone.ts";

/** When a turn starts and ends. */
export interface VadSettings {
  /** Audio before the first loud window that belongs to the turn. */
  readonly prefixPaddingMs: number;
  /** Quiet that ends a turn. */
  readonly silenceDurationMs: number;
}

/** A change in what is heard; positions count from the first audio of the session. */
export type VadEvent =
  | { readonly kind: "started"; readonly audioStartMs: number }
  | { readonly kind: "stopped"; readonly audioEndMs: number };

/** One window of audio and what it changed. */
export interface VadWindow {
  readonly pcm: Uint8Array;
  readonly event: VadEvent | null;
}

const WINDOW_MS = 20;
const WINDOW_BYTES = WINDOW_MS * BYTES_PER_MS;
const LOUD_RMS = 500;

/** Listens to one session's audio in windows of 20 ms. */
export class EnergyVad {
  #rest: Uint8Array = new Uint8Array(0);
  #heardBytes = 0;
  #quietMs = 0;
  #speaking = false;

  /** Whether a turn has started and not stopped. */
  get speaking(): boolean {
    return this.#speaking;
  }

  /** Cuts `pcm` into windows and tells what each one changes; audio short of a window waits for more. */
  *listen(pcm: Uint8Array, settings: VadSettings): Generator<VadWindow> {
    const bytes = new Uint8Array(this.#rest.length + pcm.length);
    bytes.set(this.#rest);
    bytes.set(pcm, this.#rest.length);
    const whole = bytes.length - (bytes.length % WINDOW_BYTES);
    this.#rest = bytes.slice(whole);
    for (let at = 0; at < whole; at += WINDOW_BYTES) {
      const window = bytes.subarray(at, at + WINDOW_BYTES);
      yield { pcm: window, event: this.#hear(window, settings) };
    }
  }

  /** Forgets the turn under way and hands back the audio that still waited for a full window. */
  endTurn(): Uint8Array {
    const rest = this.#rest;
    this.#rest = new Uint8Array(0);
    this.#heardBytes += rest.length;
    this.#speaking = false;
    this.#quietMs = 0;
    return rest;
  }

  #hear(window: Uint8Array, settings: VadSettings): VadEvent | null {
    const startMs = durationMs(this.#heardBytes);
    this.#heardBytes += window.length;
    if (rootMeanSquare(window) > LOUD_RMS) {
      this.#quietMs = 0;
      if (this.#speaking) return null;
      this.#speaking = true;
      return { kind: "started", audioStartMs: Math.max(0, startMs - settings.prefixPaddingMs) };
    }
    if (!this.#speaking) return null;
    this.#quietMs += WINDOW_MS;
    if (this.#quietMs < settings.silenceDurationMs) return null;
    this.#speaking = false;
    this.#quietMs = 0;
    return { kind: "stopped", audioEndMs: durationMs(this.#heardBytes) };
  }
}

function rootMeanSquare(pcm: Uint8Array): number {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  const samples = pcm.byteLength >> 1;
  let sum = 0;
  for (let i = 0; i < samples; i++) {
    const sample = view.getInt16(i * 2, true);
    sum += sample * sample;
  }
  return Math.sqrt(sum / samples);
}
