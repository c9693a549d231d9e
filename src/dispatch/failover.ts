/**
 * From one candidate to the next until one answers (spec §11).
 *
 * @module
 */

import { RouterError } from "../http/mod.ts";
import type { Log } from "../observability/mod.ts";
import {
  type Backend,
  chooseBackend,
  type ChooseOptions,
  type ChosenBackend,
} from "../routing/mod.ts";
import { type Answer, tryBackend, type TryOptions, type TryOutcome } from "./backend_try.ts";
import type { UsageLedger } from "./usage_ledger.ts";

/** What {@link firstAnswer} takes besides the candidates. */
export interface FailoverOptions extends TryOptions {
  /** How to choose; the time and what was tried are added. */
  readonly choice: Omit<ChooseOptions, "exclude" | "nowMs">;
  readonly ledger: UsageLedger;
  readonly onBackendFailure?: ((backend: string, message: string) => void) | undefined;
  readonly log: Log;
  readonly requestId: string;
}

/**
 * `served`: a backend's answer, whose slot is to be settled and which is to be recorded when its body ends.
 * `refused`: all have failed, and this is the last of their answers; it is settled and recorded.
 */
export type FailoverResult =
  | { readonly kind: "served"; readonly answer: Answer }
  | { readonly kind: "refused"; readonly answer: Answer }
  | { readonly kind: "client_gone" };

/** Statuses in the records of tries without an answer; 499 is what nginx logs for a client that left. */
const STATUS = { timeout: 504, unreachable: 502, client_gone: 499 } as const;

/**
 * Asks the candidates one after the other, each once.
 *
 * @throws {RouterError} As `chooseBackend` when not one can be asked; when all that were asked failed without
 * an answer, or there is no time for more, `upstream_error`, or `upstream_timeout` when the last one was late.
 */
export async function firstAnswer(
  candidates: readonly Backend[],
  options: FailoverOptions,
): Promise<FailoverResult> {
  const { lifetime } = options;
  const tried = new Set<Backend>();
  let refused: Answer | undefined;
  let last: TryOutcome["kind"] | undefined;
  while (lifetime.stopped === undefined) {
    const chosen = nextCandidate(candidates, { tried, options });
    if (chosen === undefined) break;
    tried.add(chosen.backend);
    const outcome = await tryCandidate(chosen, options);
    last = outcome.kind;
    if (outcome.kind === "answered") {
      if (refused !== undefined) discard(refused);
      if (!hasFailed(outcome.answer, options)) return { kind: "served", answer: outcome.answer };
      refused = outcome.answer;
    }
  }
  if (refused !== undefined && lifetime.stopped === undefined) {
    return { kind: "refused", answer: refused };
  }
  if (refused !== undefined) discard(refused);
  if (lifetime.stopped === "client_gone") return { kind: "client_gone" };
  throw noAnswer(lifetime.stopped ?? last);
}

/** Undefined when all were tried, or none of the others can be asked now. */
function nextCandidate(
  candidates: readonly Backend[],
  { tried, options }: {
    readonly tried: ReadonlySet<Backend>;
    readonly options: FailoverOptions;
  },
): ChosenBackend | undefined {
  const { choice, clock } = options;
  try {
    return chooseBackend(candidates, { ...choice, exclude: tried, nowMs: clock.now() });
  } catch (error) {
    if (tried.size === 0 || !(error instanceof RouterError)) throw error;
    return undefined;
  }
}

/** Tries one, and settles and records it unless it serves the request. */
async function tryCandidate(chosen: ChosenBackend, options: FailoverOptions): Promise<TryOutcome> {
  const { backend, slot } = chosen;
  const { clock, ledger } = options;
  const startedMs = clock.now();
  const outcome = await tryBackend(chosen, options);
  const latencyMs = clock.now() - startedMs;
  if (outcome.kind === "answered" && !hasFailed(outcome.answer, options)) return outcome;
  const hasLeft = outcome.kind === "client_gone";
  if (hasLeft) slot.release();
  else {
    slot.failure(clock.now());
    tellFailure(chosen, { outcome, options });
  }
  ledger.record({
    backend: backend.name,
    status: statusOf(outcome),
    latencyMs,
    outcome: hasLeft ? "client_cancelled" : "upstream_error",
  });
  return outcome;
}

function tellFailure(
  { backend }: ChosenBackend,
  { outcome, options }: { readonly outcome: TryOutcome; readonly options: FailoverOptions },
): void {
  const detail = detailOf(outcome);
  options.onBackendFailure?.(backend.name, detail);
  options.log.warn("backend failed a request", {
    request_id: options.requestId,
    backend: backend.name,
    cause: outcome.kind === "answered" ? "status" : outcome.kind,
    status: statusOf(outcome),
    detail,
  });
}

function detailOf(outcome: TryOutcome): string {
  switch (outcome.kind) {
    case "answered":
      return `HTTP status ${outcome.answer.status}`;
    case "unreachable":
      return outcome.detail;
    default:
      return "no answer in time";
  }
}

function statusOf(outcome: TryOutcome): number {
  return outcome.kind === "answered" ? outcome.answer.status : STATUS[outcome.kind];
}

function hasFailed({ status }: Answer, options: FailoverOptions): boolean {
  return options.failureStatusCodes.has(status);
}

function discard({ body }: Answer): void {
  body?.cancel();
}

function noAnswer(last: TryOutcome["kind"] | undefined): RouterError {
  return last === "timeout"
    ? new RouterError("upstream_timeout", "No backend answered in time", { source: "upstream" })
    : new RouterError("upstream_error", "No backend could answer", { source: "upstream" });
}
