/** A session whose two peers, backend connection and time are the test's. */

import { Leg } from "../../src/realtime/leg.ts";
import { Session, type SessionReport, type SessionTimers } from "../../src/realtime/session.ts";
import type { Dial, DialFailure, DialTarget } from "../../src/wire/mod.ts";
import { FakeMeter } from "../support/fake_meter.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { closeFrame, LegFixture } from "../support/leg_fixture.ts";
import { MemorySocket } from "../support/memory_socket.ts";
import { settled } from "../support/settled.ts";

const TARGET: DialTarget = {
  secure: false,
  hostname: "backend.test",
  port: 1,
  hostHeader: "backend.test",
  path: "/v1/realtime?model=m",
  headers: [],
};

/** What a {@link SessionFixture} may be given. */
export interface SessionFixtureOptions {
  readonly timers?: Partial<SessionTimers>;
  /** Holds `dial` back until `dialed` is called. @default {false} */
  readonly dialWaits?: boolean;
  /** Makes `dial` fail, which it never should. */
  readonly dialError?: Error;
  /** The most bytes of a message. */
  readonly maxMessageBytes?: number;
}

/** See the module. */
export class SessionFixture {
  readonly clock = new FakeClock();
  readonly client: LegFixture;
  readonly backend: LegFixture;
  readonly clientSocket: MemorySocket;
  readonly backendSocket: MemorySocket;
  readonly session: Session;
  readonly meter = new FakeMeter();
  readonly report: Promise<SessionReport>;
  /** What was told to the breaker: `success`, `failure` or `release`. */
  readonly judged: string[] = [];
  /** Messages relayed and pauses, by direction. */
  readonly observed: string[] = [];
  /** How long connecting took, for each time that a session was reported open. */
  readonly opened: number[] = [];
  /** How often that report was taken back. */
  gaugeDisposed = 0;
  dials = 0;
  aborts = 0;
  isOver = false;
  #failure: DialFailure | undefined;
  readonly #dialed = Promise.withResolvers<void>();

  constructor(options: SessionFixtureOptions = {}) {
    const { clock } = this;
    const { maxMessageBytes = 4 * 1024 * 1024 } = options;
    this.client = new LegFixture("client", { now: clock.now, maxMessageBytes });
    this.backend = new LegFixture("backend", { now: clock.now, maxMessageBytes });
    this.clientSocket = new MemorySocket(this.client.endpoint, { masks: false });
    this.backendSocket = new MemorySocket(this.backend.endpoint, { masks: true });
    if (options.dialWaits !== true) this.#dialed.resolve();
    const leg = new Leg("client", { socket: this.clientSocket, wire: this.client.leg });
    this.session = new Session(leg, {
      timers: {
        handshakeTimeoutMs: 10_000,
        idleTimeoutMs: 60_000,
        maxSessionDurationMs: 0,
        ...options.timers,
      },
      clock,
      target: TARGET,
      dial: async () => {
        this.dials++;
        await this.#dialed.promise;
        if (options.dialError !== undefined) throw options.dialError;
        return this.#dial();
      },
      slot: {
        success: () => this.#judge("success"),
        failure: () => this.#judge("failure"),
        release: () => this.#judge("release"),
        [Symbol.dispose]: () => this.#judge("release"),
      },
      observer: {
        opened: (connectMs) => {
          this.opened.push(connectMs);
          return { [Symbol.dispose]: () => this.gaugeDisposed++ };
        },
        relayed: (name) => this.observed.push(`relayed ${name}`),
        paused: (name) => this.observed.push(`paused ${name}`),
      },
      meter: this.meter,
    });
    this.report = this.session.run().then((report) => {
      this.isOver = true;
      return report;
    });
  }

  /** The client's 101 is written. */
  async openClient(): Promise<void> {
    this.client.attach();
    this.clientSocket.open();
    await settled();
  }

  /** `dial` gives its connection. */
  async dialed(): Promise<void> {
    this.#dialed.resolve();
    await settled();
  }

  /** The backend's 101 is there. */
  async openBackend(): Promise<void> {
    this.backend.attach();
    this.backendSocket.open();
    await settled();
  }

  async openBoth(): Promise<void> {
    await this.openClient();
    await this.openBackend();
  }

  /** There will be no backend connection. */
  async failBackend(failure: DialFailure | undefined): Promise<void> {
    this.#failure = failure;
    this.backend.leg.kill();
    this.backendSocket.fail("NetworkError");
    this.backendSocket.end();
    await settled();
  }

  /** Both peers answer the close frames that they got, and go. */
  async closeBoth(): Promise<SessionReport> {
    await settled();
    for (const leg of [this.client, this.backend]) {
      await leg.peer.write(leg.fromPeer(closeFrame(1000))[0] ?? new Uint8Array(0));
      await settled();
      await leg.peer.closeWrite();
    }
    return await this.report;
  }

  async passes(ms: number): Promise<void> {
    this.clock.advance(ms);
    await settled();
  }

  #dial(): Dial {
    const failure = (): DialFailure | undefined => this.#failure;
    return {
      socket: this.backendSocket,
      leg: this.backend.leg,
      get failure() {
        return failure();
      },
      abort: () => {
        this.aborts++;
        this.backend.leg.kill();
      },
    };
  }

  #judge(outcome: string): void {
    this.judged.push(outcome);
  }
}
