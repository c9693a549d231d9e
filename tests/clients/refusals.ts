/**
 * Every refusal that a single request can bring about, as curl asks for it, and the configuration that it
 * needs: those of upgrades, and the one of a body that is late.
 *
 * @module
 */

import { MODEL } from "../support/test_router.ts";
import type { Mode } from "./mode.ts";
import { UPGRADE } from "./curl.ts";

/** One of them. */
export interface Refusal {
  readonly code: string;
  /** @default {"/v1/realtime?model=demo-voice"} */
  readonly target?: string;
  /** The key; null for none. @default {"sk-full"} */
  readonly key?: string | null;
  /** @default those of an upgrade */
  readonly headers?: readonly string[];
  /** More arguments. @default {[]} */
  readonly args?: readonly string[];
  /** How often it is asked; the last answer counts. @default {1} */
  readonly times?: number;
  /** Whether it comes only where keys are asked for. @default {false} */
  readonly needsKeys?: boolean;
}

/** Where nobody listens. */
const DEAD_PORT = 1;

const model = (name: string) => `/v1/realtime?model=${name}`;
const changed = (from: string, to: string) => UPGRADE.map((line) => line.replace(from, to));

/** In the order of the checks. */
export const REFUSALS: readonly Refusal[] = [
  { code: "invalid_request", args: ["--request-target", "v1/realtime"] },
  { code: "host_not_allowed", headers: [...UPGRADE, "Host: rebound.test"] },
  { code: "not_found", target: "/v1/unknown" },
  { code: "method_not_allowed", args: ["-X", "POST", "-d", ""] },
  { code: "missing_api_key", key: null, needsKeys: true },
  { code: "invalid_api_key", key: "sk-unknown", needsKeys: true },
  { code: "expired_api_key", key: "sk-expired", needsKeys: true },
  { code: "rate_limit_exceeded", key: "sk-slow", target: model("of-nobody"), times: 2 },
  { code: "upgrade_required", headers: [] },
  { code: "invalid_handshake", headers: changed("dGhl", "") },
  { code: "origin_not_allowed", headers: [...UPGRADE, "Origin: https://elsewhere.test"] },
  { code: "missing_model", target: "/v1/realtime" },
  { code: "invalid_model_parameter", target: `${model(MODEL)}&model=another` },
  { code: "model_not_allowed", key: "sk-another-model" },
  { code: "model_not_found", target: model("of-nobody") },
  { code: "audio_not_supported", target: model("silent") },
  { code: "backend_not_allowed", key: "sk-another-backend" },
  // The first finds out that nobody is there, which opens the circuit.
  { code: "no_available_backend", target: model("dead-voice"), times: 2 },
  // A body that does not become whole.
  {
    code: "request_timeout",
    target: "/v1/chat/completions",
    headers: [],
    args: ["--limit-rate", "1", "-d", "x".repeat(100)],
  },
  { code: "request_header_too_large", headers: [...UPGRADE, `X-Long: ${"x".repeat(20_000)}`] },
];

/** Sections of the configuration. */
export function refusalConfig(backendPort: number, { blocking }: Mode): string {
  return `
api_keys:
  mode: ${blocking ? "blocking" : "permissive"}
  api_keys:
    - { id: full, key: sk-full }
    - { id: expired, key: sk-expired, expires_at: "2020-01-01T00:00:00Z" }
    - { id: slow, key: sk-slow, rate_limit: 1 }
    - { id: model, key: sk-another-model, allowed_models: [another] }
    - { id: backend, key: sk-another-backend, allowed_backends: [dead] }
circuit_breaker: { failure_threshold: 1 }
timeouts: { request: { standard: { total: "500ms" } } }
backends:
  - name: demo
    url: "http://127.0.0.1:${backendPort}"
    models: [${MODEL}, silent]
    model_configs: [{ id: ${MODEL}, metadata: { capabilities: [audio] } }]
  - name: dead
    url: "http://127.0.0.1:${DEAD_PORT}"
    models: [dead-voice]
    model_configs: [{ id: dead-voice, metadata: { capabilities: [audio] } }]
`;
}
