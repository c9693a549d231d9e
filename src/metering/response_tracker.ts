/**
 * The responses of a session between `response.created` and `response.done` (spec §8).
 *
 * @module
 */

import { createHash } from "node:crypto";

/** One more drops the oldest. */
export const MAX_TRACKED_RESPONSES = 16;

/** Ids are about 30 characters long; one that is longer than this is kept as its digest. */
const MAX_ID_LENGTH = 256;

/** See the module. Ids are what a backend wrote, of any type; those that are not text are not tracked. */
export class ResponseTracker {
  /** By id, the oldest first: when each was created. */
  readonly #createdMs = new Map<string, number>();

  /** How many responses are created and not done. */
  get size(): number {
    return this.#createdMs.size;
  }

  /** Starts the clock of a response. When it runs already, this changes nothing. */
  created(id: unknown, nowMs: number): void {
    const key = keyOf(id);
    if (key === undefined || this.#createdMs.has(key)) return;
    this.#createdMs.set(key, nowMs);
    if (this.#createdMs.size <= MAX_TRACKED_RESPONSES) return;
    for (const oldest of this.#createdMs.keys()) {
      this.#createdMs.delete(oldest);
      break;
    }
  }

  /** Stops it. Whole milliseconds since it was started; 0 when it does not run. */
  done(id: unknown, nowMs: number): number {
    const key = keyOf(id);
    const createdMs = key === undefined ? undefined : this.#createdMs.get(key);
    if (key === undefined || createdMs === undefined) return 0;
    this.#createdMs.delete(key);
    return Math.max(0, Math.round(nowMs - createdMs));
  }
}

/** Keeps sixteen ids small, however long a backend makes them. */
function keyOf(id: unknown): string | undefined {
  if (typeof id !== "string") return undefined;
  if (id.length <= MAX_ID_LENGTH) return id;
  return createHash("sha256").update(id, "utf16le").digest("base64");
}
