/** Golden cases of `realtime`. @module */

import { count, duration, flag, type GoldenCase, positive, urlPath } from "./case.ts";

export const realtimeCases: readonly GoldenCase[] = [
  flag("realtime.enabled", true),
  count("realtime.max_sessions", 1_000_000),
  positive("realtime.handshake_timeout"),
  duration("realtime.idle_timeout"),
  duration("realtime.max_session_duration"),
  urlPath("realtime.backend_path"),
];
