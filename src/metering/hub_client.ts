/**
 * The two requests to the hub (spec §9, `docs/control-plane.md`). No answer of the hub is ever logged.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { readBoundedBody } from "./bounded_body.ts";
import type { HubClock } from "./hub_clock.ts";
import { retryAfterMs } from "./retry_after.ts";

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What a {@link HubClient} works with. */
export interface HubClientOptions {
  /** Base URL of the hub; may have a path. */
  readonly url: string;
  /** Bearer token. */
  readonly token: string;
  readonly routerId: string;
  readonly clock: HubClock;
  /** Milliseconds since 1970. */
  readonly unixNow: () => number;
  readonly fetch: Fetch;
}

/** A batch ready to be sent. */
export interface UsageBatch {
  /** Follows from the records: the same ones have the same id, also after a restart. */
  readonly id: string;
  /** The body of the request. */
  readonly body: string;
}

/** Why a request brought nothing, in words that may be logged. */
export interface HubFailure {
  readonly kind: "failed";
  /** `unreachable`, `timeout`, `stopped`, `status 503`, `answer too large` or `answer invalid`. */
  readonly cause: string;
  /** What the hub asked for, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** What became of a batch. */
export type SendOutcome =
  | { readonly kind: "accepted" }
  /** The hub will never take it: 4xx other than 408 and 429. */
  | { readonly kind: "refused"; readonly status: number }
  | HubFailure;

/** The hub's credentials as it wrote them, or why there are none. */
export type CredentialsAnswer = { readonly kind: "answer"; readonly text: string } | HubFailure;

/** A request takes at most this long, in milliseconds. */
export const REQUEST_TIMEOUT_MS = 30_000;
/** An answer with credentials has at most this many bytes. */
export const MAX_CREDENTIALS_BYTES = 1024 * 1024;
/** Refusals that another try may change. */
const RETRYABLE = new Set([408, 429]);

/** See the module. Requests never reject. */
export class HubClient {
  readonly #options: HubClientOptions;
  readonly #base: string;

  constructor(options: HubClientOptions) {
    this.#options = options;
    this.#base = options.url.replace(/\/+$/, "");
  }

  /** Makes a batch of records that are JSON already. */
  batchOf(records: readonly string[]): UsageBatch {
    const id = batchId(records);
    const head = JSON.stringify({ router_id: this.#options.routerId, batch_id: id });
    return { id, body: `${head.slice(0, -1)},"records":[${records.join(",")}]}` };
  }

  /** `POST /v1/usage/records`. Ends when `signal` is aborted. */
  async sendRecords(batch: UsageBatch, signal: AbortSignal): Promise<SendOutcome> {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: batch.body,
    };
    return await this.#request<SendOutcome>("/v1/usage/records", { init, signal }, (response) => {
      const { status } = response;
      if (response.ok) return { kind: "accepted" };
      if (status >= 400 && status < 500 && !RETRYABLE.has(status)) {
        return { kind: "refused", status };
      }
      return this.#failure(response);
    });
  }

  /** `GET /v1/backends/credentials`. Ends when `signal` is aborted. */
  async fetchCredentials(signal: AbortSignal): Promise<CredentialsAnswer> {
    const init = { headers: { accept: "application/json" } };
    const path = "/v1/backends/credentials";
    return await this.#request<CredentialsAnswer>(path, { init, signal }, async (response) => {
      if (!response.ok) return this.#failure(response);
      const bytes = await readBoundedBody(response, MAX_CREDENTIALS_BYTES);
      if (bytes === undefined) return { kind: "failed", cause: "answer too large" };
      return { kind: "answer", text: new TextDecoder().decode(bytes) };
    });
  }

  async #request<T>(
    path: string,
    { init, signal }: { readonly init: RequestInit; readonly signal: AbortSignal },
    read: (response: Response) => T | Promise<T>,
  ): Promise<T | HubFailure> {
    const deadline = new AbortController();
    using _timer = this.#options.clock.after(REQUEST_TIMEOUT_MS, () => deadline.abort());
    let response: Response | undefined;
    try {
      response = await this.#options.fetch(this.#base + path, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${this.#options.token}` },
        // The token is for the configured hub alone.
        redirect: "manual",
        signal: AbortSignal.any([signal, deadline.signal]),
      });
      return await read(response);
    } catch {
      if (signal.aborted) return { kind: "failed", cause: "stopped" };
      return { kind: "failed", cause: deadline.signal.aborted ? "timeout" : "unreachable" };
    } finally {
      // Whatever of the body has not been read is not wanted.
      await response?.body?.cancel().catch(() => {});
    }
  }

  #failure(response: Response): HubFailure {
    const waitMs = retryAfterMs(response.headers.get("retry-after"), {
      unixNowMs: this.#options.unixNow(),
    });
    return {
      kind: "failed",
      cause: `status ${response.status}`,
      ...waitMs === undefined ? {} : { retryAfterMs: waitMs },
    };
  }
}

/** A UUID (RFC 9562 §5.8, version 8) made of a hash of the records. */
function batchId(records: readonly string[]): string {
  const hash = createHash("sha256");
  for (const record of records) hash.update(record).update("\n");
  const bytes = hash.digest().subarray(0, 16);
  bytes[6] = 0x80 | (bytes[6] ?? 0) & 0x0f;
  bytes[8] = 0x80 | (bytes[8] ?? 0) & 0x3f;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
