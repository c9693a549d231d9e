/**
 * A realtime session, from its client's 101 until no socket of it remains.
 *
 * ```
 *                 backend's 101                 first ending            both sockets closed,
 *   connecting ──────────────────▶ open ───────────────────▶ closing ─── or 5 s have passed ──▶ closed
 *        │                                                      ▲
 *        └── no connection · handshake_timeout · client left ───┘
 *            max_session_duration · shutdown · operator
 * ```
 *
 * Whatever happens first decides the {@link Ending}; what comes later changes nothing. Both legs are
 * then closed independently of each other, so that a stalled one never delays the other.
 *
 * @module
 */

import type { BreakerSlot } from "../routing/mod.ts";
import { type Dial, DialFailure, type DialTarget } from "../wire/mod.ts";
import type { Clock } from "./clock.ts";
import { Direction, type DirectionObserver, type DirectionOptions } from "./direction.ts";
import { EarlyMessages } from "./early_messages.ts";
import { closeFrameTo, type Ending, type Outcome, outcomeOf } from "./ending.ts";
import { Leg } from "./leg.ts";

/** See the module's picture. */
export type SessionState = "connecting" | "open" | "closing" | "closed";

/** The timers of spec §2, in milliseconds; 0 turns the latter two off. */
export interface SessionTimers {
  readonly handshakeTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxSessionDurationMs: number;
}

/** What a session needs of the outside. */
export interface SessionOptions {
  readonly timers: SessionTimers;
  readonly clock: Clock;
  readonly target: DialTarget;
  readonly dial: (target: DialTarget) => Promise<Dial>;
  readonly slot: BreakerSlot;
  readonly observer: SessionObserver;
  readonly meter: Meter;
}

/** What looks at what the backend reports (spec §8). */
export interface Meter {
  /** A text message was handed on; it is message number `sequence` to the client. */
  relayed(text: string, sequence: number): void;
  /** Whether something waits for `accepted`. */
  readonly hasPending: boolean;
  /** The client's connection has the messages up to number `count`. */
  accepted(count: number): void;
  /** The session is closed, and that is all that the client's connection ever got. */
  end(acceptedCount: number): void;
  /** Usage records so far. */
  readonly recorded: number;
}

/** Told of what happens in a session. */
export interface SessionObserver extends DirectionObserver {
  /** The backend's 101 is there. The returned value is disposed of when the session is closed. */
  opened(connectMs: number): Disposable;
}

/** What a session did, once it is closed. */
export interface SessionReport {
  readonly ending: Ending;
  readonly outcome: Outcome;
  /** From the backend's 101 to the end; null when there was none. */
  readonly establishedMs: number | null;
  /** From the client's 101 to the end. */
  readonly durationMs: number;
  readonly clientMessages: number;
  readonly clientBytes: number;
  readonly backendMessages: number;
  readonly backendBytes: number;
  readonly usageRecords: number;
}

/** After closing begins, a leg has so long to finish (spec §6 "Grace"). */
export const GRACE_MS = 5_000;

/** See the module. */
export class Session {
  readonly #client: Leg;
  readonly #options: SessionOptions;
  readonly #early: EarlyMessages;
  readonly #ended = Promise.withResolvers<Ending>();
  readonly #timers = new DisposableStack();
  readonly #held = new DisposableStack();
  readonly #startedMs: number;
  #state: SessionState = "connecting";
  #ending: Ending | undefined;
  #dial: Dial | undefined;
  #backend: Leg | undefined;
  #fromClient: Direction | undefined;
  #fromBackend: Direction | undefined;
  #openedMs: number | undefined;
  #idleTimer: Disposable | undefined;

  /** @param client The client's leg, whose 101 may not be written yet. */
  constructor(client: Leg, options: SessionOptions) {
    this.#client = client;
    this.#options = options;
    this.#startedMs = options.clock.now();
    this.#early = new EarlyMessages(client);
    client.wire.onMessagesAccepted = (count) => {
      if (options.meter.hasPending) options.meter.accepted(count);
    };
    void client.ended.then((ending) => this.end(ending));
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Messages and frame bytes relayed so far. */
  get relayed(): Pick<
    SessionReport,
    "clientMessages" | "clientBytes" | "backendMessages" | "backendBytes"
  > {
    return {
      clientMessages: this.#fromClient?.messages ?? 0,
      clientBytes: this.#fromClient?.bytes ?? 0,
      backendMessages: this.#fromBackend?.messages ?? 0,
      backendBytes: this.#fromBackend?.bytes ?? 0,
    };
  }

  /** Ends the session. Only the first ending counts. */
  end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#ended.resolve(ending);
  }

  /** Ends the session without waiting for anybody. */
  kill(): void {
    this.end({ kind: "shutdown" });
    for (const leg of this.#legs()) leg.wire.kill();
  }

  /** Runs the session. Resolves when it is closed; never rejects. */
  async run(): Promise<SessionReport> {
    const opened = await this.#opened();
    if (opened === true) {
      this.#timers.use(this.#limitDuration());
      await this.#connect();
    }
    return await this.#close(await this.#ended.promise);
  }

  /** Waits for the client's 101, which is written by then or never will be; but not for ever. */
  async #opened(): Promise<boolean | Ending> {
    using _limit = this.#limitDuration();
    return await Promise.race([this.#client.opened, this.#ended.promise]);
  }

  #limitDuration(): Disposable {
    const { clock, timers } = this.#options;
    const limitMs = timers.maxSessionDurationMs;
    if (limitMs === 0) return new DisposableStack();
    return clock.after(limitMs, () => this.end({ kind: "max-duration" }));
  }

  async #connect(): Promise<void> {
    const { clock, timers, target, dial, observer, slot } = this.#options;
    const beganMs = clock.now();
    using _deadline = clock.after(
      timers.handshakeTimeoutMs,
      () => this.end({ kind: "connect-failed", cause: "timeout" }),
    );
    const dialing = dial(target).catch(notDialled);
    void dialing.then((dial) => {
      if (!("socket" in dial)) return;
      // At once, so that whoever ends the session from now on finds it.
      this.#dial = dial;
      if (this.#ending !== undefined) dial.abort();
    });
    const dialed = await Promise.race([dialing, this.#ended.promise]);
    if (this.#ending !== undefined) return;
    if (dialed instanceof DialFailure) return this.end({ kind: "connect-failed", cause: dialed });
    if (!("socket" in dialed)) return;
    const backend = this.#backend = new Leg("backend", {
      socket: dialed.socket,
      wire: dialed.leg,
    });
    // The backend may speak in the packet that holds its 101, before anybody here hears of it.
    this.#fromBackend = this.#direction(backend, {
      to: this.#client,
      tap: (text, sequence) => this.#options.meter.relayed(text, sequence),
    });
    backend.onMessage = (message) => this.#fromBackend?.relay(message);
    const opened = await Promise.race([backend.opened, this.#ended.promise]);
    if (this.#ending !== undefined) return;
    if (opened !== true) {
      return this.end({ kind: "connect-failed", cause: dialed.failure ?? notDialled() });
    }
    slot.success(clock.now());
    this.#openedMs = clock.now();
    this.#held.use(observer.opened(this.#openedMs - beganMs));
    this.#open(backend);
  }

  #open(backend: Leg): void {
    this.#state = "open";
    const fromClient = this.#fromClient = this.#direction(this.#client, { to: backend });
    this.#early.releaseTo((message) => fromClient.relay(message));
    void backend.ended.then((ending) => this.end(ending));
    if (this.#options.timers.idleTimeoutMs > 0) this.#watchIdle(this.#options.timers.idleTimeoutMs);
  }

  #direction(from: Leg, way: Pick<DirectionOptions, "to" | "tap">): Direction {
    const { clock, observer } = this.#options;
    return this.#timers.use(new Direction({ from, ...way, clock, observer }));
  }

  /** One timer at a time, re-armed for what is left since the last traffic, however much there was. */
  #watchIdle(waitMs: number): void {
    const { clock, timers } = this.#options;
    this.#idleTimer = clock.after(waitMs, () => {
      const leftMs = this.#lastTrafficMs() + timers.idleTimeoutMs - clock.now();
      if (leftMs <= 0) this.end({ kind: "idle" });
      else this.#watchIdle(leftMs);
    });
  }

  #lastTrafficMs(): number {
    return Math.max(
      this.#openedMs ?? 0,
      this.#client.wire.lastTrafficMs,
      this.#backend?.wire.lastTrafficMs ?? 0,
    );
  }

  async #close(ending: Ending): Promise<SessionReport> {
    const { clock, slot } = this.#options;
    const established = this.#openedMs !== undefined;
    const endedMs = clock.now();
    if (ending.kind === "connect-failed") slot.failure(endedMs);
    else if (!established) slot.release();
    this.#state = "closing";
    this.#idleTimer?.[Symbol.dispose]();
    this.#timers.dispose();
    this.#early.discard();
    if (!established) this.#dial?.abort();
    for (const leg of this.#legs()) {
      leg.onMessage = () => {};
      leg.wire.dropData();
      const frame = closeFrameTo(leg.side, ending);
      if (frame !== null) leg.close(frame);
    }
    await this.#finish();
    this.#state = "closed";
    this.#held.dispose();
    this.#options.meter.end(this.#client.wire.messagesAccepted);
    return {
      ending,
      outcome: outcomeOf(ending, { established }),
      establishedMs: this.#openedMs === undefined ? null : clock.now() - this.#openedMs,
      durationMs: clock.now() - this.#startedMs,
      ...this.relayed,
      usageRecords: this.#options.meter.recorded,
    };
  }

  /** Waits for both legs, and after the grace ends them. */
  async #finish(): Promise<void> {
    const legs = this.#legs();
    using _grace = this.#options.clock.after(GRACE_MS, () => {
      for (const leg of legs) leg.wire.kill();
    });
    await Promise.all(legs.map((leg) => leg.wire.finished));
  }

  #legs(): Leg[] {
    return this.#backend === undefined ? [this.#client] : [this.#client, this.#backend];
  }
}

/** The endpoint gave up before it reached the dialer. */
function notDialled(cause?: unknown): DialFailure {
  return new DialFailure("unreachable", "the router could not reach its own dialer", { cause });
}
