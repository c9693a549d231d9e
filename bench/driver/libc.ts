/**
 * The few calls of the C library that the driver makes by itself: sockets that do not block, epoll, and on
 * which core and behind whom a thread runs. With the runtime's own sockets a round trip costs the driver a
 * quarter more, and then it is full before nginx is (bench/README.md, "The driver"). Linux with glibc 2.35 or
 * later.
 *
 * @module
 */

const AF_INET = 2;
const SOCK_STREAM = 1;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;
const SOL_SOCKET = 1;
const SO_REUSEADDR = 2;
const SO_ERROR = 4;
const IPPROTO_TCP = 6;
const TCP_NODELAY = 1;
const MSG_NOSIGNAL = 0x4000;
const SCHED_IDLE = 5;
const EPOLL_CTL_ADD = 1;
const EPOLL_CTL_DEL = 2;
const EPOLL_CTL_MOD = 3;
const BACKLOG = 4096;
const LOOPBACK = [127, 0, 0, 1] as const;

/** `struct epoll_event` is packed on x86-64 only. */
const [EVENT_BYTES, EVENT_DATA] = Deno.build.arch === "x86_64" ? [12, 4] : [16, 8];

/** Bits of epoll. */
export const EPOLL = { IN: 1, OUT: 4, ERR: 8, HUP: 16 } as const;

/** A socket's descriptor. */
export type Descriptor = number;

const { symbols: libc } = Deno.dlopen("libc.so.6", {
  socket: { parameters: ["i32", "i32", "i32"], result: "i32" },
  bind: { parameters: ["i32", "buffer", "u32"], result: "i32" },
  listen: { parameters: ["i32", "i32"], result: "i32" },
  connect: { parameters: ["i32", "buffer", "u32"], result: "i32" },
  accept4: { parameters: ["i32", "pointer", "pointer", "i32"], result: "i32" },
  getsockname: { parameters: ["i32", "buffer", "buffer"], result: "i32" },
  getsockopt: { parameters: ["i32", "i32", "i32", "buffer", "buffer"], result: "i32" },
  setsockopt: { parameters: ["i32", "i32", "i32", "buffer", "u32"], result: "i32" },
  // The result is a ssize_t; the buffers here are far below 2 GiB, so its lower half says it all.
  send: { parameters: ["i32", "buffer", "usize", "i32"], result: "i32" },
  recv: { parameters: ["i32", "buffer", "usize", "i32"], result: "i32" },
  close: { parameters: ["i32"], result: "i32" },
  epoll_create1: { parameters: ["i32"], result: "i32" },
  epoll_ctl: { parameters: ["i32", "i32", "i32", "buffer"], result: "i32" },
  sched_setaffinity: { parameters: ["i32", "usize", "buffer"], result: "i32" },
  sched_setscheduler: { parameters: ["i32", "i32", "buffer"], result: "i32" },
  epoll_pwait2: { parameters: ["i32", "buffer", "i32", "buffer", "pointer"], result: "i32" },
});

/** Listens on a port of the loopback that the system chooses. */
export function listen(): { readonly descriptor: Descriptor; readonly port: number } {
  const descriptor = checked("socket", newSocket());
  setOption(descriptor, { level: SOL_SOCKET, name: SO_REUSEADDR });
  checked("bind", libc.bind(descriptor, address(0), 16));
  checked("listen", libc.listen(descriptor, BACKLOG));
  const name = new Uint8Array(16);
  checked("getsockname", libc.getsockname(descriptor, name, Uint32Array.of(16)));
  return { descriptor, port: new DataView(name.buffer).getUint16(2) };
}

/** Begins to connect to a port of the loopback; `EPOLL.OUT` tells when it is done. */
export function connect(port: number): Descriptor {
  const descriptor = checked("socket", newSocket());
  setOption(descriptor, { level: IPPROTO_TCP, name: TCP_NODELAY });
  // It never succeeds at once, since it does not block; the outcome is `connectError`'s.
  libc.connect(descriptor, address(port), 16);
  return descriptor;
}

/** The error number of a connection that was begun; 0 when it is there. */
export function connectError(descriptor: Descriptor): number {
  const value = new Uint32Array(1);
  checked(
    "getsockopt",
    libc.getsockopt(descriptor, SOL_SOCKET, SO_ERROR, value, Uint32Array.of(4)),
  );
  return value[0]!;
}

/** Takes a waiting connection; undefined when there is none. */
export function accept(listener: Descriptor): Descriptor | undefined {
  const descriptor = libc.accept4(listener, null, null, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (descriptor < 0) return undefined;
  setOption(descriptor, { level: IPPROTO_TCP, name: TCP_NODELAY });
  return descriptor;
}

/** Sends what the socket takes: the number of bytes, or -1 when it takes none now. */
export function send(descriptor: Descriptor, bytes: Uint8Array<ArrayBuffer>): number {
  return libc.send(descriptor, bytes, BigInt(bytes.length), MSG_NOSIGNAL);
}

/** Receives into a buffer: the number of bytes, 0 at the end, or -1 when there is nothing now. */
export function receive(descriptor: Descriptor, buffer: Uint8Array<ArrayBuffer>): number {
  return libc.recv(descriptor, buffer, BigInt(buffer.length), 0);
}

/** Closes a socket. */
export function close(descriptor: Descriptor): void {
  libc.close(descriptor);
}

/** Keeps the calling thread on a core. */
export function pinThread(core: number): void {
  const mask = new Uint32Array(Math.ceil((core + 1) / 32));
  mask[core >> 5] = 1 << (core & 31);
  if (libc.sched_setaffinity(0, BigInt(mask.byteLength), mask) < 0) {
    throw new Error(`sched_setaffinity failed: may this process use core ${core}?`);
  }
}

/** Lets the calling thread run only when no other wants to (`SCHED_IDLE`). */
export function runBehindOthers(): void {
  if (libc.sched_setscheduler(0, SCHED_IDLE, Uint32Array.of(0)) < 0) {
    throw new Error("sched_setscheduler failed: may this process use SCHED_IDLE?");
  }
}

/** Waits for events of sockets. */
export class Poll {
  readonly #descriptor = checked("epoll_create1", libc.epoll_create1(SOCK_CLOEXEC));
  readonly #event = new Uint8Array(EVENT_BYTES);
  readonly #eventView = new DataView(this.#event.buffer);
  readonly #events: Uint8Array<ArrayBuffer>;
  readonly #eventsView: DataView;
  readonly #capacity: number;
  /** `struct timespec` */
  readonly #timeout = new BigInt64Array(2);

  /** @param capacity The most events that one `wait` gives. */
  constructor(capacity = 512) {
    this.#capacity = capacity;
    this.#events = new Uint8Array(EVENT_BYTES * capacity);
    this.#eventsView = new DataView(this.#events.buffer);
  }

  /** Watches a socket. */
  add(descriptor: Descriptor, bits: number): void {
    this.#control(EPOLL_CTL_ADD, { descriptor, bits });
  }

  /** Watches it for something else. */
  change(descriptor: Descriptor, bits: number): void {
    this.#control(EPOLL_CTL_MOD, { descriptor, bits });
  }

  /** Watches it no more. */
  remove(descriptor: Descriptor): void {
    this.#control(EPOLL_CTL_DEL, { descriptor, bits: 0 });
  }

  /** Waits for at most that long (to the microsecond) and tells every event. */
  wait(timeoutMs: number, onEvent: (descriptor: Descriptor, bits: number) => void): void {
    const seconds = Math.floor(timeoutMs / 1000);
    this.#timeout[0] = BigInt(seconds);
    this.#timeout[1] = BigInt(Math.floor((timeoutMs - seconds * 1000) * 1e6));
    const count = libc.epoll_pwait2(
      this.#descriptor,
      this.#events,
      this.#capacity,
      this.#timeout,
      null,
    );
    for (let at = 0; at < count; at++) {
      const offset = at * EVENT_BYTES;
      onEvent(
        this.#eventsView.getInt32(offset + EVENT_DATA, true),
        this.#eventsView.getUint32(offset, true),
      );
    }
  }

  #control(
    operation: number,
    { descriptor, bits }: { readonly descriptor: Descriptor; readonly bits: number },
  ): void {
    this.#eventView.setUint32(0, bits, true);
    this.#eventView.setInt32(EVENT_DATA, descriptor, true);
    checked("epoll_ctl", libc.epoll_ctl(this.#descriptor, operation, descriptor, this.#event));
  }
}

function newSocket(): number {
  return libc.socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

function setOption(
  descriptor: Descriptor,
  { level, name }: { readonly level: number; readonly name: number },
): void {
  checked("setsockopt", libc.setsockopt(descriptor, level, name, Uint32Array.of(1), 4));
}

/** `struct sockaddr_in` of the loopback. */
function address(port: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, AF_INET, true);
  view.setUint16(2, port);
  bytes.set(LOOPBACK, 4);
  return bytes;
}

function checked(call: string, result: number): number {
  if (result < 0) throw new Error(`${call} failed: are there enough file descriptors?`);
  return result;
}
