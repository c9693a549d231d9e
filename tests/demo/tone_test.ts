import assert from "node:assert/strict";
import { BYTES_PER_MS, durationMs, SAMPLE_RATE, tone } from "../../demo/tone.ts";

function samples(pcm: Uint8Array<ArrayBuffer>): Int16Array {
  return new Int16Array(pcm.buffer);
}

Deno.test("tone: 200 ms are 9,600 bytes, 12,800 base64 characters", () => {
  assert.equal(tone(200).length, 9_600);
  assert.equal(tone(200).toBase64().length, 12_800);
});

Deno.test("tone: has 220 rising zero crossings in a second", () => {
  const wave = samples(tone(1_000));
  let rising = 0;
  for (let i = 1; i < wave.length; i++) {
    if ((wave[i - 1] ?? 0) < 0 && (wave[i] ?? 0) >= 0) rising++;
  }
  assert.equal(wave.length, SAMPLE_RATE);
  // The wave starts on a crossing, which has no sample before it.
  assert.equal(rising, 219);
});

Deno.test("tone: goes on after the first second as at its start", () => {
  const long = tone(2_500);
  assert.equal(long.length, 2_500 * BYTES_PER_MS);
  assert.deepEqual(long.slice(48_000, 96_000), tone(1_000));
  assert.deepEqual(long.slice(96_000), tone(500));
});

Deno.test("durationMs: counts whole milliseconds", () => {
  assert.equal(durationMs(BYTES_PER_MS * 100), 100);
  assert.equal(durationMs(BYTES_PER_MS * 100 - 1), 99);
});

Deno.test("tone: at another rate has other bytes, and as many waves", () => {
  const wave = samples(tone(1_000, { sampleRate: 22_050 }));
  assert.equal(wave.length, 22_050);
  const rising = wave.filter((sample, i) => i > 0 && (wave[i - 1] ?? 0) < 0 && sample >= 0);
  assert.equal(rising.length, 219);
  assert.equal(tone(80, { sampleRate: 22_050 }).length, 3_528);
});
