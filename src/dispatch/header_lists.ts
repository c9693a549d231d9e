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
  headers.set("content-type", bodyType(clientHeaders.get("content-type")));
  if (marked) headers.delete("traceparent");
  headers.set("x-request-id", requestId);
  for (const [name, value] of backendHeaders(backend.config, rest)) headers.set(name, value);
  // The answer passes as it is, so that it must come as the client can read it.
  headers.set("accept-encoding", "identity");
  return headers;
}

const JSON_TYPE = "application/json";
/** JSON, also under a name of its own (RFC 6839 §3.1), in UTF-8. */
const SAYS_JSON = /^application\/(?:json|[\w.!#$&^-]+\+json)(?:\s*;\s*charset="?utf-8"?)?$/i;

/**
 * The client's own word for the body where it says what the body was read as. Under another name, such as a
 * form or JSON in UTF-16, a backend could read another model in it than the one that was checked.
 */
function bodyType(said: string | null): string {
  return said !== null && SAYS_JSON.test(said) ? said : JSON_TYPE;
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
