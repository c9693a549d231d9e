/**
 * A longer session with `@openai/agents-realtime`: a tool call and its spoken answer, a voice turn that is
 * interrupted by speaking, and an answer that is cancelled.
 *
 * Argument: the router's URL. Prints one line of JSON: an {@link AgentsSessionReport}.
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

/** What this program prints. */
export interface AgentsSessionReport {
  readonly toolRuns: number;
  /** Statuses of the responses, in order. */
  readonly statuses: readonly string[];
  /** The library's own sum over the session. */
  readonly usage: {
    readonly requests: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
  };
}

if (import.meta.main) {
  const report = await runSession(Deno.args[0] ?? "");
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(report)}\n`));
}

async function runSession(url: string): Promise<AgentsSessionReport> {
  let toolRuns = 0;
  const weather = tool({
    name: "weather",
    description: "The weather in a city",
    parameters: z.object({ city: z.string() }),
    execute: () => {
      toolRuns++;
      return "sunny";
    },
  });
  const agent = new RealtimeAgent({ name: "tester", instructions: "Be brief.", tools: [weather] });
  const session = new RealtimeSession(agent, { transport: new OpenAIRealtimeWebSocket({ url }) });
  session.on("error", ({ error }) => {
    throw error;
  });
  const waiting = new Map<string, () => void>();
  const statuses: string[] = [];
  session.on("transport_event", (event: TransportEvent) => {
    if (event.type === "response.done") {
      const { response } = event as unknown as { response: { status: string } };
      statuses.push(response.status);
    }
    waiting.get(event.type)?.();
  });
  const next = (type: string) => new Promise<void>((resolve) => waiting.set(type, resolve));
  const say = (pcm: Uint8Array<ArrayBuffer>) => {
    for (let at = 0; at < pcm.length; at += 4_800) {
      session.sendAudio(pcm.slice(at, at + 4_800).buffer);
    }
  };

  const ready = next("session.updated");
  await session.connect({ apiKey: "sk-agents-test" });
  await ready;

  const told = next("response.output_audio.done");
  session.sendMessage("What is the weather?");
  await told;

  const heard = next("conversation.item.retrieved");
  const speaking = next("response.output_audio.delta");
  say(tone(800));
  say(new Uint8Array(48 * 600));
  await Promise.all([heard, speaking]);
  const interrupted = next("conversation.item.truncated");
  say(tone(200));
  await interrupted;
  // The end of what interrupted it: another turn, whose answer is cancelled.
  const speakingAgain = next("response.output_audio.delta");
  say(new Uint8Array(48 * 600));
  await speakingAgain;
  const cancelled = next("response.done");
  session.interrupt();
  await cancelled;

  const { requests, inputTokens, outputTokens } = session.usage;
  const closed = Promise.withResolvers<void>();
  session.transport.on("connection_change", (status) => {
    if (status === "disconnected") closed.resolve();
  });
  session.close();
  await closed.promise;
  return { toolRuns, statuses, usage: { requests, inputTokens, outputTokens } };
}
