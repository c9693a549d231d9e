/**
 * Everything that dispatching plain HTTP requests needs, with a clock that stands still and a list of what was
 * recorded, for tests of whatever room.
 *
 * @module
 */

import { type KeyEntry, KeyRing, RateLimiter } from "../../src/auth/mod.ts";
import type { AskBackend, DispatchOptions, DispatchTimeouts } from "../../src/dispatch/mod.ts";
import type { UsageRecord } from "../../src/metering/mod.ts";
import { type Log, UNTRACED } from "../../src/observability/mod.ts";
import { compileOrigins, type CorsOptions } from "../../src/origin/mod.ts";
import { type Gate, Permits } from "../../src/realtime/mod.ts";
import {
  type Backend,
  type BackendConfig,
  BackendRegistry,
  Catalogue,
  createStrategy,
} from "../../src/routing/mod.ts";
import { FakeClock } from "./fake_clock.ts";
import { neverToBeLogged, watchLine } from "./log_watch.ts";

/** What a scenario may differ in. */
export interface ScenarioOptions {
  readonly backends: readonly BackendConfig[];
  readonly keys?: readonly Partial<KeyEntry>[];
  readonly mode?: "permissive" | "blocking";
  readonly timeouts?: Partial<DispatchTimeouts>;
  readonly cors?: Partial<CorsOptions>;
  /** Requests per minute of `key-1`. */
  readonly rateLimit?: number;
  /** Credentials that a hub delivered, by backend. */
  readonly credentials?: Readonly<Record<string, string>>;
}

/** Unix time of every scenario. */
export const UNIX_MS = Date.UTC(2026, 0, 2, 3, 4, 5);

/** See the module. */
export class DispatchScenario {
  readonly clock = new FakeClock();
  readonly registry: BackendRegistry;
  /** What requests are checked against, upgrades too. */
  readonly gate: Gate;
  readonly records: UsageRecord[] = [];
  /** What operators were told of failures. */
  readonly failures: (readonly [backend: string, message: string])[] = [];
  /** The messages that were logged as warnings, with their fields. */
  readonly warnings: Readonly<Record<string, unknown>>[] = [];
  /** Why callers counted as anonymous. */
  readonly anonymous: unknown[] = [];
  readonly #options: ScenarioOptions;

  constructor(options: ScenarioOptions) {
    const { rateLimit } = options;
    this.#options = options;
    neverToBeLogged(...Object.values(options.credentials ?? {}));
    this.registry = new BackendRegistry(options.backends);
    this.gate = {
      draining: false,
      keyRing: keyRing(options),
      rateLimiter: new RateLimiter(
        rateLimit === undefined ? [] : [{ keyId: "key-1", limitPerMinute: rateLimit }],
      ),
      originPolicy: { corsEnabled: false, matcher: compileOrigins([]).matcher },
      catalogue: new Catalogue([MODELS]),
      registry: this.registry,
      strategy: createStrategy("RoundRobin", { random: () => 0 }),
      permits: new Permits(8),
      now: this.clock.now,
      unixNow: () => UNIX_MS,
    };
  }

  backend(name: string): Backend {
    const backend = this.registry.get(name);
    if (backend === undefined) throw new Error(`no backend ${name}`);
    return backend;
  }

  /** What the routes are made of, given the client of the backends. */
  parts(ask: AskBackend): DispatchOptions {
    const { timeouts, cors, credentials = {} } = this.#options;
    return {
      gate: this.gate,
      settings: {
        timeouts: {
          standardTotalMs: 120_000,
          firstByteMs: 60_000,
          streamingTotalMs: 600_000,
          ...timeouts,
        },
        failureStatusCodes: new Set([500, 502, 503, 504]),
        cors: {
          enabled: false,
          matcher: compileOrigins([]).matcher,
          allowMethods: ["GET", "POST", "OPTIONS"],
          allowHeaders: ["authorization", "content-type"],
          exposeHeaders: ["x-request-id", "x-served-backend"],
          allowCredentials: false,
          maxAgeMs: 3_600_000,
          ...cors,
        },
      },
      ask,
      userAgent: "realtime-router/test",
      credentialOf: (backend) => credentials[backend],
      onBackendFailure: (...failure) => void this.failures.push(failure),
      usage: { record: (record) => void this.records.push(record) },
      clock: this.clock,
      log: this.#log,
      tracer: UNTRACED,
      clientAddressOf: () => "192.0.2.1",
    };
  }

  readonly #log: Log = {
    trace: () => {},
    debug: (message, fields) => {
      watchLine(JSON.stringify({ message, ...fields }));
      this.anonymous.push(fields?.["reason"]);
    },
    info: () => {},
    warn: (message, fields) => {
      watchLine(JSON.stringify({ message, ...fields }));
      this.warnings.push({ message, ...fields });
    },
    error: (message) => {
      throw new Error(`unexpected error in the log: ${message}`);
    },
  };
}

const MODELS = [
  { id: "voice", aliases: ["alias"], capabilities: ["audio", "text"], metadata: {} },
  {
    id: "org/talker",
    aliases: [],
    capabilities: ["text"],
    metadata: { display_name: "Talker" },
  },
];

function keyRing({ keys = [], mode = "permissive" }: ScenarioOptions): KeyRing {
  const entries = keys.map((key, index) => ({
    id: `key-${index + 1}`,
    key: `secret-${index + 1}`,
    enabled: true,
    allowedModels: [],
    allowedBackends: [],
    ...key,
  }));
  neverToBeLogged(...entries.flatMap(({ key }) => key ?? []));
  return new KeyRing(entries, { mode });
}
