/**
 * The machine, as results name it.
 *
 * @module
 */

import { cpus } from "node:os";
import type { Machine } from "../report/figures.ts";
import { canPin } from "./pinning.ts";

/** This machine. */
export async function machine(): Promise<Machine> {
  const cores = cpus();
  return {
    cpu: cores[0]?.model.trim() ?? "unknown",
    cores: cores.length,
    memoryBytes: Deno.systemMemoryInfo().total,
    kernel: `${Deno.build.os} ${Deno.osRelease()}`,
    pinned: await canPin(),
  };
}
