/**
 * SHA-256 digests, searched in a time that does not tell which of them matched.
 *
 * @module
 */

import { createHash } from "node:crypto";

const DIGEST_BYTES = 32;
const DIGEST_WORDS = DIGEST_BYTES / 4;
const DIGEST_HEX = /^[0-9a-f]{64}$/i;

/** The digest of a secret's UTF-8 text. */
export function sha256(text: string): Uint8Array {
  return createHash("sha256").update(text, "utf8").digest();
}

/** Reads 64 hexadecimal digits, in any case; null for anything else. */
export function digestFromHex(hex: string): Uint8Array | null {
  return DIGEST_HEX.test(hex) ? Uint8Array.fromHex(hex) : null;
}

/**
 * An immutable list of digests. All of them lie in one array that every search reads from end to end: a
 * call of `timingSafeEqual` for each would cost 0.4 µs a key and request, this costs a hundredth.
 */
export class DigestList {
  readonly #words: Uint32Array;

  /** @throws {RangeError} when a digest is not 32 bytes long. */
  constructor(digests: readonly Uint8Array[]) {
    this.#words = new Uint32Array(digests.length * DIGEST_WORDS);
    for (const [index, digest] of digests.entries()) {
      this.#words.set(wordsOf(digest), index * DIGEST_WORDS);
    }
  }

  /** The position of a digest, or -1. All words of all digests are compared, whatever is found. */
  indexOf(digest: Uint8Array): number {
    const wanted = wordsOf(digest);
    const words = this.#words;
    let found = -1;
    for (let start = 0; start < words.length; start += DIGEST_WORDS) {
      let difference = 0;
      for (let word = 0; word < DIGEST_WORDS; word++) {
        difference |= (words[start + word] ?? 0) ^ (wanted[word] ?? 0);
      }
      if (difference === 0) found = start / DIGEST_WORDS;
    }
    return found;
  }
}

function wordsOf(digest: Uint8Array): Uint32Array {
  if (digest.length !== DIGEST_BYTES) throw new RangeError("A SHA-256 digest has 32 bytes");
  // A copy: the bytes may lie at an odd place of a shared buffer, where words cannot be read.
  return new Uint32Array(new Uint8Array(digest).buffer);
}
