/**
 * The last bytes of a text message in fragments, and whether a character is cut off there. The built-in endpoint
 * checks all of such a text but its very end, and hands it over without what is left of the character.
 *
 * @module
 */

/** The most bytes of a character that may be there without the last one (RFC 3629 §3). */
const LONGEST_CUT = 3;

/** See the module. */
export class TextTail {
  /** The newest byte last. */
  #bytes: number[] = [];

  /**
   * Takes in payload `bytes[from, to)`.
   *
   * @param bytes Those at hand, of whom `mask` says how they are masked; null when they are not.
   */
  push(
    bytes: Uint8Array,
    { from, to, mask }: { readonly from: number; readonly to: number; readonly mask: Mask | null },
  ): void {
    for (let at = Math.max(from, to - LONGEST_CUT); at < to; at++) {
      const key = mask === null ? 0 : mask.key[(mask.passed + at - from) & 3]!;
      this.#bytes.push(bytes[at]! ^ key);
    }
    this.#bytes = this.#bytes.slice(-LONGEST_CUT);
  }

  /** Whether the last character is not complete. */
  get isCut(): boolean {
    for (let back = 1; back <= this.#bytes.length; back++) {
      const byte = this.#bytes.at(-back)!;
      if (byte < 0x80) return false;
      if (byte >= 0xc0) return characterBytes(byte) > back;
    }
    return false;
  }
}

/** How the payload of a frame is masked. */
export interface Mask {
  readonly key: Uint8Array;
  /** Bytes of the frame's payload before those at hand. */
  readonly passed: number;
}

/** How many bytes a character has that begins with this one. */
function characterBytes(first: number): number {
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
}
