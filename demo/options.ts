/**
 * How a demo backend is set up.
 *
 * @module
 */

import { type Dialect, OPENAI } from "./dialect.ts";

/** Longer timers fire at once. */
const MAX_TIMER_MS = 24 * 86_400_000;

/** Options of {@link startDemoBackend}. */
export interface DemoBackendOptions {
  /** 0 takes any free port. @default {0} */
  readonly port?: number;
  /** @default {"127.0.0.1"} */
  readonly hostname?: string;
  /** The key that requests must bring as `Authorization: Bearer`; without one everybody may come in. */
  readonly apiKey?: string;
  /** The models that sessions may ask for. @default {["demo-voice"]} */
  readonly models?: readonly string[];
  /** Milliseconds of conversation in one millisecond of the clock. @default {4} */
  readonly speed?: number;
  /** Certificate chain and private key in PEM; with them the backend speaks TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Sessions at a time; more are accepted, told so and closed with 1008. @default {256} */
  readonly maxSessions?: number;
  /** How long a session may last, by the clock; at most 24 days. @default {3_600_000} */
  readonly maxSessionMs?: number;
  /** How the backend words its events. @default {OPENAI} */
  readonly dialect?: Dialect;
}

/** The options with their defaults. */
export type DemoBackendSettings =
  & Required<Omit<DemoBackendOptions, "apiKey" | "tls">>
  & { readonly apiKey: string | null; readonly tls: DemoBackendOptions["tls"] | null };

/**
 * Fills in the defaults.
 *
 * @throws {RangeError} When a number is not possible.
 */
export function withDefaults(options: DemoBackendOptions): DemoBackendSettings {
  const settings: DemoBackendSettings = {
    port: 0,
    hostname: "127.0.0.1",
    models: ["demo-voice"],
    speed: 4,
    maxSessions: 256,
    maxSessionMs: 3_600_000,
    dialect: OPENAI,
    ...options,
    apiKey: options.apiKey ?? null,
    tls: options.tls ?? null,
  };
  for (const name of ["speed", "maxSessions", "maxSessionMs"] as const) {
    if (!(settings[name] > 0)) throw new RangeError(`Cannot start: ${name} must be above 0`);
  }
  if (settings.maxSessionMs > MAX_TIMER_MS) {
    throw new RangeError("Cannot start: maxSessionMs must be at most 24 days");
  }
  return settings;
}
