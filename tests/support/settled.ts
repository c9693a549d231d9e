/**
 * The end of everything that can happen without time passing.
 *
 * @module
 */

import { setImmediate } from "node:timers/promises";

/**
 * Resolves when no promise job is left: streams in memory and fake clocks then stand still until the
 * test does something.
 */
export async function settled(): Promise<void> {
  await setImmediate();
}
