/**
 * Calls of the admin routes.
 *
 * @module
 */

import type { Backend, RunningSession, Statistics, UsageRecord } from "./admin_types.ts";
import { type AuthScheme, type Credential, credentialHeaders, schemeOf } from "./credential.ts";

/** A refusal of the router. */
export class AdminError extends Error {
  override readonly name = "AdminError";
  readonly status: number;
  /** The `code` of the error body; empty when there was none. */
  readonly code: string;
  /** What a 401 asks for. */
  readonly scheme: AuthScheme;

  constructor(
    status: number,
    options: { readonly code: string; readonly message: string; readonly scheme: AuthScheme },
  ) {
    super(options.message);
    this.status = status;
    this.code = options.code;
    this.scheme = options.scheme;
  }
}

/** How many usage records the page begins with. */
const USAGE_LIMIT = 100;

/** See the module. All calls use the credential that was set last. */
export class AdminApi {
  credential: Credential | null = null;
  readonly #fetch: typeof fetch;

  constructor(fetchIt: typeof fetch) {
    this.#fetch = fetchIt;
  }

  async statistics(signal: AbortSignal): Promise<Statistics> {
    return await this.#json("/admin/stats", { signal });
  }

  async backends(signal: AbortSignal): Promise<readonly Backend[]> {
    const { backends } = await this.#json<{ backends: readonly Backend[] }>("/admin/backends", {
      signal,
    });
    return backends;
  }

  /** Newest first. */
  async sessions(signal: AbortSignal): Promise<readonly RunningSession[]> {
    const { sessions } = await this.#json<{ sessions: readonly RunningSession[] }>(
      "/admin/sessions",
      { signal },
    );
    return sessions;
  }

  /** Newest first. */
  async usage(signal: AbortSignal): Promise<readonly UsageRecord[]> {
    const { records } = await this.#json<{ records: readonly UsageRecord[] }>(
      `/admin/usage?limit=${USAGE_LIMIT}`,
      { signal },
    );
    return records;
  }

  /** The stream of `/admin/events`. */
  async events(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.#call("/admin/events", { signal });
    if (body === null) throw new TypeError("the stream of events has no body");
    return body;
  }

  /** Ends a session. One that has ended already is no error. */
  async endSession(id: string): Promise<void> {
    try {
      await this.#json(`/admin/sessions/${encodeURIComponent(id)}`, { method: "DELETE" });
    } catch (error) {
      if (!(error instanceof AdminError && error.status === 404)) throw error;
    }
  }

  /** Closes a backend's circuit. */
  async resetCircuit(backend: string): Promise<void> {
    const path = `/admin/backends/${encodeURIComponent(backend)}/circuit/reset`;
    await this.#json(path, { method: "POST" });
  }

  async #json<T>(path: string, init: RequestInit): Promise<T> {
    return await (await this.#call(path, init)).json();
  }

  async #call(path: string, init: RequestInit): Promise<Response> {
    const response = await this.#fetch(path, {
      ...init,
      headers: credentialHeaders(this.credential),
      // Without it a browser asks for a password by itself, and keeps it.
      credentials: "omit",
      cache: "no-store",
    });
    if (response.ok) return response;
    throw await refusalOf(response);
  }
}

async function refusalOf(response: Response): Promise<AdminError> {
  const scheme = schemeOf(response.headers.get("www-authenticate"));
  try {
    const { error } = await response.json();
    return new AdminError(response.status, { code: error.code, message: error.message, scheme });
  } catch {
    const message = `The router answered ${response.status}`;
    return new AdminError(response.status, { code: "", message, scheme });
  }
}
