/**
 * Lets a real client judge the backend: a session of `@openai/agents-realtime` with a tool call, a voice turn
 * found by turn detection, and an interruption. The client checks every event against its own schema and
 * silently sets aside what does not fit; this script counts those, and fails when there are any.
 *
 * Run by hand: `deno run --allow-net=127.0.0.1 --allow-env --allow-read --allow-sys tests/demo/agents_probe.ts`
 *
 * @module
 */

import {
  OpenAIRealtimeWebSocket,
  RealtimeAgent,
  RealtimeSession,
  tool,
} from "@openai/agents-realtime";
import assert from "node:assert/strict";
import { z } from "zod";
import { startDemoBackend, tone } from "../../demo/mod.ts";

await using backend = await startDemoBackend({ speed: 10 });
const url = `${backend.url}?model=demo-voice`;
const transport = new OpenAIRealtimeWebSocket({ url });

const received: string[] = [];
const understood: string[] = [];
const waiting = new Map<string, () => void>();

// The client announces every event under "*", and those that fit under their own type right after.
const emit = transport.emit.bind(transport);
transport.emit = (type, ...args) => {
  const emitted = emit(type, ...args);
  const name = String(type);
  if (name === "*") received.push(z.object({ type: z.string() }).parse(args[0]).type);
  else if (name === "error" || name.includes(".")) understood.push(name);
  waiting.get(name)?.();
  return emitted;
};

function next(type: string): Promise<void> {
  return new Promise((resolve) => waiting.set(type, resolve));
}

function say(pcm: Uint8Array<ArrayBuffer>): void {
  for (let at = 0; at < pcm.length; at += 4_800) {
    session.sendAudio(pcm.slice(at, at + 4_800).buffer);
  }
}

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
const agent = new RealtimeAgent({ name: "probe", instructions: "Be brief.", tools: [weather] });
const session = new RealtimeSession(agent, { transport, model: "demo-voice" });
const errors: unknown[] = [];
session.on("error", ({ error }) => errors.push(error));

const ready = next("session.updated");
await session.connect({ apiKey: "any", url });
await ready;

const told = next("audio_done");
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
session.close();

const reported = backend.responses.map(({ response }) => response.usage);
const sum = (field: "input_tokens" | "output_tokens") =>
  reported.reduce((total, usage) => total + (usage?.[field] ?? 0), 0);
const setAside = received.length - understood.length;
const verdict =
  `${received.length} events received, ${setAside} of them did not fit the client's schema\n`;
await Deno.stdout.write(new TextEncoder().encode(verdict));
assert.deepEqual(received, understood);
assert.deepEqual(errors, []);
// Each question leads to a call before it is answered.
assert.equal(toolRuns, 2);
assert.deepEqual(
  [session.usage.requests, session.usage.inputTokens, session.usage.outputTokens],
  [reported.length, sum("input_tokens"), sum("output_tokens")],
);
