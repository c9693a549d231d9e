/**
 * The headers of the router's own HTTP requests to a backend (spec §5).
 *
 * @module
 */

import type { BackendConfig, RealtimeAuth } from "./backend_config.ts";

/** What {@link backendHeaders} takes besides the backend. */
export interface BackendHeadersOptions {
  /** Sent as `User-Agent`. */
  readonly userAgent: string;
  /** The credential to use instead of the configured one (spec §9). @default {undefined} */
  readonly apiKey?: string | undefined;
}

/**
 * Names in lower case and values, for one backend: its credential, `OpenAI-Organization` and its
 * configured headers, which win over the others. The credential travels as it does when a session is
 * opened: as a bearer token, as `api-key`, or not at all. Holds secrets: never log it.
 */
export function backendHeaders(
  config: BackendConfig,
  options: BackendHeadersOptions,
): Map<string, string> {
  const headers = new Map([["user-agent", options.userAgent]]);
  if (config.orgId !== undefined) headers.set("openai-organization", config.orgId);
  setCredential(headers, { auth: config.realtimeAuth, apiKey: config.apiKey });
  for (const [name, value] of Object.entries(config.headers)) {
    headers.set(name.toLowerCase(), value);
  }
  // Last, since what a hub delivered goes before all that is configured (spec §9).
  setCredential(headers, { auth: config.realtimeAuth, apiKey: options.apiKey });
  return headers;
}

function setCredential(
  headers: Map<string, string>,
  { auth, apiKey }: { readonly auth: RealtimeAuth; readonly apiKey: string | undefined },
): void {
  if (apiKey === undefined) return;
  if (auth === "bearer") headers.set("authorization", `Bearer ${apiKey}`);
  if (auth === "api-key") headers.set("api-key", apiKey);
}
