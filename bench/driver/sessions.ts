/**
 * The sessions of a load: opened together, checked for faults, closed together.
 *
 * @module
 */

import { ClientSession, type Target } from "./client_session.ts";
import { frame } from "./frames.ts";
import type { Loop } from "./loop.ts";
import { payload } from "./payload.ts";

const OPEN_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 2_000;
const DEFAULT_AT_ONCE = 64;

/** How sessions are opened. */
export interface OpenOptions {
  readonly count: number;
  readonly target: Target;
  /** Handshakes under way at a time. @default {64} */
  readonly atOnce?: number;
  /** Bytes of the first message of a session, which the backend has to answer. */
  readonly helloBytes: (index: number) => number;
}

/** Sessions through one subject. */
export class SessionGroup {
  readonly sessions: ClientSession[] = [];
  /** From `connect` to the 101. */
  readonly handshakeMs: number[] = [];
  /** From `connect` to the answer to the first message. */
  readonly readyMs: number[] = [];
  onMessage: (session: ClientSession, payloadBytes: number) => void = () => {};
  readonly #loop: Loop;
  #ended = 0;

  constructor(loop: Loop) {
    this.#loop = loop;
  }

  /** Opens sessions and waits until each has had its first answer. */
  open({ count, target, atOnce = DEFAULT_AT_ONCE, helloBytes }: OpenOptions): void {
    const onAnswer = this.onMessage;
    const start = () => {
      const index = this.sessions.length;
      const session = new ClientSession(this.#loop, {
        index,
        target,
        events: {
          onOpen: (opened) => {
            this.handshakeMs.push(performance.now() - opened.startedMs);
            opened.send(frame(payload(helloBytes(index)), { masked: true }));
          },
          onMessage: (of, bytes) => this.onMessage(of, bytes),
          onEnd: (_, fault) => this.#onEnd(index, fault),
        },
      });
      this.sessions.push(session);
    };
    this.onMessage = (session) => {
      this.readyMs.push(performance.now() - session.startedMs);
      if (this.sessions.length < count) start();
    };
    for (let i = 0; i < Math.min(atOnce, count); i++) start();
    if (!this.runUntil(() => this.readyMs.length === count, OPEN_TIMEOUT_MS)) {
      const seconds = OPEN_TIMEOUT_MS / 1000;
      throw new Error(`${this.readyMs.length} of ${count} sessions were open after ${seconds} s`);
    }
    this.onMessage = onAnswer;
  }

  /** Runs for a time, with what is due. */
  runFor(durationMs: number, dueMs?: (nowMs: number) => number): void {
    this.#loop.run({
      isDone: () => false,
      deadlineMs: performance.now() + durationMs,
      ...dueMs === undefined ? {} : { dueMs },
    });
  }

  /** Runs until something is so. */
  runUntil(isDone: () => boolean, timeoutMs: number): boolean {
    return this.#loop.run({ isDone, deadlineMs: performance.now() + timeoutMs });
  }

  /** Closes all sessions in order; those of a subject that does not get to it in time are given up. */
  close(): void {
    this.onMessage = () => {};
    for (const session of this.sessions) session.close();
    this.runUntil(() => this.#ended === this.sessions.length, CLOSE_TIMEOUT_MS);
    this.abort();
  }

  /** Gives the sessions up. */
  abort(): void {
    for (const session of this.sessions) session.abort();
  }

  #onEnd(index: number, fault: string | undefined): void {
    this.#ended++;
    if (fault !== undefined) throw new Error(`session ${index}: ${fault}`);
  }
}
