/**
 * PCM16: the audio of the Realtime API, mono, little-endian, 24,000 samples a second unless a backend says
 * otherwise.
 *
 * @module
 */

/** Samples a second of what is sent. */
export const SAMPLE_RATE = 24_000;
const BYTES_PER_SAMPLE = 2;
/** `String.fromCharCode` takes its characters as arguments, whose number has a limit. */
const CHARS_AT_ONCE = 8_192;

/** Samples from −1 to 1 as PCM16. Louder ones are cut off. */
export function toPcm16(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(samples.length * BYTES_PER_SAMPLE);
  const view = new DataView(bytes.buffer);
  samples.forEach((sample, index) => {
    const limited = Math.max(-1, Math.min(1, sample));
    const value = limited < 0 ? limited * 0x8000 : limited * 0x7fff;
    view.setInt16(index * BYTES_PER_SAMPLE, Math.round(value), true);
  });
  return bytes;
}

/** PCM16 as samples from −1 to 1. An odd byte at the end is left out. */
export function fromPcm16(bytes: Uint8Array): Float32Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Float32Array(Math.floor(bytes.length / BYTES_PER_SAMPLE));
  for (let index = 0; index < samples.length; index++) {
    samples[index] = view.getInt16(index * BYTES_PER_SAMPLE, true) / 0x8000;
  }
  return samples;
}

/** How long PCM16 lasts. */
export function pcmMilliseconds(bytes: number, sampleRate: number): number {
  return (bytes / BYTES_PER_SAMPLE / sampleRate) * 1000;
}

/** Bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHARS_AT_ONCE) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHARS_AT_ONCE));
  }
  return btoa(text);
}

/** Bytes from base64; null when it is none. */
export function fromBase64(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}
