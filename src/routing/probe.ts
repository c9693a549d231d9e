/**
 * One health check of a backend: which address is asked, and what its answer means (spec §5).
 *
 * @module
 */

import type { BackendConfig } from "./backend_config.ts";
import { httpTarget, httpUrl } from "./backend_url.ts";

/** Where a backend lists its models. */
const MODELS_PATH = "/v1/models";
/** Asked one after the other while they answer that there is no such thing. */
const DEFAULT_ENDPOINTS = [MODELS_PATH, "/health", "/v1/health/ready"] as const;
const NOT_THERE: ReadonlySet<number> = new Set([404, 405]);
/** An operator sees the reason of a failure; what a peer can put into one is kept short. */
const MAX_REASON_LENGTH = 200;

/** The first answer that says something about the backend, or else the last one. */
export interface ProbeAnswer {
  readonly url: string;
  /** Its body is not read yet. */
  readonly response: Response;
  /** Whether there is something at `url`: it answered neither 404 nor 405. */
  readonly exists: boolean;
  /** All that were asked, `url` the last of them. */
  readonly asked: readonly string[];
}

/** The URL of a backend's list of models. */
export function modelsUrl(config: BackendConfig): string {
  return httpUrl(httpTarget(config.url, MODELS_PATH));
}

/**
 * The URLs to probe, in order: the configured endpoint alone, or the default ones, of which `preferred`
 * comes first if it is among them.
 */
export function probeUrls(config: BackendConfig, preferred?: string): readonly string[] {
  const endpoints = config.healthEndpoint === undefined
    ? DEFAULT_ENDPOINTS
    : [config.healthEndpoint];
  const urls = endpoints.map((endpoint) => httpUrl(httpTarget(config.url, endpoint)));
  if (preferred === undefined || !urls.includes(preferred)) return urls;
  return [preferred, ...urls.filter((url) => url !== preferred)];
}

/** Asks one URL after the other until one is there. Rejects as soon as `request` does. */
export async function firstAnswer(
  urls: readonly string[],
  request: (url: string) => Promise<Response>,
): Promise<ProbeAnswer> {
  const asked: string[] = [];
  for (const url of urls) {
    asked.push(url);
    const response = await request(url);
    const exists = !NOT_THERE.has(response.status);
    if (exists || asked.length === urls.length) return { url, response, exists, asked };
    await discard(response);
  }
  throw new TypeError("There must be a URL to probe");
}

/** Lets go of a response without reading its body. Never rejects. */
export async function discard(response: Response): Promise<void> {
  // A body that has failed already cannot be cancelled.
  await response.body?.cancel().catch(() => {});
}

/** Why a request failed, in one short line. */
export function failureReason(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = inner instanceof Error ? inner.message : String(inner);
  return message
    .replace(/^error sending request for url \([^)]*\): /, "")
    .replace(/\p{Cc}+/gu, " ")
    .slice(0, MAX_REASON_LENGTH);
}
