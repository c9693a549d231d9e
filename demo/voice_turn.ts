/**
 * A client that has one voice turn: says a second of tone, listens to the answer, prints the timeline.
 *
 * @module
 */

import { z } from "zod";
import { tone } from "./tone.ts";
import { TurnConnection } from "./turn_connection.ts";

const CHUNK_MS = 100;

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
  const connection = new TurnConnection(withModel(url, options.model), options);
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
  connection: TurnConnection,
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
