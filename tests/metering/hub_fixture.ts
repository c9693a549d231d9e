/**
 * A spool in memory, and a hub that answers when the test says so.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import type { UsageRecord } from "../../src/metering/mod.ts";
import type { Fetch } from "../../src/metering/hub_client.ts";
import { Spool, type SpoolEntry } from "../../src/metering/spool.ts";

/** A spool that nobody else has. */
export function memorySpool(maxRecords = 1_000): Spool {
  return new Spool(new DatabaseSync(":memory:"), { maxRecords });
}

/** Entries with places from `firstSeq` on. */
export function entriesOf(
  records: readonly UsageRecord[],
  firstSeq: number,
): readonly SpoolEntry[] {
  return records.map((record, index) => ({
    seq: firstSeq + index,
    body: JSON.stringify(record),
  }));
}

/** The ids of what waits, oldest first. */
export function idsIn(spool: Pick<Spool, "oldest">): readonly string[] {
  return (spool.oldest(1_000_000)?.bodies ?? []).map((body) => JSON.parse(body).record_id);
}

/** A request that waits for its answer. */
export interface FakeRequest {
  readonly url: string;
  readonly init: RequestInit;
  /** Whether it has ended because its signal was aborted. */
  readonly aborted: boolean;
  /** Whether it still waits. */
  readonly open: boolean;
  answer(response: Response): void;
  fail(): void;
}

/** A `fetch` whose requests are answered by the test. */
export class FakeFetch {
  /** Every request so far. */
  readonly requests: FakeRequest[] = [];

  readonly fetch: Fetch = (url, init) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const state = { aborted: false, open: true };
    init.signal?.addEventListener("abort", () => {
      state.aborted = state.open;
      state.open = false;
      reject(new DOMException("aborted", "AbortError"));
    });
    this.requests.push({
      url,
      init,
      get aborted() {
        return state.aborted;
      },
      get open() {
        return state.open;
      },
      answer: (response) => {
        state.open = false;
        resolve(response);
      },
      fail: () => {
        state.open = false;
        reject(new TypeError("error sending request"));
      },
    });
    return promise;
  };

  /** The newest request. */
  get last(): FakeRequest {
    const request = this.requests.at(-1);
    if (request === undefined) throw new Error("no request was made");
    return request;
  }
}
