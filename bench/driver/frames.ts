/**
 * WebSocket frames as the driver needs them: made once and sent as they are, and counted without being
 * copied when they come back.
 *
 * @module
 */

/** Any key will do, but zeros would spare a receiver work that clients do not spare it. */
const MASK = [0x37, 0xfa, 0x21, 0x3d] as const;

/** What a frame is made of. */
export interface FrameOptions {
  /** Clients mask, servers do not. */
  readonly masked: boolean;
  /** @default {1} text */
  readonly opcode?: number;
}

/** A whole message in one frame. */
export function frame(
  payload: Uint8Array,
  { masked, opcode = 1 }: FrameOptions,
): Uint8Array<ArrayBuffer> {
  const { length } = payload;
  const lengthBytes = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const bytes = new Uint8Array(2 + lengthBytes + (masked ? 4 : 0) + length);
  const view = new DataView(bytes.buffer);
  bytes[0] = 0x80 | opcode;
  bytes[1] = (masked ? 0x80 : 0) | (lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127);
  if (lengthBytes === 2) view.setUint16(2, length);
  if (lengthBytes === 8) view.setBigUint64(2, BigInt(length));
  const start = bytes.length - length;
  bytes.set(payload, start);
  if (!masked) return bytes;
  bytes.set(MASK, start - 4);
  for (let at = 0; at < length; at++) bytes[start + at]! ^= MASK[at & 3]!;
  return bytes;
}

/** What counts frames as their bytes pass. It keeps at most one frame header. */
export class FrameCounter {
  readonly #onFrame: (opcode: number, payloadBytes: number) => void;
  readonly #head = new Uint8Array(14);
  readonly #headView = new DataView(this.#head.buffer);
  #headBytes = 0;
  #payloadBytes = 0;
  #left = -1;

  /** @param onFrame Told when the last byte of a frame has come. */
  constructor(onFrame: (opcode: number, payloadBytes: number) => void) {
    this.#onFrame = onFrame;
  }

  /** Looks at the first `length` bytes of a buffer. */
  take(bytes: Uint8Array, length: number): void {
    let at = 0;
    while (at < length) {
      if (this.#left < 0) {
        this.#head[this.#headBytes++] = bytes[at++]!;
        this.#readHead();
      } else {
        const passed = Math.min(this.#left, length - at);
        at += passed;
        this.#left -= passed;
      }
      if (this.#left === 0) {
        this.#left = -1;
        this.#onFrame(this.#head[0]! & 0x0f, this.#payloadBytes);
      }
    }
  }

  #readHead(): void {
    if (this.#headBytes < 2) return;
    const short = this.#head[1]! & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const wanted = 2 + lengthBytes + (this.#head[1]! >= 0x80 ? 4 : 0);
    if (this.#headBytes < wanted) return;
    this.#payloadBytes = lengthBytes === 0
      ? short
      : lengthBytes === 2
      ? this.#headView.getUint16(2)
      : Number(this.#headView.getBigUint64(2));
    this.#left = this.#payloadBytes;
    this.#headBytes = 0;
  }
}
