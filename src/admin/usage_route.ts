/**
 * `GET /admin/usage`: the newest usage records.
 *
 * @module
 */

import { RouterError } from "../http/mod.ts";
import type { UsageRecord } from "../metering/mod.ts";
import type { AdminEndpoint } from "./admin_route.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** @param recentUsage Gives at most `limit` records, newest first. */
export function usageEndpoint(
  recentUsage: (limit: number) => readonly UsageRecord[],
): AdminEndpoint {
  return {
    path: "/admin/usage",
    method: "GET",
    respond: (request) => Response.json({ records: recentUsage(limitOf(request)) }),
  };
}

/** @throws {RouterError} `invalid_request` unless `limit` is absent or one whole number from 1 to 1,000. */
function limitOf(request: Request): number {
  const [value, ...more] = new URL(request.url).searchParams.getAll("limit");
  if (value === undefined) return DEFAULT_LIMIT;
  const limit = more.length === 0 && /^[1-9][0-9]{0,3}$/.test(value) ? Number(value) : Infinity;
  if (limit <= MAX_LIMIT) return limit;
  throw new RouterError(
    "invalid_request",
    `limit must be a whole number from 1 to ${MAX_LIMIT}, given once`,
    { param: "limit" },
  );
}
