/**
 * The admin routes (spec §12): what a router does now, for people who run it. Pure: data, time and what
 * changes something are handed in.
 *
 * @module
 */

export { type AdminAuth, type AdminCaller, checkAdminAccess } from "./admin_auth.ts";
export { AdminEvents } from "./admin_events.ts";
export type { AdminCall, AdminRoute } from "./admin_route.ts";
export { type AdminOptions, adminRoutes } from "./admin_routes.ts";
export type { AdminBackend, AdminBackends } from "./backend_routes.ts";
export { type LastError, LastErrors } from "./last_errors.ts";
export type { ReloadResult } from "./reload_route.ts";
export type { AdminSession, AdminSessions } from "./session_routes.ts";
export { type RealtimeStatistics, SessionTotals } from "./session_totals.ts";
