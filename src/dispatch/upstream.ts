/**
 * The HTTP client that backends are asked with.
 *
 * @module
 */

/** What is asked of a backend. Redirects are never followed, whatever it answers. */
export interface UpstreamRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Ends the request, and the answer's body too. */
  readonly signal: AbortSignal;
}

/** Asks a backend. Rejects when no head of an answer comes. */
export type AskBackend = (request: UpstreamRequest) => Promise<Response>;

/** What {@link Upstream} takes. */
export interface UpstreamOptions {
  /** PEM certificates trusted besides the operating system's. @default {[]} */
  readonly caCerts?: readonly string[];
}

/** Connections to backends, one for each request. Disposing of it closes them. */
export class Upstream implements Disposable {
  readonly #client: Deno.HttpClient;

  constructor(options: UpstreamOptions = {}) {
    this.#client = Deno.createHttpClient({
      caCerts: [...options.caCerts ?? []],
      // A request on a kept connection that its backend cuts would be sent again by the runtime, unseen:
      // a generation twice, where spec §11 has one try for each candidate.
      poolMaxIdlePerHost: 0,
      // All requests to a backend would share one HTTP/2 connection and its window: a few clients that
      // do not read their answers would stop those of all others.
      http2: false,
    });
  }

  readonly ask: AskBackend = ({ url, headers, body, signal }) => {
    const init: RequestInit & { client: Deno.HttpClient } = {
      method: "POST",
      headers,
      body,
      signal,
      redirect: "manual",
      client: this.#client,
    };
    return fetch(url, init);
  };

  [Symbol.dispose](): void {
    this.#client.close();
  }
}
