/**
 * A client that has one voice turn: says a second of tone, listens to the answer, prints the timeline.
 *
 * @module
 */

import { z } from "zod";
import { Timeline } from "./timeline.ts";
import { tone } from "./tone.ts";

const CHUNK_MS = 100;
const CLOSE_TIMEOUT_MS = 2_000;

/** Options of {@link runVoiceTurn}. */
export interface VoiceTurnOptions {
  /** Goes into the `model` query parameter, unless the URL has one. */
  readonly model: string;
  /** Prints one line. */
  readonly log: (line: string) => void;
  /** Headers of the upgrade request, such as `Authorization`. @default {{}} */
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds that the demo backend is to speak. @default {3} */
  readonly answerS?: number;
  /** How much the client says. @default {1000} */
  readonly speechMs?: number;
  /** The turn fails when it takes longer. @default {30_000} */
  readonly timeoutMs?: number;
}

/** What a turn came to. */
export interface VoiceTurnResult {
  /** From `response.create` to the first audio; null when there was none. */
  readonly firstAudioMs: number | null;
  /** From `response.create` to `response.done`. */
  readonly turnMs: number;
  /** `response.status`. */
  readonly status: string;
  /** Null when the backend reported none. */
  readonly usage: TurnUsage | null;
}

/** The usage of a turn; cached tokens are part of the input. */
export interface TurnUsage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

const serverEventSchema = z.looseObject({ type: z.string() });
const errorSchema = z.object({ error: z.object({ code: z.string().nullish() }) });
const doneSchema = z.object({
  response: z.object({
    status: z.string(),
    usage: z.object({
      input_tokens: z.number(),
      output_tokens: z.number(),
      input_token_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
    }).nullish(),
  }),
});

/**
 * Has one turn at a realtime endpoint.
 *
 * @throws {Error} When the connection fails or ends early, the server reports an error, or it takes too long.
 */
export async function runVoiceTurn(
  url: string,
  options: VoiceTurnOptions,
): Promise<VoiceTurnResult> {
  const connection = new Connection(withModel(url, options.model), options);
  const timer = setTimeout(
    () => connection.fail(new Error("The turn took too long")),
    options.timeoutMs ?? 30_000,
  );
  try {
    return await converse(connection, options);
  } finally {
    clearTimeout(timer);
    await connection.close();
  }
}

async function converse(
  connection: Connection,
  { speechMs = 1_000, answerS = 3, log }: VoiceTurnOptions,
): Promise<VoiceTurnResult> {
  await connection.next("session.created");
  const session = { type: "realtime", audio: { input: { turn_detection: null } } };
  connection.send({ type: "session.update", session });
  await connection.next("session.updated");
  for (let saidMs = 0; saidMs < speechMs; saidMs += CHUNK_MS) {
    const audio = tone(Math.min(CHUNK_MS, speechMs - saidMs)).toBase64();
    connection.send({ type: "input_audio_buffer.append", audio });
  }
  connection.send({ type: "input_audio_buffer.commit" });
  const startMs = performance.now();
  connection.send({ type: "response.create", response: { metadata: { secs: String(answerS) } } });
  const done = doneSchema.parse(await connection.next("response.done"));
  const turnMs = performance.now() - startMs;
  const firstAudioMs = connection.firstAudioMs === null ? null : connection.firstAudioMs - startMs;
  const { status, usage } = done.response;
  const result = {
    firstAudioMs,
    turnMs,
    status,
    usage: usage
      ? {
        input: usage.input_tokens,
        cached: usage.input_token_details?.cached_tokens ?? 0,
        output: usage.output_tokens,
      }
      : null,
  };
  connection.flush();
  for (const line of summary(result)) log(line);
  return result;
}

function summary({ firstAudioMs, turnMs, usage }: VoiceTurnResult): string[] {
  return [
    "",
    `  time to first audio  ${firstAudioMs === null ? "none" : `${Math.round(firstAudioMs)} ms`}`,
    `  turn                 ${Math.round(turnMs)} ms`,
    `  usage                ${
      usage === null
        ? "not reported"
        : `input ${usage.input}, of it cached ${usage.cached}, output ${usage.output}`
    }`,
  ];
}

/** The URL with the model in its query. */
export function withModel(url: string, model: string): string {
  const target = new URL(url);
  if (!target.searchParams.has("model")) target.searchParams.set("model", model);
  return target.href;
}

/** A WebSocket that one waits on for one kind of event at a time. */
class Connection {
  /** When the first audio came, by `performance.now()`. */
  firstAudioMs: number | null = null;
  readonly #socket: WebSocket;
  readonly #timeline: Timeline;
  readonly #closed = Promise.withResolvers<void>();
  readonly #failed = Promise.withResolvers<never>();
  #wanted: { readonly type: string; readonly found: (event: object) => void } | null = null;

  constructor(url: string, { headers = {}, log }: VoiceTurnOptions) {
    this.#timeline = new Timeline({ log, nowMs: () => performance.now() });
    // Whoever waits hears of it; nobody has to be waiting.
    this.#failed.promise.catch(() => {});
    this.#socket = new WebSocket(url, { headers: { ...headers } });
    this.#socket.onmessage = ({ data }) => this.#receive(String(data));
    this.#socket.onerror = (event) => {
      const detail = event instanceof ErrorEvent ? event.message : "no detail";
      this.fail(new Error(`The connection failed: ${detail}`));
    };
    this.#socket.onclose = ({ code }) => {
      this.fail(new Error(`The connection ended with code ${code}`));
      this.#closed.resolve();
    };
  }

  send(event: { readonly type: string; readonly [field: string]: unknown }): void {
    const text = JSON.stringify(event);
    this.#timeline.add("→", event.type, { bytes: text.length });
    this.#socket.send(text);
  }

  /** The next event of this type. */
  next(type: string): Promise<object> {
    const { promise, resolve } = Promise.withResolvers<object>();
    this.#wanted = { type, found: resolve };
    return Promise.race([promise, this.#failed.promise]);
  }

  fail(error: Error): void {
    this.#failed.reject(error);
  }

  flush(): void {
    this.#timeline.flush();
  }

  /** Ends the connection, whatever its state. */
  async close(): Promise<void> {
    this.flush();
    this.#socket.onmessage = null;
    if (this.#socket.readyState !== WebSocket.CLOSED) this.#socket.close();
    const timer = setTimeout(() => this.#closed.resolve(), CLOSE_TIMEOUT_MS);
    await this.#closed.promise;
    clearTimeout(timer);
  }

  #receive(text: string): void {
    const event = serverEventSchema.safeParse(parsed(text)).data;
    const type = event?.type ?? "unreadable";
    this.#timeline.add("←", type, { bytes: new TextEncoder().encode(text).length });
    if (event === undefined) return;
    if (type === "error") {
      const code = errorSchema.safeParse(event).data?.error.code ?? "unknown";
      this.fail(new Error(`The server reported an error: ${code}`));
    }
    if (type === "response.output_audio.delta") this.firstAudioMs ??= performance.now();
    if (type === this.#wanted?.type) this.#wanted.found(event);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
