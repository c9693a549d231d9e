/**
 * A backend's answer as the client's.
 *
 * @module
 */

import type { Log } from "../observability/mod.ts";
import type { AnswerFacts } from "./answer_facts.ts";
import { type AnswerMeter, meterFor } from "./answer_meter.ts";
import type { Answer } from "./backend_try.ts";
import type { Clock } from "./clock.ts";
import { answerHeaders } from "./header_lists.ts";
import { type BodyEnding, type BodyObserver, relayBody } from "./relay_body.ts";
import type { TryResult, UsageLedger } from "./usage_ledger.ts";

/** The response to give to the client. `observer` is told of its body, the end included when there is none. */
export function answerResponse(answer: Answer, observer: BodyObserver): Response {
  const { status, body, signal, chosen } = answer;
  const headers = answerHeaders(answer.headers, { backend: chosen.backend.name });
  if (body === null) {
    headers.delete("content-length");
    observer.ended("complete");
    return new Response(null, { status, headers });
  }
  const length = headers.get("content-length");
  const contentLength = length === null ? null : Number(length);
  return new Response(relayBody(body, { signal, contentLength, observer }), { status, headers });
}

/** What {@link observeServed} takes besides the answer. */
export interface ServedOptions {
  readonly ledger: UsageLedger;
  readonly onBackendFailure?: ((backend: string, message: string) => void) | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly requestId: string;
  /** Whether a stream was asked for: only there the first token is seen. */
  readonly stream: boolean;
  /** Called at the end. */
  readonly release: () => void;
}

/** Meters an answer, and settles and records it at its end. */
export function observeServed(answer: Answer, options: ServedOptions): BodyObserver {
  const { chosen: { backend, slot }, status, startedMs } = answer;
  const { ledger, clock, log, requestId, stream, release } = options;
  const meter = status < 300 ? meterFor(answer.headers) : undefined;
  let hasBegun = false;
  const begin = () => {
    if (hasBegun) return;
    hasBegun = true;
    // Errors come fast, and would draw everything to a backend that has nothing else.
    if (status < 400) backend.latency.observe(answer.firstByteMs ?? clock.now() - startedMs);
  };
  return {
    piece: (bytes) => {
      // A half-open circuit waits for this word, and long streams would keep everybody else out.
      const isAwaited = !hasBegun && backend.breaker.state(clock.now()).kind === "half_open";
      if (isAwaited) slot.success(clock.now());
      begin();
      meter?.push(bytes);
    },
    ended: (how) => {
      const { firstByteMs } = answer;
      // What breaks off behind its last word has said all.
      const ending = meter?.complete === true && isBackendsFault(how) ? "complete" : how;
      if (ending === "complete") begin();
      release();
      if (isBackendsFault(ending)) {
        slot.failure(clock.now());
        options.onBackendFailure?.(backend.name, `answer cut off: ${ending}`);
      } else if (ending === "client_gone" && firstByteMs === undefined) slot.release();
      else slot.success(clock.now());
      ledger.record({
        backend: backend.name,
        status,
        latencyMs: clock.now() - startedMs,
        ttftMs: stream ? firstByteMs : undefined,
        ...verdict(ending, meter),
      });
      if (how === "complete" || how === "client_gone") return;
      const shown = { request_id: requestId, backend: backend.name, cause: how };
      log.warn("an answer was cut off", shown);
    },
  };
}

function isBackendsFault(ending: BodyEnding): boolean {
  return ending === "broken" || ending === "timeout";
}

/** What is recorded of the end. Answers that are errors cost nothing. */
function verdict(
  ending: BodyEnding,
  meter: AnswerMeter | undefined,
): Pick<TryResult, "facts" | "outcome"> {
  if (meter === undefined) return { outcome: "upstream_error" };
  const facts: AnswerFacts = meter.end();
  switch (ending) {
    case "complete":
      return { facts };
    case "broken":
    case "timeout":
      return { facts, outcome: "upstream_error" };
    case "client_slow":
      return { facts, outcome: "client_cancelled" };
    case "client_gone":
      return meter.complete ? { facts } : { facts, outcome: "client_cancelled" };
  }
}
