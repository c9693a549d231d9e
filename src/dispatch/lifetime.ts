/**
 * How long a request may go on: until its client leaves, or its time is over.
 *
 * @module
 */

import type { Clock } from "./clock.ts";

/** Why a request was stopped. It is the `reason` of the signals here. */
export type StopReason = "client_gone" | "timeout";

/** See the module. Disposing of it lets go of the timer and of the client's signal. */
export class Lifetime implements Disposable {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #clientSignal: AbortSignal;
  #timer: Disposable | undefined;

  /** @param clientSignal Aborted when the client has gone. */
  constructor(clientSignal: AbortSignal, clock: Clock) {
    this.#clientSignal = clientSignal;
    this.#clock = clock;
    if (clientSignal.aborted) this.#clientGone();
    else clientSignal.addEventListener("abort", this.#clientGone);
  }

  /** Aborted at the end, with the {@link StopReason}. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Undefined while the request may go on. */
  get stopped(): StopReason | undefined {
    return stopReasonOf(this.signal);
  }

  /** Sets the end, counted from now, in place of the one before. */
  expireAfter(ms: number): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = this.#clock.after(ms, () => this.#controller.abort("timeout"));
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#clientSignal.removeEventListener("abort", this.#clientGone);
  }

  readonly #clientGone = (): void => this.#controller.abort("client_gone");
}

/** Why a signal of this room was aborted; undefined when it was not. */
export function stopReasonOf(signal: AbortSignal): StopReason | undefined {
  if (!signal.aborted) return undefined;
  return signal.reason === "client_gone" ? "client_gone" : "timeout";
}
