/**
 * Where a backend is reached, for realtime, HTTP and health checks (spec §5).
 *
 * @module
 */

/** A connection's target. Its path is without a query. */
export interface BackendTarget {
  /** TLS or not. */
  readonly secure: boolean;
  /** For connecting: IPv6 without brackets. */
  readonly hostname: string;
  readonly port: number;
  readonly path: string;
  /** Value of the `Host` header: IPv6 in brackets, a default port left out. */
  readonly hostHeader: string;
}

/** What {@link realtimeTarget} takes besides the backend's URL. */
export interface RealtimePaths {
  /** `realtime.backend_path`. */
  readonly backendPath: string;
  /** `backends[].realtime.path`, which replaces the URL's own path as well. @default {undefined} */
  readonly overridePath?: string | undefined;
}

const SECURE: ReadonlyMap<string, boolean> = new Map([
  ["http:", false],
  ["ws:", false],
  ["https:", true],
  ["wss:", true],
]);

/**
 * The realtime endpoint of the backend at `url`; `http` stands for `ws` and `https` for `wss`.
 *
 * @throws {TypeError} as {@link parseBackendUrl}, or when a path does not start with `/` or has a query.
 */
export function realtimeTarget(url: string, paths: RealtimePaths): BackendTarget {
  const base = parseBackendUrl(url);
  const { backendPath, overridePath } = paths;
  const path = overridePath === undefined
    ? joinPaths(base.pathname, checkedPath(backendPath))
    : checkedPath(overridePath);
  return targetOf(base, path);
}

/**
 * An HTTP endpoint (a route or a health check) of the backend at `url`; `ws` stands for `http` and `wss`
 * for `https`.
 *
 * @throws {TypeError} as {@link realtimeTarget}.
 */
export function httpTarget(url: string, path: string): BackendTarget {
  const base = parseBackendUrl(url);
  return targetOf(base, joinPaths(base.pathname, checkedPath(path)));
}

/** The `http` or `https` URL of a target, for `fetch`. */
export function httpUrl(target: BackendTarget): string {
  return `${target.secure ? "https" : "http"}://${target.hostHeader}${target.path}`;
}

/**
 * Parses a backend's `url`.
 *
 * @throws {TypeError} when it is not an absolute http, https, ws or wss URL, or has credentials, a query
 * or a fragment. The message does not repeat the URL, which may hold a secret.
 */
export function parseBackendUrl(url: string): URL {
  const parsed = URL.parse(url);
  if (parsed === null || !SECURE.has(parsed.protocol)) {
    throw new TypeError("Backend URL must be an absolute http, https, ws or wss URL");
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw new TypeError("Backend URL must not hold credentials; use api_key or headers");
  }
  // The text, since an empty query or fragment leaves no trace in the parsed URL.
  if (/[?#]/.test(url)) throw new TypeError("Backend URL must not have a query or a fragment");
  return parsed;
}

/** Joins without doubling a version that both have: `/openai/v1` and `/v1/realtime`. */
function joinPaths(base: string, path: string): string {
  const trimmed = base.replace(/\/+$/, "");
  const last = trimmed.slice(trimmed.lastIndexOf("/") + 1);
  const first = path.slice(1).split("/", 1)[0] ?? "";
  const shared = last === first && /^v[0-9]+[a-z0-9]*$/.test(last);
  return shared ? trimmed + path.slice(first.length + 1) : trimmed + path;
}

function checkedPath(path: string): string {
  if (!path.startsWith("/")) throw new TypeError("Backend path must start with a slash");
  if (/[?#]/.test(path)) throw new TypeError("Backend path must not have a query or a fragment");
  return path;
}

function targetOf(base: URL, path: string): BackendTarget {
  const secure = SECURE.get(base.protocol) === true;
  // Through the URL parser once more: dots resolved, everything unprintable encoded. Not by a relative
  // reference, where a path that starts with two slashes would name another host.
  const normal = new URL(base);
  normal.pathname = path;
  return {
    secure,
    hostname: base.hostname.replace(/^\[|\]$/g, ""),
    port: base.port === "" ? (secure ? 443 : 80) : Number(base.port),
    path: normal.pathname,
    hostHeader: base.host,
  };
}
