/**
 * The metrics of realtime sessions (spec §10.2).
 *
 * @module
 */

import { Counter, Gauge, Histogram, type Registry, type RegistryContentType } from "prom-client";

type DirectionName = "client_to_backend" | "backend_to_client";

const DIRECTIONS: readonly DirectionName[] = ["client_to_backend", "backend_to_client"];
/** From a fraction of a second to the hour that providers allow. */
const DURATION_BUCKETS = [0.5, 1, 5, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200];
const CONNECT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts what a message adds in plain numbers; the counter itself is brought up to date when read. */
class Tally {
  readonly #pending = new Map<DirectionName, number>(DIRECTIONS.map((name) => [name, 0]));

  constructor(
    registry: Registry<RegistryContentType>,
    options: { readonly name: string; readonly help: string },
  ) {
    const pending = this.#pending;
    new Counter({
      ...options,
      labelNames: ["direction"],
      registers: [registry],
      collect() {
        for (const [direction, amount] of pending) {
          this.inc({ direction }, amount);
          pending.set(direction, 0);
        }
      },
    });
  }

  add(direction: DirectionName, amount: number): void {
    this.#pending.set(direction, this.#pending.get(direction)! + amount);
  }
}

/** See the module. Label values are names of configured backends and members of closed sets. */
export class RealtimeMetricSet {
  readonly #active: Gauge<"backend">;
  readonly #sessions: Counter<"backend" | "outcome">;
  readonly #frames: Tally;
  readonly #bytes: Tally;
  readonly #pauses: Tally;
  readonly #duration: Histogram<"backend">;
  readonly #connect: Histogram<"backend">;
  readonly #rejections: Counter<"code">;

  constructor(registry: Registry<RegistryContentType>) {
    const registers = [registry];
    this.#active = new Gauge({
      name: "realtime_active_sessions",
      help: "Sessions with an established backend connection",
      labelNames: ["backend"],
      registers,
    });
    this.#sessions = new Counter({
      name: "realtime_sessions_total",
      help: "Sessions by the way they ended",
      labelNames: ["backend", "outcome"],
      registers,
    });
    this.#frames = new Tally(registry, {
      name: "realtime_frames_relayed_total",
      help: "Text and binary messages relayed",
    });
    this.#bytes = new Tally(registry, {
      name: "realtime_relay_bytes_total",
      help: "Bytes of the frames of relayed messages",
    });
    this.#pauses = new Tally(registry, {
      name: "realtime_backpressure_pauses_total",
      help: "Times that reading paused because the other side did not keep up",
    });
    this.#duration = new Histogram({
      name: "realtime_session_duration_seconds",
      help: "Duration of established sessions",
      labelNames: ["backend"],
      buckets: DURATION_BUCKETS,
      registers,
    });
    this.#connect = new Histogram({
      name: "realtime_backend_connect_seconds",
      help: "Time from dialling a backend to its 101",
      labelNames: ["backend"],
      buckets: CONNECT_BUCKETS,
      registers,
    });
    this.#rejections = new Counter({
      name: "realtime_handshake_rejections_total",
      help: "Upgrade requests refused, by error code",
      labelNames: ["code"],
      registers,
    });
  }

  relayed(direction: DirectionName, bytes: number): void {
    this.#frames.add(direction, 1);
    this.#bytes.add(direction, bytes);
  }

  paused(direction: DirectionName): void {
    this.#pauses.add(direction, 1);
  }

  sessionOpened(backend: string, connectMs: number): Disposable {
    this.#connect.observe({ backend }, connectMs / 1000);
    this.#active.inc({ backend });
    return { [Symbol.dispose]: () => this.#active.dec({ backend }) };
  }

  sessionEnded(
    backend: string,
    session: { readonly outcome: string; readonly establishedMs: number | null },
  ): void {
    this.#sessions.inc({ backend, outcome: session.outcome });
    if (session.establishedMs !== null) {
      this.#duration.observe({ backend }, session.establishedMs / 1000);
    }
  }

  /** An upgrade request was refused with this error code. */
  rejected(code: string): void {
    this.#rejections.inc({ code });
  }
}
