/**
 * Which headers pass (spec §5, §11). Everything that is not listed stays behind: credentials, cookies and
 * origins of the client, and whatever a backend sets that would mean something for the router's own host.
 *
 * @module
 */

import { type Backend, backendHeaders } from "../routing/mod.ts";

const FORWARDED = [
  "accept",
  "openai-beta",
  "openai-safety-identifier",
  "traceparent",
  "tracestate",
] as const;

/** What {@link requestHeaders} puts in besides. */
export interface RequestHeadersOptions {
  readonly clientHeaders: Headers;
  readonly requestId: string;
  readonly userAgent: string;
  /** Leaves the client's `traceparent` out: what sends the request adds one. @default {false} */
  readonly marked?: boolean;
  /** The credential to use instead of the configured one (spec §9). */
  readonly apiKey: string | undefined;
}

/** The headers that a backend gets. */
export function requestHeaders(backend: Backend, options: RequestHeadersOptions): Headers {
  const { clientHeaders, requestId, marked = false, ...rest } = options;
  const headers = new Headers();
  for (const name of FORWARDED) {
    const value = clientHeaders.get(name);
    if (value !== null) headers.set(name, value);
  }
  // Never the client's: a backend that took the body for something else would read another model in it.
  headers.set("content-type", "application/json");
  if (marked) headers.delete("traceparent");
  headers.set("x-request-id", requestId);
  for (const [name, value] of backendHeaders(backend.config, rest)) headers.set(name, value);
  // The answer passes as it is, so that it must come as the client can read it.
  headers.set("accept-encoding", "identity");
  return headers;
}

/** `content-encoding` only appears when a backend encodes though it was asked not to; its bytes pass then. */
const RETURNED: ReadonlySet<string> = new Set([
  "content-type",
  "content-length",
  "content-encoding",
  "retry-after",
]);
const RETURNED_PREFIXES = ["openai-", "x-ratelimit-"] as const;

/** The headers of an answer that the client gets. */
export function answerHeaders(upstream: Headers, options: { readonly backend: string }): Headers {
  const headers = new Headers();
  for (const [name, value] of upstream) {
    if (RETURNED.has(name) || RETURNED_PREFIXES.some((prefix) => name.startsWith(prefix))) {
      headers.append(name, value);
    }
  }
  headers.set("x-served-backend", options.backend);
  return headers;
}
