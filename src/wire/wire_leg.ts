/**
 * One leg of a session below its built-in WebSocket endpoint: two byte streams and the frames that
 * pass between them.
 *
 * ```
 *   peer ──far──▶ scan (strict) ──▶ near ──▶ Deno endpoint     inward
 *   peer ◀──far── close frame   ◀── near ◀── Deno endpoint     outward
 *                 rewritten
 * ```
 *
 * *Far* is the connection to the peer, *near* the one to the endpoint in this process. Inward, every
 * frame is held to RFC 6455 and the size limit before any byte of it goes on; what breaks them is
 * answered by the endpoint's own echo of a close frame that we put in inward, because outward bytes
 * have one writer and only it knows where frames begin. Outward, the endpoint's close frame is
 * replaced by the one that was asked for, since the built-ins may not send every code.
 *
 * @module
 */

import { type CloseFrame, encodeCloseFrame } from "./close_frame.ts";
import { FrameScanner, type Violation } from "./frame_scanner.ts";
import { InwardGate } from "./inward_gate.ts";
import { PumpBuffer } from "./pump_buffer.ts";
import type { ByteStream, StreamEnd } from "./stream.ts";

/** How the peer's side of a leg ended. The wire's record, which the built-ins' events do not give. */
export type LegEnd =
  | { readonly kind: "closed"; readonly close: CloseFrame }
  | { readonly kind: "violation"; readonly violation: Violation }
  | { readonly kind: "fin" }
  | { readonly kind: "rst" }
  | { readonly kind: "killed" };

/** What a {@link WireLeg} needs to know of its peer. */
export interface WireLegOptions {
  /** Which end the peer is. Clients mask their frames, backends do not (RFC 6455 §5.1). */
  readonly peer: "client" | "backend";
  /** The most bytes of one message from the peer, fragments summed (spec §6 "Size"). */
  readonly maxMessageBytes: number;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** The streams of a leg and what was read from them before it began. */
export interface WireLegStreams {
  readonly far: ByteStream;
  readonly near: ByteStream;
  /** First bytes from the peer, after its handshake. */
  readonly farBytes?: Uint8Array;
  /** First bytes from the endpoint, after its handshake. */
  readonly nearBytes?: Uint8Array;
}

/**
 * After our FIN, so long and so much is still read from the peer, lest a reset destroys what it was sent (spec §6
 * "Grace"); and so long it is waited for the end of one that takes nothing any more.
 */
const LINGER_MS = 5_000;
const LINGER_BYTES = 64 * 1024 * 1024;

/** See the module. */
export class WireLeg {
  /** Told whenever `messagesAccepted` has grown. */
  onMessagesAccepted: ((count: number) => void) | undefined;
  readonly #inward: FrameScanner;
  readonly #outward: FrameScanner;
  readonly #gate = new InwardGate();
  readonly #peerMasks: boolean;
  readonly #now: () => number;
  readonly #finished = Promise.withResolvers<void>();
  readonly #closeDecided = Promise.withResolvers<void>();
  readonly #endpointClosed = Promise.withResolvers<void>();
  #streams: WireLegStreams | undefined;
  #close: CloseFrame | undefined;
  #closeSent = false;
  /** The peer takes nothing any more. */
  #isFarGone = false;
  #end: LegEnd | undefined;
  #killed = false;
  #lingerTimer: ReturnType<typeof setTimeout> | undefined;
  #outwardBytes = 0;
  #messagesAccepted = 0;
  #lastTrafficMs: number;

  constructor(options: WireLegOptions) {
    this.#peerMasks = options.peer === "client";
    this.#inward = new FrameScanner({
      masked: this.#peerMasks,
      maxMessageBytes: options.maxMessageBytes,
    });
    this.#outward = new FrameScanner({ masked: !this.#peerMasks, maxMessageBytes: Infinity });
    this.#now = options.now;
    this.#lastTrafficMs = options.now();
  }

  /** How the peer's side ended; undefined while it has not. */
  get end(): LegEnd | undefined {
    return this.#end;
  }

  /** Resolves when both sockets are closed, or at `kill` when there were none yet. */
  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  /** When data last came from the peer or was taken by it; pings and pongs do not count (spec §6 "Idle"). */
  get lastTrafficMs(): number {
    return this.#lastTrafficMs;
  }

  /** Bytes of the peer's frames that went on to the endpoint. */
  get inwardBytes(): number {
    return this.#gate.passedBytes;
  }

  /** Bytes of the peer's data frames, headers and fragments included. */
  get inwardDataBytes(): number {
    return this.#inward.dataBytes;
  }

  /** Bytes of frames written to the peer. */
  get outwardBytes(): number {
    return this.#outwardBytes;
  }

  /** Messages written completely to the peer's connection: *accepted* in the sense of spec §8. */
  get messagesAccepted(): number {
    return this.#messagesAccepted;
  }

  /** Starts the flow. To be called once; does nothing but close the streams after a `kill`. */
  attach(streams: WireLegStreams): void {
    this.#streams = streams;
    if (this.#killed) {
      this.#killStreams();
      return;
    }
    this.#lastTrafficMs = this.#now();
    void this.#run(streams);
  }

  /**
   * Says that the endpoint has handed over one of the peer's messages.
   *
   * @returns Whether it is whole: not a text that ends within a character, of which the endpoint says nothing.
   */
  messageTaken(): boolean {
    this.#gate.messageTaken();
    return this.#gate.messagesTaken !== this.#inward.cutMessage;
  }

  /** Reads no more from the peer until `resume`; what was read meanwhile waits here. */
  pause(): void {
    this.#gate.pause();
  }

  /** Undoes `pause`. */
  resume(): void {
    this.#gate.resume();
  }

  /** Lets at most `bytes` go inward until it is called again; `Infinity` lifts the limit. */
  limitInward(bytes: number): void {
    this.#gate.limit(bytes);
  }

  /**
   * Decides what the close frame to the peer says. The first decision stands: a peer's own close
   * frame and a violation decide too. The endpoint's `close()` is what makes it be sent.
   */
  decideClose(close: CloseFrame): void {
    this.#close ??= close;
    this.#closeDecided.resolve();
  }

  /**
   * Lets no more of the peer's data through, from the next frame on: nobody takes it. Its close frame
   * still is; of a peer that sends on without one no more is read after {@link LINGER_BYTES}.
   */
  dropData(): void {
    this.#gate.drop(this.#inward.payloadLeft);
  }

  /**
   * Records a breach that only the endpoint could see, such as text that is not UTF-8. It came before a close
   * frame that the peer sent behind it, and counts instead of that.
   */
  fail(violation: Violation): void {
    if (this.#end?.kind === "closed") {
      this.#end = undefined;
      if (!this.#closeSent) this.#close = undefined;
    }
    this.#end ??= { kind: "violation", violation };
    this.decideClose(violation);
  }

  /** Says that the endpoint is closed, and that whatever was wrong has been recorded. */
  endpointClosed(): void {
    this.#endpointClosed.resolve();
  }

  /** Ends both connections at once, whatever they hold. Idempotent. */
  kill(): void {
    if (this.#killed) return;
    this.#killed = true;
    this.#end ??= { kind: "killed" };
    this.#closeDecided.resolve();
    this.#endpointClosed.resolve();
    this.#gate.kill();
    if (this.#streams === undefined) this.#finished.resolve();
    else this.#killStreams();
  }

  async #run(streams: WireLegStreams): Promise<void> {
    await Promise.all([this.#pumpInward(streams), this.#pumpOutward(streams)]);
    this.#killStreams();
  }

  #killStreams(): void {
    clearTimeout(this.#lingerTimer);
    this.#streams?.far.kill();
    this.#streams?.near.kill();
    this.#finished.resolve();
  }

  async #pumpInward({ far, near, farBytes }: WireLegStreams): Promise<void> {
    const scanner = this.#inward;
    const gate = this.#gate;
    const buffer = new PumpBuffer(farBytes);
    const limit = { untilMessages: 0 };
    let dataBytesSeen = 0;
    for (let mustRead = buffer.length === 0;;) {
      if (mustRead) {
        while (gate.mayRead(buffer.length) <= 0) await gate.changed();
        const { space } = buffer;
        const budget = gate.mayRead(buffer.length);
        const read = await far.read(budget < space.length ? space.subarray(0, budget) : space);
        if (typeof read !== "number") {
          this.#peerEnded(read);
          return await near.closeWrite();
        }
        buffer.filled(read);
      }
      // Before the scan: what was scanned goes on without a stop, or it would not be clear where data
      // may be dropped.
      while (gate.isPaused) await gate.changed();
      limit.untilMessages = gate.untilMessages;
      const consumed = scanner.scan(buffer.bytes, buffer.length, limit);
      if (scanner.dataBytes !== dataBytesSeen) {
        dataBytesSeen = scanner.dataBytes;
        this.#lastTrafficMs = this.#now();
      }
      if (consumed > 0) {
        const passed = gate.pass(consumed);
        if (passed > 0 && !await near.write(buffer.head(passed))) return await this.#discard(far);
        buffer.consume(consumed);
        if (gate.droppedBytes > LINGER_BYTES) return await this.finished;
      }
      if (scanner.violation !== undefined || scanner.close !== undefined) {
        return await this.#endInward({ far, near });
      }
      // The scanner may have stopped at the limit with more at hand, whatever was taken since.
      mustRead = scanner.messages < limit.untilMessages;
      if (!mustRead && !await gate.endpointTakes(scanner.messages)) return await this.#discard(far);
    }
  }

  /** Tells the endpoint of the peer's close frame or breach, whose echo tells the peer. */
  async #endInward({ far, near }: WireLegStreams): Promise<void> {
    const { violation, close } = this.#inward;
    const ending = violation ?? close!;
    this.#end ??= violation === undefined
      ? { kind: "closed", close: close! }
      : { kind: "violation", violation };
    this.decideClose(ending);
    await near.write(encodeCloseFrame(toEndpoint(ending), { masked: this.#peerMasks }));
    await this.#discard(far);
  }

  /** Reads on without use until the peer ends, so that closing does not reset what it was sent. */
  async #discard(far: ByteStream): Promise<void> {
    const buffer = new Uint8Array(16 * 1024);
    for (let discarded = 0; discarded <= LINGER_BYTES;) {
      const read = await far.read(buffer);
      if (typeof read !== "number") return this.#peerEnded(read);
      discarded += read;
    }
    // Read no more: the flood waits in the peer's own buffers, and what it was sent is not reset.
    await this.finished;
  }

  #peerEnded(end: StreamEnd): void {
    this.#end ??= { kind: end };
    // There is nobody left to write a close frame to, so none is waited for.
    this.#closeDecided.resolve();
    this.#endpointClosed.resolve();
  }

  async #pumpOutward({ far, near, nearBytes }: WireLegStreams): Promise<void> {
    const scanner = this.#outward;
    const buffer = new PumpBuffer(nearBytes);
    let dataBytesSeen = 0;
    for (let first = buffer.length > 0;; first = false) {
      if (!first) {
        const read = await near.read(buffer.space);
        if (typeof read !== "number") break;
        buffer.filled(read);
      }
      const consumed = scanner.scan(buffer.bytes, buffer.length);
      const isMeant = consumed > 0 && !this.#closeSent && !this.#isFarGone;
      if (isMeant && !await far.write(buffer.head(consumed))) this.#farGone();
      else if (isMeant) {
        this.#outwardBytes += consumed;
        if (this.#messagesAccepted !== scanner.messages) {
          this.#messagesAccepted = scanner.messages;
          this.onMessagesAccepted?.(scanner.messages);
        }
        if (scanner.dataBytes !== dataBytesSeen) {
          dataBytesSeen = scanner.dataBytes;
          this.#lastTrafficMs = this.#now();
        }
      }
      if (scanner.close !== undefined && !this.#closeSent) {
        await this.#sendClose(far, this.#close ?? scanner.close);
      }
      buffer.consume(this.#closeSent ? buffer.length : consumed);
      // Nothing more can pass, and without room to read into the loop would not wait.
      if (scanner.violation !== undefined) break;
    }
    this.#gate.endpointEnded();
    if (!this.#closeSent) await this.#closeForEndpoint(far);
    // First the timer: the end of writing may wait for a write.
    this.#linger();
    await far.closeWrite();
  }

  /**
   * The peer takes nothing any more. What it had sent is read all the same, a close frame perhaps; and what the
   * endpoint writes is read without use, or it would wait, and read nothing itself.
   */
  #farGone(): void {
    this.#isFarGone = true;
    this.#linger();
  }

  #linger(): void {
    if (this.#killed) return;
    this.#lingerTimer ??= setTimeout(() => {
      if (this.#isFarGone) this.#peerEnded("rst");
      this.kill();
    }, LINGER_MS);
  }

  /** The endpoint ended without a close frame of its own, as it does on text that is not UTF-8. */
  async #closeForEndpoint(far: ByteStream): Promise<void> {
    if (this.#end?.kind === "fin" || this.#end?.kind === "rst") return;
    await this.#closeDecided.promise;
    // A peer's close frame would have been echoed; what came before it was wrong, and the endpoint says what.
    if (this.#end?.kind === "closed") await this.#endpointClosed.promise;
    if (this.#killed || this.#close === undefined || !this.#outward.atFrameBoundary) return;
    await this.#sendClose(far, this.#close);
  }

  async #sendClose(far: ByteStream, close: CloseFrame): Promise<void> {
    this.#closeSent = true;
    await far.write(encodeCloseFrame(close, { masked: !this.#peerMasks }));
  }
}

/** What an endpoint is told: it knows neither 1014 nor what to make of it, and only its echo matters. */
function toEndpoint(close: CloseFrame): CloseFrame {
  return close.code === 1014 ? { code: 1000, reason: close.reason } : close;
}
