/**
 * Plays PCM16 piece after piece.
 *
 * @module
 */

import { fromPcm16 } from "./pcm.ts";

/** What was cut off by {@link Speaker.stop}. */
export interface CutOff {
  readonly itemId: string;
  /** How much of the item was heard. */
  readonly heardMs: number;
}

/** So much later than now the first piece begins, so that the next one is there in time. */
const LEAD_S = 0.05;

/** See the module. Made in answer to a click: browsers let no other page make a sound. */
export class Speaker {
  readonly #context = new AudioContext();
  readonly #playing = new Set<AudioBufferSourceNode>();
  #endsAt = 0;
  #itemId = "";
  #itemBeganAt = 0;
  #itemSeconds = 0;

  /** Plays a piece behind those before it. @param options `sampleRate`: samples a second. */
  play(
    pcm: Uint8Array,
    options: { readonly itemId: string; readonly sampleRate: number },
  ): void {
    const samples = fromPcm16(pcm);
    if (samples.length === 0) return;
    const buffer = this.#context.createBuffer(1, samples.length, options.sampleRate);
    buffer.copyToChannel(samples, 0);
    const source = new AudioBufferSourceNode(this.#context, { buffer });
    source.connect(this.#context.destination);
    source.onended = () => this.#playing.delete(source);
    const beginsAt = Math.max(this.#endsAt, this.#context.currentTime + LEAD_S);
    if (options.itemId !== this.#itemId) {
      this.#itemId = options.itemId;
      this.#itemBeganAt = beginsAt;
      this.#itemSeconds = 0;
    }
    this.#playing.add(source);
    source.start(beginsAt);
    this.#endsAt = beginsAt + buffer.duration;
    this.#itemSeconds += buffer.duration;
  }

  /** Goes quiet at once. Null when it was quiet already. */
  stop(): CutOff | null {
    if (this.#playing.size === 0) return null;
    for (const source of this.#playing) source.stop();
    this.#playing.clear();
    const heardS = this.#context.currentTime - this.#itemBeganAt;
    this.#endsAt = 0;
    const itemId = this.#itemId;
    this.#itemId = "";
    return {
      itemId,
      heardMs: Math.floor(Math.max(0, Math.min(heardS, this.#itemSeconds)) * 1000),
    };
  }

  /** Ends it. Idempotent. */
  close(): void {
    if (this.#context.state !== "closed") void this.#context.close();
  }
}
