/**
 * The backend's voice: PCM16 mono audio, as a 220 Hz sine. What is heard is at 24 kHz, and so is what is
 * spoken, but for dialects with a rate of their own.
 *
 * @module
 */

/** Samples per second. */
export const SAMPLE_RATE = 24_000;
/** Bytes of one millisecond of audio: 24 samples of two bytes. */
export const BYTES_PER_MS = 48;

const FREQUENCY_HZ = 220;
const AMPLITUDE = 8_000;

/** By sample rate. One second holds a whole number of waves, so that repeating it gives no click. */
const SECONDS = new Map<number, Uint8Array>();

function oneSecond(sampleRate: number): Uint8Array {
  const known = SECONDS.get(sampleRate);
  if (known !== undefined) return known;
  const bytes = new Uint8Array(sampleRate * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < sampleRate; i++) {
    const angle = (2 * Math.PI * FREQUENCY_HZ * i) / sampleRate;
    view.setInt16(i * 2, Math.round(AMPLITUDE * Math.sin(angle)), true);
  }
  SECONDS.set(sampleRate, bytes);
  return bytes;
}

/**
 * `durationMs` of the tone, from the start of a wave. Pieces whose length is a multiple of 50 ms
 * join without a click, since 50 ms hold 11 whole waves.
 *
 * @param options `sampleRate`: samples per second, a whole number.
 */
export function tone(
  durationMs: number,
  options: { readonly sampleRate?: number } = {},
): Uint8Array<ArrayBuffer> {
  const { sampleRate = SAMPLE_RATE } = options;
  const second = oneSecond(sampleRate);
  const bytes = new Uint8Array(2 * Math.round((Math.round(durationMs) * sampleRate) / 1_000));
  for (let at = 0; at < bytes.length; at += second.length) {
    bytes.set(second.subarray(0, bytes.length - at), at);
  }
  return bytes;
}

/** How long `bytes` of audio last, in whole milliseconds (rounded down). */
export function durationMs(bytes: number): number {
  return Math.floor(bytes / BYTES_PER_MS);
}
