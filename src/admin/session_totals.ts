/**
 * The part of `GET /admin/stats` that is about sessions, not about responses (spec §12).
 *
 * @module
 */

import type { ErrorCode } from "../http/mod.ts";
import type { Outcome } from "../realtime/mod.ts";

/** Sessions now and since the start. */
export interface RealtimeStatistics {
  /** From the backend's 101 to the end, as in the metric `realtime_active_sessions`. */
  readonly active_sessions: number;
  /** Sessions that have ended, as in the metric `realtime_sessions_total`. */
  readonly sessions_total: Readonly<Record<Outcome, number>>;
  /**
   * Upgrade requests refused, as in the metric `realtime_handshake_rejections_total`; codes that never
   * occurred are left out.
   */
  readonly handshake_rejections_total: Readonly<Partial<Record<ErrorCode, number>>>;
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

  readonly #rejected: Partial<Record<ErrorCode, number>> = {};

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

  /** Counts an upgrade request that was refused. */
  rejected(code: ErrorCode): void {
    this.#rejected[code] = (this.#rejected[code] ?? 0) + 1;
  }

  /** The figures by now, in an object of their own. */
  snapshot(): RealtimeStatistics {
    return {
      active_sessions: this.#active,
      sessions_total: { ...this.#ended },
      handshake_rejections_total: { ...this.#rejected },
    };
  }
}
