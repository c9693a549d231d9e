/**
 * What a backend has seen and said, for tests to compare with what a router did. Bounded: the oldest
 * entries go first.
 *
 * @module
 */

import type { ResponseObject } from "./events.ts";

const MAX_ENTRIES = 1_000;

/** How a connection ended, as seen from the backend; 1005 is an empty Close frame, 1006 none at all. */
export interface SeenClose {
  readonly code: number;
  readonly reason: string;
}

/** One upgrade request. */
export interface UpgradeRecord {
  /** Its place in the order of upgrades, from 1. The identifiers of its session carry it: `resp_0003_…`. */
  readonly serial: number;
  /** The request target, as it came. */
  readonly url: string;
  /** All request headers; repeated ones are joined by `, `. */
  readonly headers: Headers;
  /** 101, or the status of the refusal; 0 when there was no answer. */
  readonly status: number;
  /** Resolves when the connection has ended; null when the upgrade was refused. */
  readonly closed: Promise<SeenClose> | null;
}

/**
 * One response that ended, as its `response.done` says in the reference dialect (whether or not a knob kept
 * that from going out).
 */
export interface ResponseRecord {
  /** The upgrade it belongs to. */
  readonly serial: number;
  readonly response: ResponseObject;
}

/** Collects the records of one backend. */
export class Journal {
  readonly #upgrades: UpgradeRecord[] = [];
  readonly #responses: ResponseRecord[] = [];

  /** The upgrade requests, oldest first. */
  get upgrades(): readonly UpgradeRecord[] {
    return this.#upgrades;
  }

  /** The responses that ended, oldest first. */
  get responses(): readonly ResponseRecord[] {
    return this.#responses;
  }

  /** Adds an upgrade request. */
  addUpgrade(record: UpgradeRecord): void {
    this.#upgrades.push(record);
    if (this.#upgrades.length > MAX_ENTRIES) this.#upgrades.shift();
  }

  /** Adds a response. */
  addResponse(record: ResponseRecord): void {
    this.#responses.push(record);
    if (this.#responses.length > MAX_ENTRIES) this.#responses.shift();
  }
}
