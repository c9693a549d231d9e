/**
 * A leg over streams in memory: the test plays its peer and its endpoint.
 *
 * @module
 */

import { type LegEnd, WireLeg } from "../../src/wire/mod.ts";
import { decodeFrames } from "./decode_frames.ts";
import { memoryPair, type MemoryStream } from "./memory_stream.ts";
import {
  closeBody,
  encodeFrame,
  type FrameToWrite,
  OPCODE,
  type RawFrame,
  readCloseBody,
} from "./raw_peer.ts";
import { settled } from "./settled.ts";

/** The most bytes of a message from the peer of a {@link LegFixture}. */
export const LIMIT = 100_000;

/** About what a socket holds between the endpoint and the leg. */
const NEAR_BYTES = 64 * 1024;

/** What a {@link LegFixture} may be given. */
export interface LegFixtureOptions {
  /** @default {LIMIT} */
  readonly maxMessageBytes?: number;
  /** @default {} the fixture's own `nowMs` */
  readonly now?: () => number;
}

/** A leg, its two ends, and its time. */
export class LegFixture {
  readonly leg: WireLeg;
  /** What the peer holds of its connection. */
  readonly peer: MemoryStream;
  /** What the built-in endpoint holds of its own. */
  readonly endpoint: MemoryStream;
  nowMs = 1_000;
  isFinished = false;
  readonly #peerMasks: boolean;
  readonly #streams;

  constructor(side: "client" | "backend", options: LegFixtureOptions = {}) {
    this.#peerMasks = side === "client";
    this.leg = new WireLeg({
      peer: side,
      maxMessageBytes: options.maxMessageBytes ?? LIMIT,
      now: options.now ?? (() => this.nowMs),
    });
    const [far, peer] = memoryPair();
    const [near, endpoint] = memoryPair();
    this.peer = peer;
    this.endpoint = endpoint;
    near.holdsBytes = NEAR_BYTES;
    this.#streams = { far, near };
    void this.leg.finished.then(() => this.isFinished = true);
  }

  /** The same, already flowing. */
  static attached(side: "client" | "backend", options: LegFixtureOptions = {}): LegFixture {
    const fixture = new LegFixture(side, options);
    fixture.attach();
    return fixture;
  }

  attach(first: { readonly farBytes?: Uint8Array; readonly nearBytes?: Uint8Array } = {}): void {
    this.leg.attach({ ...this.#streams, ...first });
  }

  /** Bytes that the peer has written and the leg has not read. */
  get unreadOfPeer(): number {
    return this.#streams.far.waitingBytes;
  }

  /** Frames as the peer writes them. */
  fromPeer(...frames: readonly FrameToWrite[]): Uint8Array[] {
    return frames.map((frame) => encodeFrame(frame, { masked: this.#peerMasks }));
  }

  /** Frames as the endpoint writes them. */
  fromEndpoint(...frames: readonly FrameToWrite[]): Uint8Array[] {
    return frames.map((frame) => encodeFrame(frame, { masked: !this.#peerMasks }));
  }

  async peerSends(...frames: readonly FrameToWrite[]): Promise<void> {
    for (const bytes of this.fromPeer(...frames)) await this.peer.write(bytes);
    await settled();
  }

  async endpointSends(...frames: readonly FrameToWrite[]): Promise<void> {
    for (const bytes of this.fromEndpoint(...frames)) await this.endpoint.write(bytes);
    await settled();
  }

  /** The frames that came out on the peer's side so far. */
  peerFrames(): readonly RawFrame[] {
    return decodeFrames(this.peer.takeAll());
  }

  /** What they say. */
  peerReceived(): readonly Received[] {
    return received(this.peer.takeAll());
  }

  /** What came out on the endpoint's side so far. */
  endpointReceived(): readonly Received[] {
    return received(this.endpoint.takeAll());
  }

  /** Ends both ends, the peer's first. Resolves when the leg is finished. */
  async finish(): Promise<LegEnd | undefined> {
    await this.peer.closeWrite();
    await settled();
    await this.endpoint.closeWrite();
    await this.leg.finished;
    return this.leg.end;
  }
}

/** A frame in a form that tests compare: a message's text, or a close frame's content. */
export type Received = string | { readonly code: number | null; readonly reason: string };

/** A text frame. */
export function textFrame(payload: string, changes: Partial<FrameToWrite> = {}): FrameToWrite {
  return { opcode: OPCODE.text, payload, ...changes };
}

/** A close frame; an empty one without a code. */
export function closeFrame(code?: number, reason = ""): FrameToWrite {
  return {
    opcode: OPCODE.close,
    ...code === undefined ? {} : { payload: closeBody(code, reason) },
  };
}

function received(bytes: Uint8Array): Received[] {
  return decodeFrames(bytes).map(({ opcode, payload }) =>
    opcode === OPCODE.close ? readCloseBody(payload) : new TextDecoder().decode(payload)
  );
}
