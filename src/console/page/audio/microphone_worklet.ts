/**
 * Runs in the audio thread: makes PCM16 of what the microphone hears and posts it in pieces of 100 ms.
 *
 * @module
 */

import { SAMPLE_RATE, toPcm16 } from "./pcm.ts";
import { Resampler } from "./resampler.ts";

// The global scope of audio worklets, which no library of types has.
declare const sampleRate: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(
  name: string,
  processor: new () => AudioWorkletProcessor & { process(inputs: Float32Array[][]): boolean },
): void;

const PIECE_SAMPLES = SAMPLE_RATE / 10;

class MicrophoneProcessor extends AudioWorkletProcessor {
  readonly #resampler = new Resampler({ from: sampleRate, to: SAMPLE_RATE });
  readonly #piece = new Float32Array(PIECE_SAMPLES);
  #filled = 0;

  process(inputs: Float32Array[][]): boolean {
    const [channel] = inputs[0] ?? [];
    for (const sample of channel === undefined ? [] : this.#resampler.push(channel)) {
      this.#piece[this.#filled++] = sample;
      if (this.#filled === PIECE_SAMPLES) this.#post();
    }
    return true;
  }

  #post(): void {
    const { buffer } = toPcm16(this.#piece);
    this.#filled = 0;
    this.port.postMessage(buffer, [buffer]);
  }
}

registerProcessor("microphone", MicrophoneProcessor);
