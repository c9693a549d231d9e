import assert from "node:assert/strict";
import { formatBytes, Timeline } from "../../demo/timeline.ts";

Deno.test("Timeline: joins alternating streams into one line each, in the order they began", () => {
  const lines: string[] = [];
  let nowMs = 1_000;
  const timeline = new Timeline({ log: (line) => lines.push(line), nowMs: () => nowMs });
  timeline.add("→", "session.update", { bytes: 97 });
  for (let n = 0; n < 15; n++) {
    nowMs += 10;
    timeline.add("←", "response.output_audio_transcript.delta", { bytes: 190 });
    timeline.add("←", "response.output_audio.delta", { bytes: 13_000 });
  }
  nowMs += 5;
  timeline.add("←", "response.done", { bytes: 890 });
  assert.deepEqual(lines.map((line) => line.trim().split(/\s{2,}/)), [
    ["+0 ms", "→", "session.update", "97 B"],
    ["+10 ms", "←", "response.output_audio_transcript.delta ×15", "2.9 KB", "in 140 ms"],
    ["+10 ms", "←", "response.output_audio.delta ×15", "195.0 KB", "in 140 ms"],
    ["+155 ms", "←", "response.done", "890 B"],
  ]);
});

Deno.test("Timeline.flush: writes a stream that has not ended, once", () => {
  const lines: string[] = [];
  const timeline = new Timeline({ log: (line) => lines.push(line), nowMs: () => 0 });
  timeline.add("←", "response.output_text.delta", { bytes: 10 });
  assert.equal(lines.length, 0);
  timeline.flush();
  timeline.flush();
  assert.equal(lines.length, 1);
});

Deno.test("Timeline: the other side's kinds cannot steer the terminal", () => {
  const lines: string[] = [];
  const timeline = new Timeline({ log: (line) => lines.push(line), nowMs: () => 0 });
  timeline.add("←", `\u001b[2J${"x".repeat(500)}`, { bytes: 10 });
  assert.match(lines[0] ?? "", /\?\?2Jx+ /);
  assert.ok((lines[0] ?? "").length < 120);
});

Deno.test("formatBytes: bytes, then kilobytes of 1,000", () => {
  assert.deepEqual([formatBytes(999), formatBytes(1_000), formatBytes(194_640)], [
    "999 B",
    "1.0 KB",
    "194.6 KB",
  ]);
});
