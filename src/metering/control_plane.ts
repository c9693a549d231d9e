/**
 * The control plane (spec §9): usage records to a hub, credentials from it.
 *
 * @module
 */

import type { Log } from "../observability/mod.ts";
import { Credentials } from "./credentials.ts";
import { GroupCommit } from "./group_commit.ts";
import { type Fetch, HubClient } from "./hub_client.ts";
import type { HubClock } from "./hub_clock.ts";
import { HubDelivery } from "./hub_delivery.ts";
import type { UsageSink } from "./usage_record.ts";

/** The section `control_plane` of the configuration, enabled. */
export interface ControlPlaneSettings {
  /** Base URL of the hub; may have a path. */
  readonly url: string;
  /** Bearer token for the hub. */
  readonly token: string;
  /** Name of this router at the hub. */
  readonly routerId: string;
  /** Time between two batches when the hub keeps up. */
  readonly flushIntervalMs: number;
  /** Records of a batch at most. */
  readonly batchSize: number;
  /** The database in which records wait. */
  readonly spoolPath: string;
  /** Records that may wait; one more drops the oldest. The same number of dead letters is kept. */
  readonly spoolMaxRecords: number;
  /** Time between two requests for credentials. */
  readonly credentialsRefreshMs: number;
}

/** Told what becomes of records, for the metrics. */
export interface ControlPlaneObserver {
  /** The hub has them. */
  delivered(count: number): void;
  /** The hub refused them; they are in the dead-letter table. */
  deadLettered(count: number): void;
  /** Lost, for `usage_spool_dropped_total`: the oldest of a full spool, or what it could not take. */
  dropped(count: number): void;
}

/** What a control plane works with. */
export interface ControlPlaneOptions {
  readonly log: Log;
  readonly clock: HubClock;
  readonly observer: ControlPlaneObserver;
  /** Milliseconds since 1970. @default {Date.now} */
  readonly unixNow?: () => number;
  /** For the jitter. @default {Math.random} */
  readonly random?: () => number;
  /** @default {fetch} which trusts what the runtime trusts, see `DENO_TLS_CA_STORE` */
  readonly fetch?: Fetch;
}

/** A control plane that works. */
export interface ControlPlane {
  /** Takes records for the hub. */
  readonly sink: UsageSink;
  /** Records that wait for the hub, dead letters not among them. */
  readonly pending: number;
  /** Dead letters that are kept. */
  readonly deadLetters: number;
  /** The key that the hub delivered for a backend, which goes before the configured one. */
  credentialOf(backend: string): string | undefined;
  /** Commits what was recorded, sends what waits for at most 5 s, and stops. Idempotent. */
  close(): Promise<void>;
}

/** The start waits so long for the first credentials: a backend may know no others. In milliseconds. */
const FIRST_CREDENTIALS_MS = 2_000;
/** The most time that the end takes for sending, in milliseconds. */
const LAST_FLUSH_MS = 5_000;

/**
 * Opens the spool, asks for credentials and begins to send.
 *
 * @throws {SpoolError} When the spool cannot be opened; the message is one line for the operator.
 */
export async function startControlPlane(
  settings: ControlPlaneSettings,
  options: ControlPlaneOptions,
): Promise<ControlPlane> {
  const { log, clock, observer } = options;
  const { unixNow = Date.now, random = Math.random, fetch = globalThis.fetch } = options;
  // Here and not above, so that a router without a control plane does not load SQLite.
  const { openSpool } = await import("./open_spool.ts");
  const spool = await openSpool(settings.spoolPath, { maxRecords: settings.spoolMaxRecords });
  const onDropped = (count: number) => observer.dropped(count);
  if (spool.droppedAtOpening > 0) onDropped(spool.droppedAtOpening);
  const hub = new HubClient({ ...settings, clock, unixNow, fetch });
  const commit = new GroupCommit({ spool, clock, random, log, onDropped });
  const delivery = new HubDelivery({
    ...settings,
    spool,
    hub,
    clock,
    unixNow,
    random,
    log,
    onDelivered: (count) => observer.delivered(count),
    onDeadLettered: (count) => observer.deadLettered(count),
    onDropped,
  });
  const credentials = new Credentials({
    hub,
    refreshMs: settings.credentialsRefreshMs,
    clock,
    random,
    log,
  });
  delivery.start();
  await atMost(FIRST_CREDENTIALS_MS, { work: credentials.start(), clock });
  const end = async () => {
    await commit.close();
    await credentials.close();
    await delivery.close(LAST_FLUSH_MS);
    if (spool.size > 0) log.warn("usage records stay in the spool", { records: spool.size });
    await spool.close();
  };
  let ending: Promise<void> | undefined;
  return {
    sink: commit,
    get pending() {
      return commit.waiting + spool.size;
    },
    get deadLetters() {
      return spool.deadLetters;
    },
    credentialOf: (backend) => credentials.of(backend),
    close: () => ending ??= end(),
  };
}

/** Resolves when `work` does, or after `ms`. */
async function atMost(
  ms: number,
  { work, clock }: { readonly work: Promise<void>; readonly clock: HubClock },
): Promise<void> {
  const late = Promise.withResolvers<void>();
  using _timer = clock.after(ms, () => late.resolve());
  await Promise.race([work, late.promise]);
}
