/**
 * The hub, when the configuration has one.
 *
 * @module
 */

import type { Config } from "../config/mod.ts";
import { type ControlPlane, startControlPlane } from "../metering/mod.ts";
import { logOf, type Metrics } from "../observability/mod.ts";
import type { Clock } from "../realtime/mod.ts";

/**
 * Starts the control plane.
 *
 * @returns Undefined when it is not enabled.
 * @throws {SpoolError} When the spool cannot be opened.
 */
export async function startHub(
  config: Config,
  { metrics, clock }: { readonly metrics: Metrics; readonly clock: Clock },
): Promise<ControlPlane | undefined> {
  const { control_plane: hub } = config;
  // The configuration has been checked: an enabled hub has both.
  if (!hub.enabled || hub.url === undefined || hub.token === undefined) return undefined;
  return await startControlPlane({
    url: hub.url,
    token: hub.token,
    routerId: hub.router_id,
    flushIntervalMs: hub.flush_interval,
    batchSize: hub.batch_size,
    spoolPath: hub.spool_path,
    spoolMaxRecords: hub.spool_max_records,
    credentialsRefreshMs: hub.credentials_refresh,
  }, {
    log: logOf("hub"),
    clock,
    observer: {
      delivered: () => {},
      deadLettered: () => {},
      dropped: (count) => metrics.usage.spoolDropped(count),
    },
  });
}
