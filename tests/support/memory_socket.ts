/**
 * A WebSocket endpoint over a stream in memory: as much of one as a session needs on its own side of the
 * wire. It sends whole messages, answers a close frame with its echo, and knows nothing of pings.
 *
 * @module
 */

import { decodeWholeFrames } from "./decode_frames.ts";
import { FakeSocket } from "./fake_socket.ts";
import { concatBytes, type MemoryStream } from "./memory_stream.ts";
import { closeBody, encodeFrame, type FrameToWrite, OPCODE, type RawFrame } from "./raw_peer.ts";

/** See the module. */
export class MemorySocket extends FakeSocket {
  readonly #stream: MemoryStream;
  readonly #masks: boolean;
  #writing: Promise<unknown> = Promise.resolve();
  #message: Uint8Array[] = [];
  #messageIsText = false;

  /**
   * @param stream The endpoint's end of the near stream; it is read from `open` on.
   * @param options `masks`: whether it writes as a client.
   */
  constructor(stream: MemoryStream, options: { readonly masks: boolean }) {
    super("connecting");
    this.#stream = stream;
    this.#masks = options.masks;
  }

  override open(): void {
    super.open();
    void this.#readFrames();
  }

  override send(data: string | ArrayBufferLike | Blob | ArrayBufferView): void {
    super.send(data);
    if (typeof data === "string") this.#write({ opcode: OPCODE.text, payload: data });
    else if (data instanceof ArrayBuffer) {
      this.#write({ opcode: OPCODE.binary, payload: new Uint8Array(data) });
    }
  }

  override close(code?: number, reason = ""): void {
    const isFirst = this.readyState === this.OPEN;
    super.close(code, reason);
    if (!isFirst) return;
    const payload = code === undefined ? new Uint8Array(0) : closeBody(code, reason);
    this.#write({ opcode: OPCODE.close, payload });
  }

  #write(frame: FrameToWrite): void {
    const bytes = encodeFrame(frame, { masked: this.#masks });
    this.bufferedAmount += bytes.length;
    this.#writing = this.#writing.then(async () => {
      await this.#stream.write(bytes);
      this.bufferedAmount -= bytes.length;
    });
  }

  async #readFrames(): Promise<void> {
    const buffer = new Uint8Array(64 * 1024);
    let held = new Uint8Array(0);
    while (this.readyState !== this.CLOSED) {
      const read = await this.#stream.read(buffer);
      if (typeof read !== "number") return this.#endWith("Unexpected EOF");
      const { frames, rest } = decodeWholeFrames(concatBytes([held, buffer.subarray(0, read)]));
      held = rest.slice();
      for (const frame of frames) {
        if (this.readyState !== this.CLOSED) this.#take(frame);
      }
    }
  }

  #take({ opcode, final, payload }: RawFrame): void {
    if (opcode === OPCODE.close) {
      if (this.readyState === this.OPEN) this.#write({ opcode, payload });
      return this.#endWith();
    }
    if (opcode > OPCODE.binary) return;
    if (opcode !== OPCODE.continuation) this.#messageIsText = opcode === OPCODE.text;
    this.#message.push(payload);
    if (!final) return;
    const whole = concatBytes(this.#message);
    this.#message = [];
    if (!this.#messageIsText) return this.receive(whole.buffer);
    try {
      this.receive(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(whole));
    } catch {
      this.#endWith("Invalid UTF-8");
    }
  }

  /** Ends its stream behind what it has yet to write. */
  #endWith(error?: string): void {
    this.#writing = this.#writing.then(() => this.#stream.closeWrite());
    if (error !== undefined) this.fail(error);
    this.end();
  }
}
