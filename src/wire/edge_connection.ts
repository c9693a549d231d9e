/**
 * One client connection at the edge, from its first byte to its last.
 *
 * The edge finds the end of every request head itself and forwards requests to the HTTP server in
 * this process, whose answers it copies back unread. A head that asks for a WebSocket is handled by
 * *stop and wait*: it gets a server connection of its own, so that the answer which comes back is
 * certainly its answer, and nothing behind it is forwarded until that answer starts. A 101 turns the
 * connection into a {@link WireLeg}; anything else ends it.
 *
 * @module
 */

import type { EdgeRefusal, RenderRefusal } from "./edge_refusal.ts";
import { decodeLatin1 } from "./header_line.ts";
import { PumpBuffer } from "./pump_buffer.ts";
import { HeadReader } from "./head_reader.ts";
import {
  encodeLatin1,
  type RequestHead,
  serializeRequestHead,
  withConnectionClose,
  withHeaders,
  withoutLength,
  withoutUpgrade,
} from "./request_head.ts";
import { readResponseHead } from "./response_head.ts";
import type { ByteStream, PeerAddress } from "./stream.ts";
import { WireLeg } from "./wire_leg.ts";

/** A connection to the HTTP server in this process, and how the server knows it. */
export interface NearConnection {
  readonly stream: ByteStream;
  /** To be put into the head of every request, instead of a client's own headers of these names. */
  readonly mark: RequestHead["headers"];
  /** Ends the registration that lets a request find its edge connection. */
  readonly release: () => void;
}

/** What every connection of one edge shares. */
export interface EdgeConnectionOptions {
  readonly connectNear: (connection: EdgeConnection) => Promise<NearConnection>;
  readonly renderRefusal: RenderRefusal;
  readonly maxMessageBytes: number;
  readonly now: () => number;
  /** From the first byte of a head (or the accept) to its end, in milliseconds. */
  readonly headTimeoutMs: number;
  /** How long a connection may lie idle between requests, in milliseconds. */
  readonly keepAliveMs: number;
  /** How long a client may neither send more of a body nor take more of an answer, in milliseconds. */
  readonly stallTimeoutMs: number;
}

const LINGER_MS = 2_000;
const EMPTY = new Uint8Array(0);

/** See the module. */
export class EdgeConnection {
  /** The real peer's address. */
  readonly peer: PeerAddress;
  readonly #far: ByteStream;
  readonly #options: EdgeConnectionOptions;
  readonly #heads: HeadReader;
  #near: NearConnection | undefined;
  #answers: Promise<void> = Promise.resolve();
  #drainingNear = false;
  #leg: WireLeg | undefined;
  #upgradeVersion: RequestHead["version"] | undefined;
  /** A request is over, and no head of another has begun. */
  #isIdle = false;
  #openRequests = 0;
  #answered: PromiseWithResolvers<void> | undefined;
  #finishing = false;
  #writing = false;
  #ending: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(far: ByteStream, options: EdgeConnectionOptions & { readonly peer: PeerAddress }) {
    this.#far = far;
    this.peer = options.peer;
    this.#options = options;
    this.#heads = new HeadReader(far, {
      onBegin: () => {
        this.#isIdle = false;
        this.#arm(options.headTimeoutMs, () => this.#refuseSlowHead());
      },
    });
  }

  /**
   * HTTP version of the upgrade request that waits for its answer; undefined when the current request
   * is none, or has a body.
   */
  get upgradeVersion(): RequestHead["version"] | undefined {
    return this.#upgradeVersion;
  }

  /**
   * The leg that the connection becomes with a 101.
   *
   * @throws {TypeError} When no upgrade request waits.
   */
  get leg(): WireLeg {
    if (this.#leg === undefined) throw new TypeError("edge connection: no upgrade request waits");
    return this.#leg;
  }

  /** Says that the server has written its answer to one request completely. */
  requestCompleted(): void {
    this.#openRequests--;
    if (this.#openRequests > 0) return;
    this.#answered?.resolve();
    if (this.#isIdle) this.#armIdle();
  }

  /** Serves the connection until it ends. Never rejects. */
  async run(): Promise<void> {
    this.#arm(this.#options.headTimeoutMs, () => this.#finish());
    try {
      await this.#serveRequests();
    } catch {
      // Only connecting to our own server can fail here, and the client learns it by the end below.
    } finally {
      this.kill();
    }
  }

  /**
   * Answers what was asked, and nothing more, and ends the connection; does nothing to one that is a
   * leg, which its session ends.
   */
  async endAfterAnswers(): Promise<void> {
    if (this.#leg !== undefined) return;
    this.#ending ??= this.#drainNear().then(() => this.#finish());
    await this.#ending;
  }

  /** Ends the connection at once. Idempotent. */
  kill(): void {
    // What comes to its end by this must not give the client more time.
    this.#finishing = true;
    clearTimeout(this.#timer);
    this.#answered?.resolve();
    this.#leg?.kill();
    this.#far.kill();
    this.#releaseNear();
  }

  async #serveRequests(): Promise<void> {
    for (;;) {
      const head = await this.#readHead();
      if (head === "ended") return await this.#cancelNear();
      if ("code" in head) {
        await this.#drainNear();
        await this.#finish(this.#options.renderRefusal(head));
        return await this.#discard();
      }
      const hasBody = head.body.kind === "chunked" || head.body.bytes > 0;
      if (head.wantsWebSocket && !hasBody) return await this.#upgrade(head);
      if (!await this.#forward(withoutUpgrade(head))) break;
    }
    await this.#cancelNear();
    await this.#finish();
    await this.#discard();
  }

  async #readHead(): Promise<RequestHead | EdgeRefusal | "ended"> {
    const head = await this.#heads.read();
    await this.#ending;
    if (this.#finishing) {
      await this.#discard();
      return "ended";
    }
    this.#disarm();
    return head;
  }

  /** Forwards a request. Resolves to false when the connection can take no other one after it. */
  async #forward(head: RequestHead): Promise<boolean> {
    // Before anything is waited for: a request that was read is answered, also at a drain.
    this.#openRequests++;
    if (this.#near === undefined) {
      const { stream } = await this.#openNear();
      this.#answers = this.#copyAnswers(stream);
    }
    const { stream: near, mark } = this.#near!;
    const marked = withHeaders(head, mark);
    const chunked = head.body.kind === "chunked";
    if (!await near.write(serializeRequestHead(chunked ? withConnectionClose(marked) : marked))) {
      return false;
    }
    const length = head.body.kind === "chunked" ? Infinity : head.body.bytes;
    if (!await this.#forwardBody(near, length)) return false;
    this.#isIdle = true;
    this.#armIdle();
    return true;
  }

  async #forwardBody(near: ByteStream, length: number): Promise<boolean> {
    const held = this.#heads.takeHeld(length);
    let left = length - held.length;
    if (held.length > 0 && !await near.write(held)) return false;
    const buffer = new PumpBuffer();
    while (left > 0) {
      const space = buffer.space;
      const reading = this.#far.read(left < space.length ? space.subarray(0, left) : space);
      // Where chunks end is not looked for here: whether one is late, or the client only waits for its answer,
      // is for the server to say.
      const read = await (length === Infinity ? reading : this.#unlessStalled(reading));
      if (typeof read !== "number") return false;
      buffer.filled(read);
      if (!await near.write(buffer.head(read))) return false;
      buffer.consume(read);
      left -= read;
    }
    return true;
  }

  async #upgrade(head: RequestHead): Promise<void> {
    await this.#drainNear();
    // An answer before it may have ended the connection.
    await this.#ending;
    if (this.#finishing) return await this.#discard();
    this.#upgradeVersion = head.version;
    const leg = this.#leg = new WireLeg({
      peer: "client",
      maxMessageBytes: this.#options.maxMessageBytes,
      now: this.#options.now,
    });
    const { stream: near, mark } = await this.#openNear();
    // Should the answer not be a 101, this makes the server close the connection behind it.
    const plain = withoutLength(withHeaders(head, [...mark, ["upgrade", "websocket"]]));
    await near.write(serializeRequestHead(withConnectionClose(plain)));
    const answer = await readResponseHead(near);
    if ("fault" in answer) return;
    if (answer.status !== 101) {
      if (!await this.#unlessStalled(this.#far.write(answer.bytes))) return;
      if (!await this.#copy(near)) return;
      await this.#finish();
      return await this.#discard();
    }
    // A session may be over before its client has taken the 101.
    void leg.finished.then(() => this.kill());
    const accepted = withoutConnectionClose(answer.bytes.subarray(0, answer.headBytes));
    if (!await this.#unlessStalled(this.#far.write(accepted))) return;
    const nearBytes = answer.bytes.subarray(answer.headBytes);
    leg.attach({ far: this.#far, near, farBytes: this.#heads.takeHeld(), nearBytes });
    await leg.finished;
  }

  async #openNear(): Promise<NearConnection> {
    this.#near = await this.#options.connectNear(this);
    return this.#near;
  }

  /** Copies the server's answers until it ends; then, unless that was asked for, ends the client too. */
  async #copyAnswers(near: ByteStream): Promise<void> {
    const clientTakes = await this.#copy(near);
    if (!clientTakes) return this.kill();
    if (!this.#drainingNear) await this.#finish();
  }

  /** Copies from the server until it ends. Resolves to whether the client took everything. */
  async #copy(near: ByteStream): Promise<boolean> {
    const buffer = new PumpBuffer();
    for (;;) {
      const read = await near.read(buffer.space);
      if (typeof read !== "number") return true;
      buffer.filled(read);
      this.#writing = true;
      const written = await this.#unlessStalled(this.#far.write(buffer.head(read)));
      this.#writing = false;
      if (!written) return false;
      buffer.consume(read);
    }
  }

  /** Ends a client that neither sends the body it began nor takes its answer. */
  async #unlessStalled<T>(work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.kill(), this.#options.stallTimeoutMs);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Lets the server finish what it was asked on the connection so far, and lets go of it. */
  async #drainNear(): Promise<void> {
    this.#disarm();
    if (this.#openRequests > 0) {
      this.#answered ??= Promise.withResolvers();
      const { promise } = this.#answered;
      // Until there is a connection to the server, nothing answers.
      await (this.#near === undefined ? promise : Promise.race([promise, this.#answers]));
      this.#answered = undefined;
    }
    await this.#cancelNear();
  }

  /** Tells the server that nobody will ask more, at which it may give up what it has not answered. */
  async #cancelNear(): Promise<void> {
    if (this.#near === undefined) return;
    this.#drainingNear = true;
    await this.#near.stream.closeWrite();
    await this.#answers;
    this.#releaseNear();
    this.#drainingNear = false;
  }

  #releaseNear(): void {
    this.#near?.release();
    this.#near?.stream.kill();
    this.#near = undefined;
  }

  /** Writes the last bytes to the client. It then has a little time to take them and to go. */
  async #finish(last: Uint8Array = EMPTY): Promise<void> {
    if (this.#finishing) return;
    this.#arm(LINGER_MS, () => this.kill());
    this.#finishing = true;
    if (last.length > 0) await this.#far.write(last);
    await this.#far.closeWrite();
  }

  /** Reads on without use, so that closing does not reset what the client was sent. */
  async #discard(): Promise<void> {
    const buffer = new Uint8Array(16 * 1024);
    while (typeof await this.#far.read(buffer) === "number");
  }

  #refuseSlowHead(): void {
    if (this.#isAnswering()) return this.kill();
    const message = "request head took too long";
    void this.#finish(this.#options.renderRefusal({ code: "request_timeout", message }));
  }

  #armIdle(): void {
    this.#arm(this.#options.keepAliveMs, () => {
      if (this.#isAnswering()) this.#armIdle();
      else void this.#finish();
    });
  }

  /** Whether an answer is under way, into which nothing else may be written. */
  #isAnswering(): boolean {
    return this.#openRequests > 0 || this.#writing;
  }

  #arm(ms: number, expire: () => void): void {
    if (this.#finishing) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(expire, ms);
  }

  #disarm(): void {
    if (!this.#finishing) clearTimeout(this.#timer);
  }
}

/** The 101 without the `connection: close` that the request's own made the server add to it. */
function withoutConnectionClose(head: Uint8Array): Uint8Array {
  return encodeLatin1(decodeLatin1(head).replace(/\r\nconnection: close(?=\r\n)/i, ""));
}
