/**
 * What the backend answers over plain HTTP, and whom it lets upgrade. Pure.
 *
 * @module
 */

/** A request, as far as the answer depends on it. */
export interface FrontRequest {
  readonly method: string;
  /** The request target, in origin form. */
  readonly target: string;
  readonly authorization: string | null;
  /** Whether it asks to become a WebSocket. */
  readonly upgrade: boolean;
}

/** What the backend offers. */
export interface FrontOptions {
  readonly apiKey: string | null;
  readonly models: readonly string[];
}

/** An HTTP answer with a JSON body. */
export interface FrontAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Either an answer, or the upgrade of a session with that model. */
export type FrontDecision =
  | { readonly kind: "answer"; readonly answer: FrontAnswer }
  | { readonly kind: "upgrade"; readonly model: string };

/** Decides about one request: path, then key, then method, then the rest. */
export function decide(request: FrontRequest, options: FrontOptions): FrontDecision {
  const url = URL.parse(request.target, "http://backend");
  if (url === null) return refusal(400, "invalid_request", "The request target is not a URL.");
  const { pathname } = url;
  const realtime = pathname.endsWith("/realtime");
  if (pathname === "/health") return answer(200, { status: "ok" });
  if (!realtime && pathname !== "/v1/models") {
    return refusal(404, "not_found", "There is nothing at this path.");
  }
  if (options.apiKey !== null && request.authorization !== `Bearer ${options.apiKey}`) {
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
  const [model, ...others] = url.searchParams.getAll("model");
  if (model === undefined || others.length > 0) {
    return refusal(400, "invalid_model", "Exactly one model parameter is needed.");
  }
  if (!options.models.includes(model)) {
    return refusal(404, "model_not_found", "There is no such model.");
  }
  return { kind: "upgrade", model };
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

function refusal(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): FrontDecision {
  const error = { message, type: "invalid_request_error", code, param: null };
  return answer(status, { error }, headers);
}
