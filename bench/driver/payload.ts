/**
 * Messages of any length that look like what backends send most.
 *
 * @module
 */

const HEAD = '{"type":"response.output_audio.delta","delta":"';
const TAIL = '"}';

/** A text of that many bytes, at least as many as an empty delta has. */
export function payload(bytes: number): Uint8Array<ArrayBuffer> {
  const room = bytes - HEAD.length - TAIL.length;
  if (room < 0) throw new RangeError(`a delta has at least ${HEAD.length + TAIL.length} bytes`);
  return new TextEncoder().encode(HEAD + "UklGRg8/+w".repeat(room / 10 + 1).slice(0, room) + TAIL);
}
