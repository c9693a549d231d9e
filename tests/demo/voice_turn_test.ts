import assert from "node:assert/strict";
import { runVoiceTurn, startDemoBackend } from "../../demo/mod.ts";
import { withModel } from "../../demo/voice_turn.ts";

Deno.test("runVoiceTurn: has a turn and prints kinds, counts and sizes", async () => {
  await using backend = await startDemoBackend({ speed: 50, apiKey: "backend-key" });
  const lines: string[] = [];
  const result = await runVoiceTurn(backend.url, {
    model: "demo-voice",
    headers: { authorization: "Bearer backend-key" },
    log: (line) => lines.push(line),
  });
  assert.deepEqual([result.status, result.usage], ["completed", {
    input: 10,
    cached: 0,
    output: 78,
  }]);
  assert.ok(result.firstAudioMs !== null && result.firstAudioMs <= result.turnMs);
  const kinds = lines.map((line) =>
    line.match(/([→←])\s+(\S+)(?: (×\d+))?/)?.slice(1).join(" ").trim()
  );
  assert.deepEqual(kinds.filter((kind) => kind !== undefined).slice(0, 12), [
    "← session.created",
    "→ session.update",
    "← session.updated",
    "→ input_audio_buffer.append ×10",
    "→ input_audio_buffer.commit",
    "→ response.create",
    "← input_audio_buffer.committed",
    "← conversation.item.added",
    "← conversation.item.done",
    "← response.created",
    "← response.output_item.added",
    "← conversation.item.added",
  ]);
  assert.ok(kinds.includes("← response.output_audio.delta ×15"));
  assert.ok(lines.some((line) => /usage +input 10, of it cached 0, output 78/.test(line)));
});

Deno.test("runVoiceTurn: prints nothing of what was said", async () => {
  await using backend = await startDemoBackend({ speed: 50 });
  const lines: string[] = [];
  await runVoiceTurn(backend.url, {
    model: "demo-voice",
    answerS: 0.4,
    log: (line) => lines.push(line),
  });
  const text = lines.join("\n");
  assert.equal(text.includes("Hello"), false);
  assert.equal(text.includes("_0001"), false);
});

Deno.test("runVoiceTurn: a refused connection fails", async () => {
  await using backend = await startDemoBackend({ apiKey: "backend-key" });
  const turn = runVoiceTurn(backend.url, { model: "demo-voice", log: () => {} });
  await assert.rejects(turn, /The connection failed: .*401/);
});

Deno.test("runVoiceTurn: an error event fails, naming the code", async () => {
  await using backend = await startDemoBackend({ speed: 50 });
  const turn = runVoiceTurn(backend.url, { model: "demo-voice", speechMs: 50, log: () => {} });
  await assert.rejects(turn, /The server reported an error: input_audio_buffer_commit_empty/);
});

Deno.test("runVoiceTurn: a connection that ends early fails", async () => {
  await using backend = await startDemoBackend({ speed: 1, maxSessionMs: 50 });
  const turn = runVoiceTurn(backend.url, { model: "demo-voice", log: () => {} });
  await assert.rejects(turn, /session_expired/);
});

Deno.test("runVoiceTurn: a turn that takes too long fails", async () => {
  await using backend = await startDemoBackend({ speed: 0.01 });
  const turn = runVoiceTurn(backend.url, { model: "demo-voice", timeoutMs: 50, log: () => {} });
  await assert.rejects(turn, /took too long/);
});

Deno.test("withModel: adds the model unless the URL has one", () => {
  assert.equal(withModel("ws://a/v1/realtime", "org/m 1"), "ws://a/v1/realtime?model=org%2Fm+1");
  assert.equal(withModel("ws://a/v1/realtime?model=x", "m"), "ws://a/v1/realtime?model=x");
});
