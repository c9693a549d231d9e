/**
 * The upgrade request that a backend gets (spec §5): its own credential, and of the client's headers
 * only those on the list.
 *
 * @module
 */

import { type Backend, backendHeaders, realtimeTarget, withModel } from "../routing/mod.ts";
import type { DialTarget } from "../wire/mod.ts";

/** Headers of the client that go on. Never its credentials, cookies, Origin or subprotocols. */
const FORWARDED = ["openai-beta", "openai-safety-identifier", "traceparent", "tracestate"] as const;

/** What {@link backendRequest} puts into the request. */
export interface BackendRequestOptions {
  readonly backendPath: string;
  readonly userAgent: string;
  readonly requestId: string;
  readonly dispatchModel: string;
  /** The client's own query. */
  readonly rawQuery: string;
  readonly clientHeaders: Headers;
  /** Instead of the client's. @default {undefined} the client's goes on */
  readonly traceparent?: string | undefined;
  /** The credential to use instead of the configured one (spec §9). @default {undefined} */
  readonly apiKey?: string | undefined;
}

/** Where a session's backend connection goes and what its request says. */
export function backendRequest(backend: Backend, options: BackendRequestOptions): DialTarget {
  const { config } = backend;
  const target = realtimeTarget(config.url, {
    backendPath: options.backendPath,
    overridePath: config.realtimePath,
  });
  const headers = backendHeaders(config, options);
  const ofClient = new Map<string, string>();
  for (const name of FORWARDED) {
    const value = options.clientHeaders.get(name);
    if (value !== null) ofClient.set(name, value);
  }
  if (options.traceparent !== undefined) ofClient.set("traceparent", options.traceparent);
  ofClient.set("x-request-id", options.requestId);
  for (const [name, value] of ofClient) {
    if (!headers.has(name)) headers.set(name, value);
  }
  return {
    ...target,
    path: `${target.path}?${withModel(options.rawQuery, options.dispatchModel)}`,
    headers: [...headers],
  };
}
