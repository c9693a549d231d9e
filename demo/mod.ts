/**
 * The embedded voice backend and the demo around it.
 *
 * @module
 */

export { type DemoBackend, startDemoBackend } from "./backend.ts";
export type { DemoBackendOptions } from "./options.ts";
export type { Dialect } from "./dialect.ts";
export { type DialectName, DIALECTS } from "./dialects/mod.ts";
export { SAMPLE_TURNS, type SampleStep } from "./sample_turns.ts";
export type { UpgradeFault } from "./upgrade_fault.ts";
export type { Keepalive } from "./pings.ts";
export type { ResponseRecord, SeenClose, UpgradeRecord } from "./journal.ts";
export type { ResponseObject } from "./events.ts";
export type { Usage } from "./usage.ts";
export { BYTES_PER_MS, SAMPLE_RATE, tone } from "./tone.ts";
export {
  runVoiceTurn,
  type TurnUsage,
  type VoiceTurnOptions,
  type VoiceTurnResult,
} from "./voice_turn.ts";
export { type DemoOptions, type DemoRouter, runDemo } from "./demo.ts";
