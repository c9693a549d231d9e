/**
 * A built-in sample, for who has no microphone.
 *
 * @module
 */

import { SAMPLE_RATE, toPcm16 } from "./pcm.ts";

const FREQUENCY_HZ = 440;
const LOUDNESS = 0.3;
/** Beginning and end are soft, so that they do not click. */
const FADE_MS = 20;

/** A tone of so many milliseconds, as PCM16. */
export function sampleTone(durationMs: number): Uint8Array<ArrayBuffer> {
  const length = Math.round((SAMPLE_RATE * durationMs) / 1000);
  const fade = (SAMPLE_RATE * FADE_MS) / 1000;
  const samples = Float32Array.from({ length }, (_, index) => {
    const softness = Math.min(1, index / fade, (length - 1 - index) / fade);
    return LOUDNESS * softness * Math.sin((2 * Math.PI * FREQUENCY_HZ * index) / SAMPLE_RATE);
  });
  return toPcm16(samples);
}

/** Silence, as PCM16: a backend that finds the end of a turn by itself waits for it. */
export function silence(durationMs: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(2 * Math.round((SAMPLE_RATE * durationMs) / 1000));
}
