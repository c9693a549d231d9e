/**
 * Realtime sessions: what lets one in, what relays it, and how it ends.
 *
 * @module
 */

export { type Admission, admit, type Gate, type UpgradeRequest } from "./admission.ts";
export { type Clock, systemClock } from "./clock.ts";
export type { DirectionName, DirectionObserver } from "./direction.ts";
export type { Ending, Outcome, Side } from "./ending.ts";
export { Permits } from "./permits.ts";
export {
  createRealtimeHandler,
  type MeteredSession,
  type RealtimeHandler,
  type RealtimeMetrics,
  type RealtimeOptions,
  type RealtimeRequest,
} from "./realtime_handler.ts";
export { GRACE_MS, type Meter, type SessionReport, type SessionTimers } from "./session.ts";
export { type RunningSession, type SessionFacts, Sessions } from "./sessions.ts";
