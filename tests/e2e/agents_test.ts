/**
 * `@openai/agents-realtime` through the router.
 *
 * Permissions: net, read and write below the folder for temporary files, run for Deno itself, env for the two
 * variables of npm `ws` and those of Deno's cache.
 *
 * @module
 */

import assert from "node:assert/strict";
import { startDemoBackend } from "../../demo/mod.ts";
import { runProgram } from "../support/program.ts";
import { startTestRouter } from "../support/test_router.ts";
import type { AgentsReport, AgentsTurn } from "./programs/agents.ts";

Deno.test("agents-realtime: has a voice turn and a text turn, and counts what the backend reported", async () => {
  await using backend = await startDemoBackend({ speed: 50 });
  await using router = await startTestRouter({ backends: [`http://127.0.0.1:${backend.port}`] });

  const { voice, text, refusal } = await runAgents(router.port, {
    url: router.url,
    refusedUrl: `${router.url}-of-nobody`,
  });

  assert.deepEqual(voice.history, ["user input_audio", "assistant output_audio"]);
  assert.equal(voice.audioBytes, 3 * 48_000, "three seconds of PCM16 at 24 kHz");
  assert.ok(voice.events.includes("input_audio_buffer.speech_stopped"));
  assert.ok(voice.events.includes("response.output_audio.delta"));
  assert.deepEqual(text.history, ["user input_text", "assistant output_text"]);
  assert.equal(text.audioBytes, 0);
  assert.ok(text.events.includes("response.output_text.delta"));
  assert.deepEqual([...voice.errors, ...text.errors], []);

  const reported = backend.responses.map(({ response: { status, usage } }) => ({
    status,
    requests: 1,
    inputTokens: usage?.input_tokens,
    outputTokens: usage?.output_tokens,
    totalTokens: usage?.total_tokens,
    cachedTokens: usage?.input_token_details?.cached_tokens,
  }));
  const counted = [voice, text].map(({ usage }: AgentsTurn) => ({ status: "completed", ...usage }));
  assert.deepEqual(counted, reported);

  // Its close() sends an empty Close frame.
  const ends = await Promise.all(backend.upgrades.map(({ closed }) => closed));
  assert.deepEqual(ends, [{ code: 1005, reason: "" }, { code: 1005, reason: "" }]);
  assert.equal(refusal, "Unexpected server response: 404");
});

async function runAgents(
  port: number,
  urls: { readonly url: string; readonly refusedUrl: string },
): Promise<AgentsReport> {
  const { code, stdout, stderr } = await runProgram({
    entry: "tests/e2e/programs/agents.ts",
    args: [urls.url, urls.refusedUrl],
    // One of its dependencies lists all variables; there are none but those of Deno's cache.
    permissions: [`--allow-net=127.0.0.1:${port}`, "--allow-env"],
  });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  return JSON.parse(stdout);
}
