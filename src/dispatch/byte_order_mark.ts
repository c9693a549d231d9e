/**
 * The mark that a text in UTF-8 may begin with, which belongs neither to its JSON nor to its first line.
 *
 * @module
 */

const MARK = Uint8Array.of(0xef, 0xbb, 0xbf);

/** Takes the mark off the beginning of one text, however that is cut. */
export class ByteOrderMark {
  #matched = 0;
  #begun = false;

  /** Gives `pass` what of the next piece belongs to the text. */
  strip(piece: Uint8Array, pass: (bytes: Uint8Array) => void): void {
    if (this.#begun) return pass(piece);
    let at = 0;
    while (at < piece.length && this.#matched < MARK.length && piece[at] === MARK[this.#matched]) {
      at++;
      this.#matched++;
    }
    if (at === piece.length) return;
    this.#begun = true;
    if (this.#matched < MARK.length) pass(MARK.subarray(0, this.#matched));
    pass(piece.subarray(at));
  }
}
