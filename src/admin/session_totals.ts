/**
 * The part of `GET /admin/stats` that is about sessions, not about responses (spec §12).
 *
 * @module
 */

import type { Outcome } from "../realtime/mod.ts";

/** Sessions now and since the start. */
export interface RealtimeStatistics {
  /** From the backend's 101 to the end, as in the metric `realtime_active_sessions`. */
  readonly active_sessions: number;
  /** Sessions that have ended, as in the metric `realtime_sessions_total`. */
  readonly sessions_total: Readonly<Record<Outcome, number>>;
}

/** See the module. */
export class SessionTotals {
  #active = 0;
  readonly #ended: Record<Outcome, number> = {
    completed: 0,
    backend_connect_failed: 0,
    idle_timeout: 0,
    max_duration: 0,
    client_abort: 0,
    backend_abort: 0,
  };

  /** Counts a session as active until the returned value is disposed of, once. */
  opened(): Disposable {
    this.#active++;
    let open = true;
    return {
      [Symbol.dispose]: () => {
        if (open) this.#active--;
        open = false;
      },
    };
  }

  /** Counts the end of a session. */
  ended(outcome: Outcome): void {
    this.#ended[outcome]++;
  }

  /** The figures by now, in an object of their own. */
  snapshot(): RealtimeStatistics {
    return { active_sessions: this.#active, sessions_total: { ...this.#ended } };
  }
}
