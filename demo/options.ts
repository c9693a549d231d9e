/**
 * How a demo backend is set up.
 *
 * @module
 */

import type { Dialect } from "./dialect.ts";
import { OPENAI } from "./dialects/openai.ts";
import type { Keepalive } from "./pings.ts";
import type { UpgradeFault } from "./upgrade_fault.ts";

/** Longer timers fire at once. */
const MAX_TIMER_MS = 24 * 86_400_000;

/** Options of {@link startDemoBackend}. */
export interface DemoBackendOptions {
  /** 0 takes any free port. @default {0} */
  readonly port?: number;
  /** @default {"127.0.0.1"} */
  readonly hostname?: string;
  /** The key that requests must bring where the dialect wants it; without one everybody may come in. */
  readonly apiKey?: string;
  /** The models that sessions may ask for. @default {["demo-voice"]} */
  readonly models?: readonly string[];
  /** Milliseconds of conversation in one millisecond of the clock. @default {4} */
  readonly speed?: number;
  /** Certificate chain and private key in PEM; with them the backend speaks TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Sessions at a time; more are accepted, told so and closed. @default {dialect.maxSessions} */
  readonly maxSessions?: number;
  /** How long a session may last, by the clock; at most 24 days. @default {3_600_000} */
  readonly maxSessionMs?: number;
  /** Which kind of backend this is. @default {OPENAI} */
  readonly dialect?: Dialect;
  /** Milliseconds since 1970; sessions show it. @default {Date.now} */
  readonly now?: () => number;
  /** Answers every upgrade badly. */
  readonly upgradeFault?: UpgradeFault;
  /** Masks what it sends, which only clients may. @default {false} */
  readonly masksFrames?: boolean;
  /** Pings without end. @default {false} */
  readonly floodsWithPings?: boolean;
  /** Pings now and then, and ends the connection when nothing comes back. */
  readonly keepalive?: Keepalive;
}

/** The options with their defaults. */
export type DemoBackendSettings = {
  readonly [K in keyof DemoBackendOptions]-?:
    | Required<DemoBackendOptions>[K]
    | (K extends OptionalName ? null : never);
};

/** Those that may stay away. */
type OptionalName = "apiKey" | "tls" | "upgradeFault" | "keepalive";

/**
 * Fills in the defaults.
 *
 * @throws {RangeError} When a number is not possible.
 */
export function withDefaults(options: DemoBackendOptions): DemoBackendSettings {
  const { dialect = OPENAI } = options;
  const settings: DemoBackendSettings = {
    port: 0,
    hostname: "127.0.0.1",
    models: ["demo-voice"],
    speed: 4,
    maxSessions: dialect.maxSessions,
    maxSessionMs: 3_600_000,
    dialect,
    now: Date.now,
    masksFrames: false,
    floodsWithPings: false,
    ...options,
    apiKey: options.apiKey ?? null,
    tls: options.tls ?? null,
    upgradeFault: options.upgradeFault ?? null,
    keepalive: options.keepalive ?? null,
  };
  for (const name of ["speed", "maxSessions", "maxSessionMs"] as const) {
    if (!(settings[name] > 0)) throw new RangeError(`Cannot start: ${name} must be above 0`);
  }
  if (settings.maxSessionMs > MAX_TIMER_MS) {
    throw new RangeError("Cannot start: maxSessionMs must be at most 24 days");
  }
  return settings;
}
