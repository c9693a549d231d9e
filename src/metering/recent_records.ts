/**
 * The records of `GET /admin/usage` (spec §9, §12).
 *
 * @module
 */

import { Ring } from "./ring.ts";
import type { UsageRecord, UsageSink } from "./usage_record.ts";

/** How many records are kept. */
export const MAX_RECENT_RECORDS = 1000;

/** See the module. */
export class RecentRecords implements UsageSink {
  readonly #ring = new Ring<UsageRecord>(MAX_RECENT_RECORDS);

  record(record: UsageRecord): void {
    this.#ring.add(record);
  }

  /**
   * The last records, the newest first.
   *
   * @param limit A whole number, 0 or more.
   * @default {MAX_RECENT_RECORDS}
   */
  newestFirst(limit = MAX_RECENT_RECORDS): readonly UsageRecord[] {
    return this.#ring.values().reverse().slice(0, limit);
  }
}
