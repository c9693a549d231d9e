/**
 * The section `realtime` (spec §2, §6). All of it is a snapshot taken at start.
 *
 * @module
 */

import { duration } from "./conversions.ts";
import { section, withDefault } from "./field.ts";
import { urlPath } from "./texts.ts";
import { flag, integer } from "./values.ts";

/** The section `realtime`. */
export const realtime = section({
  enabled: withDefault(flag(), false, {
    description: "Serves /v1/realtime and /realtime; otherwise both answer 404.",
  }),
  max_sessions: withDefault(integer({ min: 1, max: 1_000_000 }), 256, {
    description: "Sessions at a time; one more is refused with 503. The worst case for memory is " +
      "about max_sessions × 2 × 4 MiB.",
    unit: "sessions",
  }),
  handshake_timeout: withDefault(duration({ positive: true }), "10s", {
    description: "One deadline over DNS, TCP, TLS and the upgrade answer of the backend.",
    unit: "duration",
  }),
  idle_timeout: withDefault(duration({ positive: false }), "60s", {
    description: 'Ends a session without a message in either direction for this long. "0" = off.',
    unit: "duration",
  }),
  max_session_duration: withDefault(duration({ positive: false }), "0", {
    description: 'Ends a session this long after it began. "0" = no limit.',
    unit: "duration",
  }),
  backend_path: withDefault(urlPath, "/v1/realtime", {
    description: "Path of the backends' realtime endpoint, joined to their base URL.",
  }),
}, { description: "WebSocket sessions.", reload: "restart" });
