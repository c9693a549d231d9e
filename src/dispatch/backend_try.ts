/**
 * One try: a request to one backend, up to the first byte of its answer's body.
 *
 * @module
 */

import type { Backend, ChosenBackend } from "../routing/mod.ts";
import { AnswerBody } from "./answer_body.ts";
import type { Clock } from "./clock.ts";
import { type Lifetime, stopReasonOf } from "./lifetime.ts";
import type { AskBackend, UpstreamRequest } from "./upstream.ts";

/** A backend's answer, of its body no more than the first piece read. */
export interface Answer {
  readonly chosen: ChosenBackend;
  readonly status: number;
  readonly headers: Headers;
  readonly body: AnswerBody | null;
  /** When its request began. */
  readonly startedMs: number;
  /** Ends the body; what its request was made with. */
  readonly signal: AbortSignal;
  /** From there to the first byte of the body; undefined while there was none, or where it does not matter. */
  readonly firstByteMs: number | undefined;
}

/** What came of a try. */
export type TryOutcome =
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "timeout" }
  | { readonly kind: "client_gone" }
  | { readonly kind: "unreachable"; readonly detail: string };

/** What {@link tryBackend} takes besides the backend. */
export interface TryOptions {
  readonly ask: AskBackend;
  /** Makes the request. */
  readonly requestFor: (backend: Backend) => Omit<UpstreamRequest, "signal">;
  readonly lifetime: Lifetime;
  /** For streams: from here to the first byte of the body. Undefined: only the lifetime counts. */
  readonly firstByteTimeoutMs: number | undefined;
  /** Statuses of answers whose bodies are not waited for: the next candidate is tried. */
  readonly failureStatusCodes: ReadonlySet<number>;
  readonly clock: Clock;
}

/**
 * So long the head of an answer waits for the first byte of its body, before which another backend can still
 * be tried. A client may do something with the head, so it is not kept for as long as a model may think.
 */
export const HEAD_HOLD_MS = 1_000;

/** Asks a backend. Never rejects. */
export async function tryBackend(chosen: ChosenBackend, options: TryOptions): Promise<TryOutcome> {
  const { ask, lifetime, firstByteTimeoutMs, clock } = options;
  const request = requestOf(chosen, options);
  if (request === undefined) return { kind: "unreachable", detail: "cannot be sent its headers" };
  const startedMs = clock.now();
  const late = new AbortController();
  const signal = AbortSignal.any([lifetime.signal, late.signal]);
  using timer = new DisposableStack();
  if (firstByteTimeoutMs !== undefined) {
    timer.use(clock.after(firstByteTimeoutMs, () => late.abort("timeout")));
  }
  try {
    const response = await ask({ ...request, signal });
    const { status, headers } = response;
    if (!canBePassedOn(response)) {
      late.abort();
      return { kind: "unreachable", detail: `unusable HTTP status ${status}` };
    }
    const body = response.body === null ? null : new AnswerBody(response.body);
    let firstByteMs: number | undefined;
    if (body !== null && !options.failureStatusCodes.has(status)) {
      const waiting = timer.move();
      const begun = body.begins().then((begins) => {
        if (begins) firstByteMs = clock.now() - startedMs;
      }).finally(() => waiting.dispose());
      await untilBegun(begun, { body, signal, clock });
    }
    return {
      kind: "answered",
      answer: {
        chosen,
        status,
        headers,
        body,
        startedMs,
        signal,
        get firstByteMs() {
          return firstByteMs;
        },
      },
    };
  } catch (error) {
    const kind = stopReasonOf(signal);
    return kind === undefined ? { kind: "unreachable", detail: detailOf(error) } : { kind };
  }
}

/**
 * Waits for the beginning of a body, and not longer than {@link HEAD_HOLD_MS}. Rejects when it breaks off
 * meanwhile, and when the signal comes, at which it lets go of the body.
 */
async function untilBegun(
  begun: Promise<void>,
  { body, signal, clock }: {
    readonly body: AnswerBody;
    readonly signal: AbortSignal;
    readonly clock: Clock;
  },
): Promise<void> {
  // Whoever reads the body later is told of the same.
  begun.catch(() => {});
  using undo = new DisposableStack();
  const stop = () => body.cancel();
  signal.addEventListener("abort", stop);
  undo.defer(() => signal.removeEventListener("abort", stop));
  const held = Promise.withResolvers<void>();
  undo.use(clock.after(HEAD_HOLD_MS, () => held.resolve()));
  await Promise.race([begun, held.promise]);
  signal.throwIfAborted();
}

/** Undefined when the headers cannot be sent. What says why may hold the credential, and is not looked at. */
function requestOf({ backend }: ChosenBackend, { requestFor }: TryOptions) {
  try {
    return requestFor(backend);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** 101 and the like end HTTP, and what is no status at all cannot be sent. */
function canBePassedOn({ status }: Response): boolean {
  return status >= 200 && status <= 599;
}

/** What fetch says is only "fetch failed"; its cause says why. */
function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
