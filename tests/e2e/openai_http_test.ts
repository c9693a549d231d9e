/**
 * The `openai` package over plain HTTP through the router: chat completions and responses, streamed and not,
 * embeddings, and the list of models.
 *
 * Permissions: net, read and write below the folder for temporary files, run for Deno itself, env for the
 * variables of Deno's cache.
 *
 * @module
 */

import assert from "node:assert/strict";
import { runProgram } from "../support/program.ts";
import { startTestRouter } from "../support/test_router.ts";
import type { OpenAiHttpReport } from "./programs/openai_http.ts";

const MODEL = "org/talker";
const CHAT_USAGE = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 };
const RESPONSE_USAGE = {
  input_tokens: 6,
  input_tokens_details: { cached_tokens: 2 },
  output_tokens: 4,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 10,
};

/** Answers as OpenAI's API does. */
async function answer(request: Request): Promise<Response> {
  const { model, stream } = await request.json();
  const { pathname } = new URL(request.url);
  if (model !== MODEL) return new Response(`unexpected model ${model}`, { status: 400 });
  switch (pathname) {
    case "/v1/chat/completions":
      return stream ? events(chatEvents()) : Response.json(chatCompletion());
    case "/v1/responses":
      return stream ? events(responseEvents()) : Response.json(response("completed"));
    case "/v1/embeddings":
      return Response.json(embeddings());
    default:
      return new Response(`unexpected path ${pathname}`, { status: 404 });
  }
}

function events(list: readonly unknown[]): Response {
  const text = list.map((event) =>
    `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`
  );
  const body = ReadableStream.from(text).pipeThrough(new TextEncoderStream());
  return new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
}

function chatCompletion(): unknown {
  const message = { role: "assistant", content: "Hello there" };
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: MODEL,
    choices: [{ index: 0, message, finish_reason: "stop", logprobs: null }],
    usage: CHAT_USAGE,
  };
}

function chatEvents(): readonly unknown[] {
  const chunk = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: MODEL };
  const delta = (content: string, finish_reason: string | null = null) => ({
    ...chunk,
    choices: [{ index: 0, delta: { content }, finish_reason }],
    usage: null,
  });
  return [
    delta("Hel"),
    delta("lo"),
    delta("", "length"),
    { ...chunk, choices: [], usage: CHAT_USAGE },
    "[DONE]",
  ];
}

function response(status: string): unknown {
  return {
    id: "resp-1",
    object: "response",
    created_at: 1,
    status,
    model: MODEL,
    output: [{
      type: "message",
      id: "msg-1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Hello again", annotations: [] }],
    }],
    usage: status === "completed" ? RESPONSE_USAGE : null,
  };
}

function responseEvents(): readonly unknown[] {
  return [
    { type: "response.created", sequence_number: 0, response: response("in_progress") },
    { type: "response.output_text.delta", sequence_number: 1, delta: "Hello" },
    { type: "response.completed", sequence_number: 2, response: response("completed") },
  ];
}

function embeddings(): unknown {
  // As the package asks for them: base64 of 32-bit floats.
  const embedding = new Uint8Array(new Float32Array([0.5, -1]).buffer).toBase64();
  return {
    object: "list",
    model: MODEL,
    data: [{ object: "embedding", index: 0, embedding }],
    usage: { prompt_tokens: 2, total_tokens: 2 },
  };
}

Deno.test("OpenAI: works through the router over plain HTTP", async () => {
  const address = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  await using backend = Deno.serve(address, answer);
  const url = `http://127.0.0.1:${backend.addr.port}`;
  await using router = await startTestRouter({
    yaml: [
      "api_keys: { mode: blocking, api_keys: [{ id: key-1, key: secret-1 }] }",
      "backends:",
      `  - { name: a, url: "${url}", models: [${MODEL}] }`,
    ].join("\n"),
  });

  const { code, stdout, stderr } = await runProgram({
    entry: "tests/e2e/programs/openai_http.ts",
    args: [JSON.stringify({
      baseUrl: `${router.origin}/v1`,
      apiKey: "secret-1",
      model: MODEL,
    })],
    permissions: [`--allow-net=127.0.0.1:${router.port}`, "--allow-env"],
  });

  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  assert.deepEqual(
    JSON.parse(stdout),
    {
      chat: { text: "Hello there", tokens: 8 },
      chatStream: ["Hel", "lo", "", ""],
      servedBy: "a",
      response: { text: "Hello again", tokens: 10 },
      responseStream: ["response.created", "response.output_text.delta", "response.completed"],
      embedding: [0.5, -1],
      models: [MODEL],
      model: MODEL,
      unknown: ["NotFoundError", 404, "model_not_found"],
    } satisfies OpenAiHttpReport,
  );
  assert.deepEqual(
    router.router.usage.recent.newestFirst(10).toReversed().map((record) => [
      record.endpoint,
      record.stream,
      record.outcome,
      record.input_tokens,
      record.cached_input_tokens,
      record.output_tokens,
    ]),
    [
      ["/v1/chat/completions", false, "completed", 5, 0, 3],
      ["/v1/chat/completions", true, "length", 5, 0, 3],
      ["/v1/responses", false, "completed", 4, 2, 4],
      ["/v1/responses", true, "completed", 4, 2, 4],
      ["/v1/embeddings", false, "completed", 2, 0, 0],
    ],
  );
});
