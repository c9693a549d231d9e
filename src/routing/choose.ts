/**
 * Choosing the one backend that serves a request (spec §5).
 *
 * @module
 */

import { RouterError } from "../http/mod.ts";
import type { Backend } from "./backend.ts";
import type { BreakerSlot } from "./breaker.ts";
import type { Strategy, StrategyContext } from "./strategies.ts";

/** Who asks, and what they would like. */
export interface ChooseOptions extends StrategyContext {
  readonly strategy: Strategy;
  /** The key's `allowed_backends`; null allows all. */
  readonly allowedBackends: ReadonlySet<string> | null;
  /** `x-backend`: taken if it is among the admissible ones, else ignored. */
  readonly preferredBackend: string | null;
  /** Backends that this request has already tried. @default {undefined} none */
  readonly exclude?: ReadonlySet<Backend> | undefined;
  /** A monotonic clock. */
  readonly nowMs: number;
}

/** A backend, and the leave of its circuit breaker that must be settled once. */
export interface ChosenBackend {
  readonly backend: Backend;
  readonly slot: BreakerSlot;
}

/** Longest wait that a caller is told: a backend may recover sooner than its timers say. */
const MAX_RETRY_AFTER_SECONDS = 60;

/**
 * Chooses among the candidates of a model and takes a slot of the chosen one's circuit breaker.
 *
 * @throws {RouterError} `backend_not_allowed` when the key may use none of the candidates, healthy or not;
 * `no_available_backend` with `Retry-After` when those it may use are all unhealthy, refused by their
 * circuit, or excluded.
 */
export function chooseBackend(
  candidates: readonly Backend[],
  options: ChooseOptions,
): ChosenBackend {
  const { allowedBackends, preferredBackend, exclude, nowMs } = options;
  let anyAllowed = false;
  let preferred: Backend | null = null;
  const admissible: Backend[] = [];
  for (let index = 0; index < candidates.length; index++) {
    const backend = candidates[index];
    if (backend === undefined) break;
    if (allowedBackends !== null && !allowedBackends.has(backend.name)) continue;
    anyAllowed = true;
    if (exclude?.has(backend) || !isAdmissible(backend, nowMs)) continue;
    admissible.push(backend);
    if (backend.name === preferredBackend) preferred = backend;
  }
  if (!anyAllowed) throw notAllowed();
  if (admissible.length === 0) throw unavailable(candidates, options);
  const backend = preferred ?? options.strategy.pick(admissible, options);
  const slot = backend.breaker.acquire(nowMs);
  if (slot === null) throw unavailable(candidates, options);
  return { backend, slot };
}

/** Whether a backend may be sent a request now, as far as its health and its circuit go. */
export function isAdmissible(backend: Backend, nowMs: number): boolean {
  return backend.health.routable && backend.breaker.admits(nowMs);
}

function notAllowed(): RouterError {
  return new RouterError(
    "backend_not_allowed",
    "This API key may not use any backend that serves the requested model",
  );
}

function unavailable(candidates: readonly Backend[], options: ChooseOptions): RouterError {
  const { allowedBackends, nowMs } = options;
  const waitsMs = candidates
    .filter((backend) => allowedBackends === null || allowedBackends.has(backend.name))
    .map((backend) => waitMs(backend, nowMs));
  const seconds = Math.ceil(Math.min(...waitsMs) / 1000);
  const retryAfter = Math.max(1, Math.min(MAX_RETRY_AFTER_SECONDS, seconds));
  return new RouterError(
    "no_available_backend",
    "No backend that serves the requested model is available at the moment",
    { source: "upstream", headers: { "retry-after": String(retryAfter) } },
  );
}

/** When at the earliest something can change: the next probe, or the circuit's timeout. */
function waitMs(backend: Backend, nowMs: number): number {
  const circuitMs = backend.breaker.retryAfterMs(nowMs);
  const probeMs = backend.health.routable ? 0 : backend.health.nextProbeAtMs(nowMs) - nowMs;
  return Math.max(circuitMs, probeMs);
}
