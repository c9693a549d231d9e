/**
 * The backend's voice: PCM16 mono audio at 24 kHz, the only format of this backend, as a 220 Hz sine.
 *
 * @module
 */

/** Samples per second. */
export const SAMPLE_RATE = 24_000;
/** Bytes of one millisecond of audio: 24 samples of two bytes. */
export const BYTES_PER_MS = 48;

const FREQUENCY_HZ = 220;
const AMPLITUDE = 8_000;

/** One second holds a whole number of waves, so that repeating it gives no click. */
const ONE_SECOND = ((): Uint8Array => {
  const bytes = new Uint8Array(SAMPLE_RATE * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < SAMPLE_RATE; i++) {
    const angle = (2 * Math.PI * FREQUENCY_HZ * i) / SAMPLE_RATE;
    view.setInt16(i * 2, Math.round(AMPLITUDE * Math.sin(angle)), true);
  }
  return bytes;
})();

/**
 * `durationMs` of the tone, from the start of a wave. Pieces whose length is a multiple of 50 ms
 * join without a click, since 50 ms hold 11 whole waves.
 */
export function tone(durationMs: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.round(durationMs) * BYTES_PER_MS);
  for (let at = 0; at < bytes.length; at += ONE_SECOND.length) {
    bytes.set(ONE_SECOND.subarray(0, bytes.length - at), at);
  }
  return bytes;
}

/** How long `bytes` of audio last, in whole milliseconds (rounded down). */
export function durationMs(bytes: number): number {
  return Math.floor(bytes / BYTES_PER_MS);
}
