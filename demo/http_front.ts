/**
 * What the backend answers over plain HTTP, and whom it lets upgrade. Pure.
 *
 * @module
 */

import type { Admission } from "./admission.ts";
import type { Dialect, KeyPlace } from "./dialect.ts";

/** A request, as far as the answer depends on it. */
export interface FrontRequest {
  readonly method: string;
  /** The request target, in origin form. */
  readonly target: string;
  readonly headers: Headers;
  /** Whether it asks to become a WebSocket. */
  readonly upgrade: boolean;
}

/** What the backend offers. */
export interface FrontOptions {
  readonly apiKey: string | null;
  readonly models: readonly string[];
  readonly dialect: Dialect;
}

/** An HTTP answer with a JSON body. */
export interface FrontAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Either an answer, or an upgrade, of a session or for a farewell. */
export type FrontDecision =
  | { readonly kind: "answer"; readonly answer: FrontAnswer }
  | {
    readonly kind: "upgrade";
    readonly admission: Exclude<Admission, { readonly kind: "refusal" }>;
  };

/** Decides about one request: path, then key, then method, then the rest. */
export function decide(request: FrontRequest, options: FrontOptions): FrontDecision {
  const url = URL.parse(request.target, "http://backend");
  if (url === null) return refusal(400, "invalid_request", "The request target is not a URL.");
  const { pathname } = url;
  const { dialect } = options;
  const realtime = dialect.servesPath(pathname);
  if (pathname === "/health") return answer(200, { status: "ok" });
  if (!realtime && pathname !== "/v1/models") {
    return refusal(404, "not_found", "There is nothing at this path.");
  }
  if (!hasKey(request, url, options)) {
    if (dialect.refusesSilently) return emptyAnswer(403);
    return refusal(401, "invalid_api_key", "Incorrect API key provided.");
  }
  if (request.method !== "GET") {
    return refusal(405, "method_not_allowed", "Only GET is possible here.", { allow: "GET" });
  }
  return realtime ? decideUpgrade(request, url, options) : answer(200, modelList(options.models));
}

function decideUpgrade(request: FrontRequest, url: URL, options: FrontOptions): FrontDecision {
  if (!request.upgrade) {
    const headers = { connection: "upgrade", upgrade: "websocket" };
    return refusal(426, "upgrade_required", "This path speaks WebSocket.", headers);
  }
  const { dialect, models } = options;
  const admission = dialect.admit(url.searchParams.getAll("model"), models);
  if (admission.kind !== "refusal") return { kind: "upgrade", admission };
  const { status, error } = admission;
  return error === null ? emptyAnswer(status) : refusal(status, error.code, error.message);
}

function hasKey(request: FrontRequest, url: URL, { apiKey, dialect }: FrontOptions): boolean {
  const { keyPlaces } = dialect;
  if (apiKey === null || keyPlaces.length === 0) return true;
  return keyPlaces.some((place) => keyAt(place, request.headers, url) === apiKey);
}

function keyAt(place: KeyPlace, headers: Headers, url: URL): string | null {
  switch (place) {
    case "bearer":
      return /^Bearer (.*)$/.exec(headers.get("authorization") ?? "")?.[1] ?? null;
    case "query":
      return url.searchParams.get("api_key");
    default:
      return headers.get(place);
  }
}

/** An answer to an upgrade request that nothing is wrong with. */
export function faultyAnswer(status: number): FrontDecision {
  const headers: Record<string, string> = status === 503 ? { "retry-after": "1" } : {};
  return refusal(status, "fault", "This backend refuses on purpose.", headers);
}

function modelList(models: readonly string[]): object {
  const data = models.map((id) => ({ id, object: "model", created: 0, owned_by: "demo" }));
  return { object: "list", data };
}

function answer(status: number, json: object, headers: Record<string, string> = {}): FrontDecision {
  const body = JSON.stringify(json);
  const length = String(new TextEncoder().encode(body).length);
  const all = { "content-type": "application/json", "content-length": length, ...headers };
  return { kind: "answer", answer: { status, headers: all, body } };
}

function emptyAnswer(status: number): FrontDecision {
  return { kind: "answer", answer: { status, headers: { "content-length": "0" }, body: "" } };
}

function refusal(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): FrontDecision {
  const error = { message, type: "invalid_request_error", code, param: null };
  return answer(status, { error }, headers);
}
