/**
 * One text turn and the refusals with the realtime clients of the `openai` package, as an application would
 * have them. A process of its own, because trust in a private authority is given by the environment.
 *
 * Arguments: an {@link OpenAiTask} as JSON. Prints one line of JSON: an {@link OpenAiReport}.
 *
 * @module
 */

import { connect } from "node:net";
import OpenAI from "openai";
import { OpenAIRealtimeWebSocket } from "openai/realtime/websocket";
import { OpenAIRealtimeWS } from "openai/realtime/ws";

/**
 * How the library is used: over npm `ws` with TLS, over npm `ws` with its connection replaced by a plain one
 * (the library knows no `ws:` URL), or over the native WebSocket, which puts the key into a subprotocol.
 */
export type OpenAiVariant = "ws" | "ws-plain" | "native";

/** What to do. */
export interface OpenAiTask {
  readonly variant: OpenAiVariant;
  /** `https://127.0.0.1:PORT/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string;
  /** Handshakes that are to be refused. */
  readonly refused: readonly { readonly model: string; readonly apiKey: string }[];
}

/** The end of a connection as the client shows it. */
export interface SeenEnd {
  readonly code: number;
  readonly reason: string;
}

/** What this program prints. */
export interface OpenAiReport {
  /** The answer, from the deltas. */
  readonly text: string;
  readonly usage: { readonly input: number; readonly output: number };
  /** The subprotocol that the client holds for chosen. */
  readonly subprotocol: string;
  /** After the client's own `close()`. */
  readonly closed: SeenEnd;
  /** After a second session, which the backend closed with 4001. */
  readonly closedByBackend: SeenEnd;
  /** The messages of the library's errors, one for each refused handshake; `none` for one that was not. */
  readonly refusals: readonly string[];
}

type Client = OpenAIRealtimeWS | OpenAIRealtimeWebSocket;

if (import.meta.main) {
  const task: OpenAiTask = JSON.parse(Deno.args[0] ?? "");
  const turn = await textTurn(task);
  const report: OpenAiReport = {
    ...turn,
    closedByBackend: await untilBackendCloses(task),
    refusals: await Promise.all(task.refused.map((refused) => refusal({ ...task, ...refused }))),
  };
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(report)}\n`));
}

function open({ variant, baseUrl, model, apiKey }: OpenAiTask): Client {
  const client = new OpenAI({ apiKey, baseURL: baseUrl, dangerouslyAllowBrowser: true });
  if (variant === "native") {
    return new OpenAIRealtimeWebSocket({ model, dangerouslyAllowBrowser: true }, client);
  }
  const { hostname, port } = new URL(baseUrl);
  const createConnection = () => connect({ host: hostname, port: Number(port) });
  return new OpenAIRealtimeWS({
    model,
    ...variant === "ws-plain" ? { options: { createConnection } } : {},
  }, client);
}

async function textTurn(task: OpenAiTask) {
  const client = open(task);
  const ended = endOf(client);
  const done = Promise.withResolvers<OpenAiReport["usage"]>();
  let text = "";
  client.on("error", (error) => done.reject(error));
  client.on("response.output_text.delta", ({ delta }) => text += delta);
  client.on(
    "response.done",
    ({ response: { usage } }) =>
      done.resolve({ input: usage?.input_tokens ?? 0, output: usage?.output_tokens ?? 0 }),
  );
  client.on("session.created", () => ask(client, {}));
  const usage = await done.promise;
  const subprotocol = client.socket.protocol;
  client.close();
  return { text, usage, subprotocol, closed: await ended };
}

/** The demo backend closes with the code that the metadata of a response asks for. */
async function untilBackendCloses(task: OpenAiTask): Promise<SeenEnd> {
  const client = open(task);
  const ended = endOf(client);
  client.on("session.created", () => ask(client, { close: "4001" }));
  return await ended;
}

function ask(client: Client, metadata: Record<string, string>): void {
  client.send({
    type: "conversation.item.create",
    item: { type: "message", role: "user", content: [{ type: "input_text", text: "Hello?" }] },
  });
  client.send({ type: "response.create", response: { output_modalities: ["text"], metadata } });
}

function refusal(task: OpenAiTask): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const client = open(task);
  client.on("error", (error) => resolve(error.message));
  client.on("session.created", () => {
    client.close();
    resolve("none");
  });
  return promise;
}

function endOf(client: Client): Promise<SeenEnd> {
  const { promise, resolve } = Promise.withResolvers<SeenEnd>();
  if (client instanceof OpenAIRealtimeWS) {
    client.socket.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
  } else {
    client.socket.addEventListener(
      "close",
      ({ code, reason }: CloseEvent) => resolve({ code, reason }),
    );
  }
  return promise;
}
