/**
 * A built-in WebSocket under a test's control. It shows what it was given, and does what it is told.
 *
 * @module
 */

/** See the module. */
export class FakeSocket extends EventTarget implements WebSocket {
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSING = 2;
  readonly CLOSED = 3;
  readonly extensions = "";
  readonly protocol = "";
  readonly url = "";
  binaryType: BinaryType = "blob";
  bufferedAmount = 0;
  readyState: number;
  onopen: ((event: Event) => unknown) | null = null;
  onmessage: ((event: MessageEvent) => unknown) | null = null;
  onerror: ((event: Event | ErrorEvent) => unknown) | null = null;
  onclose: ((event: CloseEvent) => unknown) | null = null;
  /** What was sent, in order. */
  readonly sent: (string | ArrayBuffer)[] = [];
  /** The codes of all calls of `close`. */
  readonly closes: (number | undefined)[] = [];

  constructor(state: "connecting" | "open" = "open") {
    super();
    this.readyState = state === "open" ? this.OPEN : this.CONNECTING;
  }

  send(data: string | ArrayBufferLike | Blob | ArrayBufferView): void {
    if (this.readyState !== this.OPEN) throw new DOMException("not open", "InvalidStateError");
    if (typeof data !== "string" && !(data instanceof ArrayBuffer)) {
      throw new TypeError("only strings and array buffers are relayed");
    }
    this.sent.push(data);
  }

  close(code?: number, _reason?: string): void {
    this.closes.push(code);
    if (this.readyState < this.CLOSING) this.readyState = this.CLOSING;
  }

  /** Its handshake is done. */
  open(): void {
    this.readyState = this.OPEN;
    this.onopen?.(new Event("open"));
  }

  /** A message came. */
  receive(data: string | ArrayBuffer): void {
    this.onmessage?.(new MessageEvent("message", { data }));
  }

  /** It broke, as the built-ins say it. */
  fail(message: string): void {
    this.onerror?.(new ErrorEvent("error", { message }));
  }

  /** It is closed, whatever the reason. */
  end(): void {
    this.readyState = this.CLOSED;
    this.onclose?.(new CloseEvent("close", { code: 1005, wasClean: true }));
  }
}
