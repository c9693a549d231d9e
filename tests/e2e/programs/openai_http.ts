/**
 * The HTTP part of the `openai` package, as an application would use it. A process of its own, because the
 * package reads the environment.
 *
 * Arguments: an {@link OpenAiHttpTask} as JSON. Prints one line of JSON: an {@link OpenAiHttpReport}.
 *
 * @module
 */

import OpenAI from "openai";

/** What to do. */
export interface OpenAiHttpTask {
  /** `http://127.0.0.1:PORT/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
}

/** What this program prints. */
export interface OpenAiHttpReport {
  readonly chat: { readonly text: string | null; readonly tokens: number | undefined };
  /** The content of each event. */
  readonly chatStream: readonly string[];
  /** The backend that served it, from the response's header. */
  readonly servedBy: string | null;
  readonly response: { readonly text: string; readonly tokens: number | undefined };
  /** The type of each event. */
  readonly responseStream: readonly string[];
  readonly embedding: readonly number[] | undefined;
  readonly models: readonly string[];
  readonly model: string;
  /** Class, status and code of the error for an unknown model. */
  readonly unknown: readonly unknown[];
}

if (import.meta.main) {
  const task: OpenAiHttpTask = JSON.parse(Deno.args[0] ?? "");
  Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify(await report(task))}\n`));
}

async function report({ baseUrl, apiKey, model }: OpenAiHttpTask): Promise<OpenAiHttpReport> {
  const client = new OpenAI({ baseURL: baseUrl, apiKey, maxRetries: 0 });
  const messages = [{ role: "user", content: "Hello?" }] as const;
  const chat = await client.chat.completions.create({ model, messages: [...messages] });
  const streamed = await client.chat.completions
    .create({
      model,
      messages: [...messages],
      stream: true,
      stream_options: { include_usage: true },
    })
    .withResponse();
  const chatStream: string[] = [];
  for await (const { choices } of streamed.data) {
    chatStream.push(choices[0]?.delta.content ?? "");
  }
  const response = await client.responses.create({ model, input: "Hello?" });
  const responseStream: string[] = [];
  for await (const { type } of await client.responses.create({ model, input: "?", stream: true })) {
    responseStream.push(type);
  }
  const embeddings = await client.embeddings.create({ model, input: "Hello?" });
  const models: string[] = [];
  for await (const { id } of client.models.list()) models.push(id);
  return {
    chat: { text: chat.choices[0]?.message.content ?? null, tokens: chat.usage?.total_tokens },
    chatStream,
    servedBy: streamed.response.headers.get("x-served-backend"),
    response: { text: response.output_text, tokens: response.usage?.total_tokens },
    responseStream,
    embedding: embeddings.data[0]?.embedding,
    models,
    model: (await client.models.retrieve(model)).id,
    unknown: await refusal(client),
  };
}

async function refusal(client: OpenAI): Promise<readonly unknown[]> {
  try {
    await client.chat.completions.create({ model: "of-nobody", messages: [] });
    return ["none"];
  } catch (error) {
    if (!(error instanceof OpenAI.APIError)) throw error;
    return [error.constructor.name, error.status, error.code];
  }
}
