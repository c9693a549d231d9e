/**
 * `awake.ts CORE STARTER_PID`: keeps a core awake. It spins there, behind every other program, until whoever
 * started it is no more.
 *
 * @module
 */

import { pinThread, runBehindOthers } from "./libc.ts";

const LOOK_EVERY_MS = 50;

const [core, starter] = Deno.args.map(Number);
if (core === undefined || starter === undefined) {
  throw new Error("usage: awake.ts CORE STARTER_PID");
}
pinThread(core);
runBehindOthers();
Deno.stdout.writeSync(new TextEncoder().encode("awake\n"));
while (Deno.ppid === starter) {
  const untilMs = performance.now() + LOOK_EVERY_MS;
  while (performance.now() < untilMs);
}
