/**
 * A backend as it is configured. What it does at the moment belongs to the live `Backend`.
 *
 * @module
 */

import type { BreakerOptions } from "./breaker.ts";
import type { HealthOptions } from "./health.ts";
import type { ModelDescription } from "./model_entry.ts";

/** The kind of server; decides nothing in routing. */
export type BackendType = "openai" | "vllm" | "ollama" | "localai" | "generic";

/** How a backend's credential is sent on realtime connections. */
export type RealtimeAuth = "bearer" | "api-key" | "none";

/** One entry of `backends`, defaults applied. Holds secrets: never log it whole. */
export interface BackendConfig {
  /** Unique. */
  readonly name: string;
  /** http, https, ws or wss; may have a path. */
  readonly url: string;
  readonly type: BackendType;
  /** Secret. @default {undefined} none is sent */
  readonly apiKey?: string | undefined;
  /** Sent as `OpenAI-Organization`. */
  readonly orgId?: string | undefined;
  /** Extra headers to this backend; may hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** For WeightedRoundRobin; 0 takes a backend out of turn unless all have it. */
  readonly weight: number;
  /** Undefined: discovered from the backend. */
  readonly models?: readonly string[] | undefined;
  readonly modelConfigs: readonly ModelDescription[];
  /** `realtime.path`, in place of `realtime.backend_path`. */
  readonly realtimePath?: string | undefined;
  readonly realtimeAuth: RealtimeAuth;
  /** `health_check.endpoint`, or the global one when the file sets it. Undefined: the defaults of spec §5. */
  readonly healthEndpoint?: string | undefined;
  /** Of one probe. */
  readonly healthTimeoutMs: number;
  readonly health: HealthOptions;
  readonly breaker: BreakerOptions;
}
