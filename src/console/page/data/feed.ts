/**
 * Keeps the state of the overview up to date: a stream of events, and questions now and then about what no
 * event tells.
 *
 * @module
 */

import { type AdminApi, AdminError } from "./admin_api.ts";
import type { SessionEnd, SessionFacts, UsageRecord } from "./admin_types.ts";
import type { ConsoleAction, Link } from "./console_state.ts";
import { type ServerSentEvent, SseParser } from "./sse_parser.ts";

/** What a feed needs. */
export interface FeedOptions {
  readonly api: AdminApi;
  readonly dispatch: (action: ConsoleAction) => void;
  /** Whether anybody looks. Nothing is asked for a page that nobody sees. */
  readonly isVisible: () => boolean;
}

const POLL_MS = 2_000;
/** The list of sessions is the longest answer: it is asked for at every second poll only. */
const POLLS_PER_LIST = 2;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 15_000;

/** Runs until `signal` aborts, or the router asks for a credential or forbids the page. */
export async function runFeed(options: FeedOptions, signal: AbortSignal): Promise<void> {
  const { api, dispatch } = options;
  const tell = (link: Link) => dispatch({ kind: "link", link });
  let retryMs = FIRST_RETRY_MS;
  while (!signal.aborted) {
    tell({ kind: "connecting" });
    const attempt = new AbortController();
    const ends = AbortSignal.any([signal, attempt.signal]);
    let reason = "";
    try {
      const stream = await api.events(ends);
      // The stream waits meanwhile, so that every event is told after the lists that it changes.
      dispatch({ kind: "records", records: await api.usage(ends) });
      await ask(options, { signal: ends, withSessions: true });
      tell({ kind: "live" });
      retryMs = FIRST_RETRY_MS;
      await Promise.race([readEvents(stream, dispatch), poll(options, ends)]);
    } catch (error) {
      if (signal.aborted) return;
      const end = lastingRefusal(error, api);
      if (end !== null) return tell(end);
      reason = error instanceof AdminError ? error.message : "";
    } finally {
      attempt.abort();
    }
    if (signal.aborted) return;
    tell({ kind: "waiting", reason });
    await pause(retryMs, signal);
    retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
  }
}

/** What trying again would not change; null for everything else. */
function lastingRefusal(error: unknown, { credential }: AdminApi): Link | null {
  if (!(error instanceof AdminError)) return null;
  const { status, code, message, scheme } = error;
  if (status === 401) return { kind: "locked", scheme, rejected: credential !== null };
  return status === 403 || status === 404 ? { kind: "forbidden", code, message } : null;
}

async function ask(
  { api, dispatch }: FeedOptions,
  { signal, withSessions }: { readonly signal: AbortSignal; readonly withSessions: boolean },
): Promise<void> {
  const askedMs = Date.now();
  const [statistics, backends, sessions] = await Promise.all([
    api.statistics(signal),
    api.backends(signal),
    withSessions ? api.sessions(signal) : null,
  ]);
  const atMs = Date.now();
  dispatch({ kind: "statistics", statistics, atMs });
  dispatch({ kind: "backends", backends });
  if (sessions !== null) dispatch({ kind: "sessions", sessions, askedMs, atMs });
}

async function poll(options: FeedOptions, signal: AbortSignal): Promise<void> {
  for (let polls = 1; !signal.aborted; polls++) {
    await pause(POLL_MS, signal);
    if (signal.aborted) return;
    if (options.isVisible()) {
      await ask(options, { signal, withSessions: polls % POLLS_PER_LIST === 0 });
    }
  }
}

async function readEvents(
  stream: ReadableStream<Uint8Array>,
  dispatch: (action: ConsoleAction) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  const parser = new SseParser();
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const event of parser.push(decoder.decode(value, { stream: true }))) {
      const action = actionOf(event, Date.now());
      if (action !== null) dispatch(action);
    }
  }
}

/** What an event means; null for those that this page does not know. */
export function actionOf({ name, data }: ServerSentEvent, atMs: number): ConsoleAction | null {
  switch (name) {
    case "session_started":
      return { kind: "started", session: JSON.parse(data) as SessionFacts, atMs };
    case "session_ended":
      return { kind: "ended", session: JSON.parse(data) as SessionEnd };
    case "usage_record":
      return { kind: "record", record: JSON.parse(data) as UsageRecord };
    case "dropped":
      return { kind: "dropped", count: (JSON.parse(data) as { count: number }).count };
    default:
      return null;
  }
}

/** Waits; an abort ends the wait without an error. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const timer = setTimeout(end, ms);
  signal.addEventListener("abort", end);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  });
}
