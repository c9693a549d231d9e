/**
 * One voice turn, one text turn and one refusal with `@openai/agents-realtime`, as an application would have
 * them. A process of its own, because the library leaves timers behind.
 *
 * Arguments: the router's URL with a model that is served, then with one that is not. Prints one line of JSON:
 * an {@link AgentsReport}.
 *
 * @module
 */

import {
  OpenAIRealtimeWebSocket,
  RealtimeAgent,
  RealtimeSession,
  type TransportEvent,
} from "@openai/agents-realtime";
import { tone } from "../../../demo/mod.ts";

/** What a session came to. */
export interface AgentsTurn {
  /** The library's own sum over the session. */
  readonly usage: {
    readonly requests: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly totalTokens: number;
    readonly cachedTokens: number;
  };
  /** Kinds of the events that came, in the order of their first. */
  readonly events: readonly string[];
  /** Bytes of speech that came. */
  readonly audioBytes: number;
  /** Kinds of the items in the library's history: `user input_audio`, `assistant output_text`. */
  readonly history: readonly string[];
  readonly errors: readonly string[];
}

/** What this program prints. */
export interface AgentsReport {
  readonly voice: AgentsTurn;
  readonly text: AgentsTurn;
  /** How the library words a refused handshake. */
  readonly refusal: string;
}

const API_KEY = "sk-agents-test";
const SPEECH_MS = 600;
const SILENCE_MS = 1_000;

if (import.meta.main) {
  const [url = "", refusedUrl = ""] = Deno.args;
  const report: AgentsReport = {
    voice: await turn(url, "audio"),
    text: await turn(url, "text"),
    refusal: await refusal(refusedUrl),
  };
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(report)}\n`));
}

function createSession(url: string, modality: "audio" | "text"): RealtimeSession {
  const agent = new RealtimeAgent({ name: "tester", instructions: "Answer briefly." });
  return new RealtimeSession(agent, {
    transport: new OpenAIRealtimeWebSocket({ url }),
    config: {
      outputModalities: [modality],
      audio: { input: { turnDetection: { type: "server_vad", silenceDurationMs: 300 } } },
    },
  });
}

async function turn(url: string, modality: "audio" | "text"): Promise<AgentsTurn> {
  const session = createSession(url, modality);
  const events = new Set<string>();
  const errors: string[] = [];
  let audioBytes = 0;
  const configured = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  session.on("transport_event", ({ type }: TransportEvent) => {
    events.add(type);
    if (type === "session.updated") configured.resolve();
    if (type === "response.done") done.resolve();
  });
  session.on("audio", ({ data }) => audioBytes += data.byteLength);
  session.on("error", ({ error }) => errors.push(String(error)));
  session.transport.on("connection_change", (status) => {
    if (status === "disconnected") closed.resolve();
  });
  await session.connect({ apiKey: API_KEY });
  await configured.promise;
  if (modality === "audio") {
    session.sendAudio(tone(SPEECH_MS).slice().buffer);
    session.sendAudio(new ArrayBuffer(tone(SILENCE_MS).byteLength));
  } else {
    session.sendMessage("How are you?");
  }
  await done.promise;
  const { requests, inputTokens, outputTokens, totalTokens, inputTokensDetails } = session.usage;
  const cachedTokens = inputTokensDetails.reduce(
    (sum, details) => sum + (details["cached_tokens"] ?? 0),
    0,
  );
  const history = session.history.map((item) =>
    item.type === "message"
      ? [item.role, ...item.content.map(({ type }) => type)].join(" ")
      : item.type
  );
  session.close();
  await closed.promise;
  const usage = { requests, inputTokens, outputTokens, totalTokens, cachedTokens };
  return { usage, events: [...events], audioBytes, history, errors };
}

async function refusal(url: string): Promise<string> {
  const session = createSession(url, "text");
  session.on("error", () => {});
  try {
    await session.connect({ apiKey: API_KEY });
  } catch (error) {
    // The library rejects with the event of its WebSocket.
    return typeof error === "object" && error !== null && "message" in error
      ? String(error.message)
      : String(error);
  }
  session.close();
  return "none";
}
