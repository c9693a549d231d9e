/**
 * The one place that knows which HTTP status and error type an {@link ErrorCode} answers with
 * (spec §3 and §10). Everything else throws or returns a {@link RouterError} and stays ignorant of HTTP.
 *
 * @module
 */

/** Who is at fault: the caller, the backend, or the router itself. */
export type ErrorSource = "client" | "upstream" | "internal";

/** The `type` field of an error body, as the OpenAI SDKs know it. */
export type ErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "permission_error"
  | "rate_limit_error"
  | "service_unavailable"
  | "api_error";

interface ErrorAnswer {
  readonly status: number;
  readonly type: ErrorType;
}

/** Status and type of every error code. Adding a code without an answer does not compile. */
export const ERROR_ANSWERS = {
  host_not_allowed: { status: 403, type: "permission_error" },
  not_found: { status: 404, type: "invalid_request_error" },
  method_not_allowed: { status: 405, type: "invalid_request_error" },
  draining: { status: 503, type: "service_unavailable" },
  missing_api_key: { status: 401, type: "authentication_error" },
  invalid_api_key: { status: 401, type: "authentication_error" },
  expired_api_key: { status: 401, type: "authentication_error" },
  rate_limit_exceeded: { status: 429, type: "rate_limit_error" },
  upgrade_required: { status: 426, type: "invalid_request_error" },
  invalid_handshake: { status: 400, type: "invalid_request_error" },
  origin_not_allowed: { status: 403, type: "permission_error" },
  missing_model: { status: 400, type: "invalid_request_error" },
  invalid_model_parameter: { status: 400, type: "invalid_request_error" },
  model_not_allowed: { status: 403, type: "permission_error" },
  model_not_found: { status: 404, type: "invalid_request_error" },
  audio_not_supported: { status: 400, type: "invalid_request_error" },
  backend_not_allowed: { status: 403, type: "permission_error" },
  no_available_backend: { status: 503, type: "service_unavailable" },
  session_limit_reached: { status: 503, type: "service_unavailable" },
  invalid_request: { status: 400, type: "invalid_request_error" },
  request_timeout: { status: 408, type: "invalid_request_error" },
  request_too_large: { status: 413, type: "invalid_request_error" },
  request_header_too_large: { status: 431, type: "invalid_request_error" },
  connection_limit_reached: { status: 503, type: "service_unavailable" },
  admin_not_allowed: { status: 403, type: "permission_error" },
  upstream_error: { status: 502, type: "api_error" },
  upstream_timeout: { status: 504, type: "api_error" },
  internal_error: { status: 500, type: "api_error" },
} as const satisfies Record<string, ErrorAnswer>;

/** A stable, machine-readable reason for a refusal or failure: the `code` field of the error body. */
export type ErrorCode = keyof typeof ERROR_ANSWERS;

/** What a {@link RouterError} may carry besides its code and message. */
export interface RouterErrorOptions {
  /** The request parameter at fault, for the body's `param`. @default {null} */
  readonly param?: string | null;
  /** Extra response headers, such as `Allow` or `Retry-After`. @default {{}} */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default {"client"} */
  readonly source?: ErrorSource;
  /** What went wrong underneath. Logged, never shown to a caller. */
  readonly cause?: unknown;
}

/** An error with an answer: `message` is shown to the caller and must hold no secret and no backend host. */
export class RouterError extends Error {
  override readonly name = "RouterError";
  readonly code: ErrorCode;
  readonly source: ErrorSource;
  readonly param: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: RouterErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.source = options.source ?? "client";
    this.param = options.param ?? null;
    this.headers = options.headers ?? {};
  }

  /** HTTP status of this error (spec §3, §10). */
  get status(): number {
    return ERROR_ANSWERS[this.code].status;
  }
}

/** The JSON error body of spec §10. */
export interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: ErrorType;
    readonly code: ErrorCode;
    readonly param: string | null;
  };
}

/** Builds the body that a caller sees for `error`. */
export function errorBody(error: RouterError): ErrorBody {
  const { message, code, param } = error;
  return { error: { message, type: ERROR_ANSWERS[code].type, code, param } };
}
