/**
 * `@openai/agents-realtime` as an application uses it: a session with an agent, whose tools the library runs.
 *
 * Argument: an errand as JSON. Prints an account a line.
 *
 * @module
 */

import {
  OpenAIRealtimeWebSocket,
  RealtimeAgent,
  RealtimeSession,
  tool,
  type TransportEvent,
} from "@openai/agents-realtime";
import { z } from "zod";
import { tone } from "../../../demo/mod.ts";
import type { Account, Errand, Row, SeenEvent, SeenSession } from "../errand.ts";

const SPEECH_MS = 600;
const SILENCE_MS = 1_000;

/** What to do once the session stands. Resolves when it is done. */
type Script = (stage: Stage) => Promise<void>;

interface Stage {
  readonly session: RealtimeSession;
  /** The next event of a kind. */
  readonly next: (type: string) => Promise<void>;
  readonly ended: Promise<void>;
}

const SCRIPTS: Readonly<Record<string, Script>> = {
  "connect": () => Promise.resolve(),
  "voice turn": async ({ session, next }) => {
    const done = next("response.done");
    session.sendAudio(tone(SPEECH_MS).slice().buffer);
    session.sendAudio(new ArrayBuffer(tone(SILENCE_MS).byteLength));
    await done;
  },
  "text turn": haveTextTurn,
  "tool call": async ({ session, next }) => {
    const called = next("response.done");
    session.sendMessage("Hello?");
    await called;
    // The library runs the tool and asks for the answer.
    await next("response.done");
  },
  "cancel": async ({ session, next }) => {
    const speaking = next("response.output_audio.delta");
    session.sendMessage("Hello?");
    await speaking;
    const done = next("response.done");
    session.interrupt();
    await done;
  },
  "close 1000": (stage) => untilEnd(stage, { close: "1000" }),
  "close 1001": (stage) => untilEnd(stage, { close: "1001" }),
  "close 4001": (stage) => untilEnd(stage, { close: "4001" }),
  "close 1011": (stage) => untilEnd(stage, { die: "1" }),
  "404": () => Promise.resolve(),
  "401": () => Promise.resolve(),
};

const errand: Errand = JSON.parse(Deno.args[0] ?? "");
for (const row of errand.rows) {
  const account: Account = { row: row.name, sessions: await sessionsOf(row) };
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(account)}\n`));
}
// It leaves timers behind.
Deno.exit();

async function sessionsOf(row: Row): Promise<readonly SeenSession[]> {
  if (row.name !== "reconnect") return [await have(row, SCRIPTS[row.name])];
  const lost = await have(row, SCRIPTS["close 1011"]);
  return [lost, await have(row, haveTextTurn)];
}

async function have(row: Row, script: Script | undefined): Promise<SeenSession> {
  if (script === undefined) throw new Error(`Cannot do "${row.name}"`);
  const url = `${errand.base.replace("http", "ws")}/realtime?model=${row.model ?? errand.model}`;
  const session = createSession(url, row.name);
  const events: SeenEvent[] = [];
  const waiting = new Map<string, () => void>();
  session.on("transport_event", (event: TransportEvent) => {
    events.push({ ...event });
    waiting.get(event.type)?.();
  });
  const next = (type: string) => new Promise<void>((resolve) => waiting.set(type, resolve));
  // Whatever it has against a session is told by what comes of it.
  session.on("error", () => {});
  let shown: string | null = null;
  const ended = new Promise<void>((resolve) =>
    session.transport.on("connection_change", (status) => {
      if (status !== "disconnected") return;
      shown = `connection_change: ${status}`;
      resolve();
    })
  );
  const ready = next("session.updated");
  try {
    await session.connect({ apiKey: row.key ?? errand.key });
  } catch (error) {
    return { refused: messageOf(error), events, ended: null };
  }
  await ready;
  await script({ session, next, ended });
  if (shown !== null) return { events, ended: shown };
  session.close();
  await ended;
  return { events, ended: null };
}

function createSession(url: string, row: string): RealtimeSession {
  const lookUp = tool({
    name: "look_up",
    description: "Looks something up.",
    parameters: z.object({ word: z.string() }),
    execute: () => "It is there.",
  });
  const tools = row === "tool call" ? [lookUp] : [];
  const isWritten = ["text turn", "tool call", "reconnect"].includes(row);
  return new RealtimeSession(new RealtimeAgent({ name: "tester", tools }), {
    transport: new OpenAIRealtimeWebSocket({ url }),
    config: {
      outputModalities: [isWritten ? "text" : "audio"],
      audio: { input: { turnDetection: { type: "server_vad", silenceDurationMs: 300 } } },
    },
  });
}

async function haveTextTurn({ session, next }: Stage): Promise<void> {
  const done = next("response.done");
  session.sendMessage("Hello?");
  await done;
}

async function untilEnd(
  { session, ended }: Stage,
  metadata: Readonly<Record<string, string>>,
): Promise<void> {
  session.transport.sendEvent({ type: "response.create", response: { metadata } });
  await ended;
}

/** It rejects with an event. */
function messageOf(error: unknown): string {
  const { message } = error as { readonly message?: string };
  return message ?? String(error);
}
