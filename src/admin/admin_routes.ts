/**
 * All admin routes (spec §12).
 *
 * @module
 */

import { type Config, maskedConfig } from "../config/mod.ts";
import type { StatisticsSnapshot, UsageRecord } from "../metering/mod.ts";
import type { Log } from "../observability/mod.ts";
import type { Clock } from "../realtime/mod.ts";
import type { AdminEvents } from "./admin_events.ts";
import { type AdminEndpoint, type AdminRoute, adminRoute } from "./admin_route.ts";
import { type AdminBackends, backendEndpoints } from "./backend_routes.ts";
import { eventsEndpoint } from "./events_route.ts";
import type { LastError } from "./last_errors.ts";
import { reloadEndpoint, type ReloadResult } from "./reload_route.ts";
import { type AdminSessions, sessionEndpoints } from "./session_routes.ts";
import type { RealtimeStatistics } from "./session_totals.ts";
import { usageEndpoint } from "./usage_route.ts";

/** Where the routes get what they show, and what they may change. */
export interface AdminOptions {
  /** The configuration that is in force now. Its `admin.auth` says who may use the routes. */
  readonly config: () => Config;
  /** What usage records add up to. */
  readonly statistics: () => StatisticsSnapshot;
  readonly realtimeStatistics: () => RealtimeStatistics;
  /** At most `limit` usage records, newest first. */
  readonly recentUsage: (limit: number) => readonly UsageRecord[];
  readonly sessions: AdminSessions;
  readonly registry: AdminBackends;
  /** The last failed connection or request of a backend. */
  readonly lastErrorOf: (backend: string) => LastError | null;
  readonly events: AdminEvents;
  /**
   * Reads the configuration again, or rejects with a `ConfigError` and changes nothing.
   *
   * @default {undefined} there is no route for it
   */
  readonly reload?: () => Promise<ReloadResult>;
  readonly clock: Clock;
  /** Unix time in milliseconds. */
  readonly unixNow: () => number;
  /** Told of what operators change. */
  readonly log: Pick<Log, "info">;
}

/** Makes the routes. They keep their own rule of who may call them; `server.cors` must not open them. */
export function adminRoutes(options: AdminOptions): readonly AdminRoute[] {
  const { config, statistics, realtimeStatistics, clock } = options;
  const endpoints: readonly AdminEndpoint[] = [
    {
      path: "/admin/stats",
      method: "GET",
      respond: () => Response.json({ ...statistics(), realtime: realtimeStatistics() }),
    },
    {
      path: "/admin/config",
      method: "GET",
      respond: () => Response.json(maskedConfig(config())),
    },
    ...backendEndpoints({ ...options, now: () => clock.now() }),
    ...sessionEndpoints(options),
    usageEndpoint(options.recentUsage),
    eventsEndpoint(options),
    ...options.reload === undefined ? [] : [reloadEndpoint(options.reload)],
  ];
  return endpoints.map((endpoint) => adminRoute(endpoint, () => config().admin.auth));
}
