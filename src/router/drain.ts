/**
 * The end of a router (spec §14).
 *
 * @module
 */

import type { Clock, Sessions } from "../realtime/mod.ts";
import type { Edge } from "../wire/mod.ts";

/** Lets sessions and requests end by themselves for a while, then ends those that are left (spec §14). */
export async function endSessions(
  sessions: Sessions,
  { clock, drainTimeoutMs, edges }: {
    readonly clock: Clock;
    readonly drainTimeoutMs: number;
    readonly edges: readonly Edge[];
  },
): Promise<void> {
  const late = Promise.withResolvers<void>();
  using _timer = clock.after(drainTimeoutMs, () => {
    sessions.endAll({ kind: "shutdown" });
    late.resolve();
  });
  await sessions.whenEmpty();
  const answered = Promise.all(edges.map((edge) => edge.endAfterAnswers()));
  await Promise.race([answered, late.promise]);
}

/** Makes every call give what the first one gives. */
export function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => running ??= run();
}
