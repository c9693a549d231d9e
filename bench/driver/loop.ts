/**
 * The driver's event loop: sockets that do not block, and one clock. Sessions and the fake backend live on
 * the same loop, so that a message is stamped by one clock wherever it is seen.
 *
 * @module
 */

import { accept, close, connect, connectError, type Descriptor, EPOLL } from "./libc.ts";
import { listen, Poll, receive, send } from "./libc.ts";

/** What happens to a socket. */
export interface SocketHandler {
  /** A connection that was begun is there. */
  readonly onConnect?: (socket: Socket) => void;
  /** Bytes have come; the buffer is used again afterwards. */
  readonly onBytes: (bytes: Uint8Array<ArrayBuffer>, length: number) => void;
  /** The peer is gone, or refused the connection; the socket is closed. */
  readonly onEnd: () => void;
}

const READ_BYTES = 256 * 1024;
/** The longest wait, so that a loop that waits for nothing sees its deadline. */
const LONGEST_WAIT_MS = 50;

/** Sockets and the time at which something is due. */
export class Loop {
  readonly #poll = new Poll();
  readonly #buffer = new Uint8Array(READ_BYTES);
  readonly #onEvents = new Map<Descriptor, (bits: number) => void>();
  readonly #dispatch = (descriptor: Descriptor, bits: number) =>
    this.#onEvents.get(descriptor)?.(bits);

  /** Listens on the loopback and tells of every connection. */
  listen(onAccept: (socket: Socket) => SocketHandler): number {
    const { descriptor, port } = listen();
    this.#onEvents.set(descriptor, () => {
      for (let taken = accept(descriptor); taken !== undefined; taken = accept(descriptor)) {
        const socket = this.#socket(taken);
        socket.handler = onAccept(socket);
        this.#poll.add(taken, EPOLL.IN);
      }
    });
    this.#poll.add(descriptor, EPOLL.IN);
    return port;
  }

  /** Connects to a port of the loopback. */
  connect(port: number, handler: SocketHandler): Socket {
    const descriptor = connect(port);
    const socket = this.#socket(descriptor);
    socket.handler = handler;
    socket.connecting = true;
    this.#poll.add(descriptor, EPOLL.OUT);
    return socket;
  }

  /**
   * Runs until `isDone`, or until the time is over.
   *
   * @returns Whether it was done in time.
   */
  run({ isDone, deadlineMs, dueMs = () => Infinity }: RunOptions): boolean {
    while (!isDone()) {
      const nowMs = performance.now();
      if (nowMs >= deadlineMs) return false;
      const nextMs = Math.min(dueMs(nowMs), deadlineMs, nowMs + LONGEST_WAIT_MS);
      this.#poll.wait(Math.max(0, nextMs - performance.now()), this.#dispatch);
    }
    return true;
  }

  #socket(descriptor: Descriptor): Socket {
    const socket = new Socket(descriptor, {
      poll: this.#poll,
      buffer: this.#buffer,
      onClose: () => this.#onEvents.delete(descriptor),
    });
    this.#onEvents.set(descriptor, (bits) => socket.onEvent(bits));
    return socket;
  }
}

/** How long a loop runs. */
export interface RunOptions {
  readonly isDone: () => boolean;
  /** By `performance.now()`. */
  readonly deadlineMs: number;
  /** Does what is due at `nowMs` and says when it is to be called next. @default nothing is due */
  readonly dueMs?: (nowMs: number) => number;
}

/** A connection of the loop. */
export class Socket {
  readonly #descriptor: Descriptor;
  readonly #shared: SharedParts;
  /** What the kernel did not take yet. */
  #queue: Uint8Array<ArrayBuffer>[] = [];
  #closed = false;
  #closeWhenSent = false;
  handler: SocketHandler | undefined;
  connecting = false;

  constructor(descriptor: Descriptor, shared: SharedParts) {
    this.#descriptor = descriptor;
    this.#shared = shared;
  }

  /** Sends all of the bytes, in their order; what the kernel does not take now follows later. */
  send(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#closed) return;
    if (this.#queue.length > 0) {
      this.#queue.push(bytes);
      return;
    }
    const sent = send(this.#descriptor, bytes);
    if (sent === bytes.length) return;
    this.#queue.push(bytes.subarray(Math.max(0, sent)));
    this.#shared.poll.change(this.#descriptor, EPOLL.IN | EPOLL.OUT);
  }

  /** Whether something waits for the kernel. */
  get isBlocked(): boolean {
    return this.#queue.length > 0;
  }

  /** Closes once everything is sent. */
  closeWhenSent(): void {
    this.#closeWhenSent = true;
    if (!this.isBlocked) this.close();
  }

  /** Closes at once. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#queue = [];
    this.#shared.onClose();
    close(this.#descriptor);
  }

  /** What epoll says. */
  onEvent(bits: number): void {
    if (this.connecting) return this.#connected();
    if ((bits & EPOLL.OUT) !== 0) this.#flush();
    if (this.#closed || (bits & ~EPOLL.OUT) === 0) return;
    const length = receive(this.#descriptor, this.#shared.buffer);
    if (length > 0) this.handler?.onBytes(this.#shared.buffer, length);
    else if (length === 0 || (bits & (EPOLL.ERR | EPOLL.HUP)) !== 0) this.#end();
  }

  #connected(): void {
    if (connectError(this.#descriptor) !== 0) return this.#end();
    this.connecting = false;
    this.#shared.poll.change(this.#descriptor, EPOLL.IN);
    this.handler?.onConnect?.(this);
  }

  #flush(): void {
    while (this.#queue.length > 0) {
      const bytes = this.#queue[0]!;
      const sent = Math.max(0, send(this.#descriptor, bytes));
      if (sent < bytes.length) {
        this.#queue[0] = bytes.subarray(sent);
        return;
      }
      this.#queue.shift();
    }
    if (this.#closeWhenSent) this.close();
    else this.#shared.poll.change(this.#descriptor, EPOLL.IN);
  }

  #end(): void {
    this.close();
    this.handler?.onEnd();
  }
}

interface SharedParts {
  readonly poll: Poll;
  readonly buffer: Uint8Array<ArrayBuffer>;
  readonly onClose: () => void;
}
