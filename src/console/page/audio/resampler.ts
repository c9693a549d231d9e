/**
 * Brings samples from one rate to another. Each new sample is the mean of the old ones in its span of time,
 * which is filter enough for speech.
 *
 * @module
 */

/** Keeps what is left of one piece for the next one. */
export class Resampler {
  /** Old samples in a new one. */
  readonly #ratio: number;
  #sum = 0;
  /** Of the span of the next new sample, what is in the sum; in old samples. */
  #filled = 0;

  /** @param rates Samples a second. */
  constructor(rates: { readonly from: number; readonly to: number }) {
    this.#ratio = rates.from / rates.to;
  }

  /** Takes a piece and gives the new samples that are complete by then. */
  push(samples: Float32Array): Float32Array<ArrayBuffer> {
    const out = new Float32Array(Math.ceil((samples.length + this.#filled) / this.#ratio));
    let count = 0;
    for (const sample of samples) {
      let left = 1;
      while (this.#filled + left >= this.#ratio) {
        const part = this.#ratio - this.#filled;
        out[count++] = (this.#sum + sample * part) / this.#ratio;
        left -= part;
        this.#sum = 0;
        this.#filled = 0;
      }
      this.#sum += sample * left;
      this.#filled += left;
    }
    return out.slice(0, count);
  }
}
