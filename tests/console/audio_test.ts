import assert from "node:assert/strict";
import {
  fromBase64,
  fromPcm16,
  pcmMilliseconds,
  toBase64,
  toPcm16,
} from "../../src/console/page/audio/pcm.ts";
import { Resampler } from "../../src/console/page/audio/resampler.ts";
import { sampleTone, silence } from "../../src/console/page/audio/sample_tone.ts";

Deno.test("toPcm16() writes little-endian samples and cuts off what is too loud", () => {
  const bytes = toPcm16(new Float32Array([0, 1, -1, 2, -2, 0.5]));
  const view = new DataView(bytes.buffer);
  const samples = Array.from({ length: 6 }, (_, index) => view.getInt16(index * 2, true));
  assert.deepEqual(samples, [0, 32_767, -32_768, 32_767, -32_768, 16_384]);
});

Deno.test("fromPcm16() reads what toPcm16() wrote, also out of the middle of a buffer", () => {
  const bytes = toPcm16(new Float32Array([0.25, -0.25]));
  const padded = new Uint8Array(6);
  padded.set(bytes, 1);
  const samples = fromPcm16(padded.subarray(1, 6));
  assert.equal(samples.length, 2, "the odd byte is left out");
  assert.ok(Math.abs(samples[0]! - 0.25) < 1e-4 && Math.abs(samples[1]! + 0.25) < 1e-4);
});

Deno.test("base64 of any length comes back, and what is none is refused", () => {
  for (const length of [0, 1, 2, 3, 20_000]) {
    const bytes = Uint8Array.from({ length }, (_, index) => index % 256);
    assert.equal(toBase64(bytes), bytes.toBase64());
    assert.deepEqual(fromBase64(toBase64(bytes)), bytes);
  }
  assert.equal(fromBase64("*"), null);
});

Deno.test("sampleTone() is as long as asked for, is heard, and begins and ends softly", () => {
  const tone = sampleTone(500);
  assert.equal(pcmMilliseconds(tone.length, 24_000), 500);
  const samples = fromPcm16(tone);
  const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  assert.ok(loudest > 0.25 && loudest < 0.35, `${loudest}`);
  assert.ok(Math.abs(samples[0]!) < 0.01 && Math.abs(samples.at(-1)!) < 0.01);
  assert.deepEqual(silence(100), new Uint8Array(4_800));
});

/** A wave as a resampler of another rate gives it. */
function resampled(rates: { from: number; to: number }, hertz: number, piece: number) {
  const wave = Float32Array.from(
    { length: rates.from },
    (_, index) => Math.sin((2 * Math.PI * hertz * index) / rates.from),
  );
  const resampler = new Resampler(rates);
  const out: number[] = [];
  for (let at = 0; at < wave.length; at += piece) {
    out.push(...resampler.push(wave.subarray(at, at + piece)));
  }
  return out;
}

Deno.test.each([48_000, 44_100, 24_000, 16_000])(
  "Resampler makes one second of one second at %d samples",
  (from) => {
    const { length } = resampled({ from, to: 24_000 }, 440, 128);
    assert.ok(Math.abs(length - 24_000) <= 1, `${length}`);
  },
);

Deno.test("Resampler gives the same for any pieces", () => {
  const rates = { from: 44_100, to: 24_000 };
  const whole = resampled(rates, 440, 44_100);
  for (const piece of [1, 128, 1_000]) {
    const pieces = resampled(rates, 440, piece);
    assert.equal(pieces.length, whole.length);
    assert.ok(pieces.every((sample, at) => Math.abs(sample - whole[at]!) < 1e-6));
  }
});

Deno.test("Resampler keeps a voice's frequencies and takes down those that the new rate has not", () => {
  const rates = { from: 48_000, to: 24_000 };
  const level = (samples: readonly number[]) =>
    Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
  assert.ok(level(resampled(rates, 440, 128)) > 0.7, "440 Hz stays");
  assert.ok(level(resampled(rates, 23_560, 128)) < 0.05, "23,560 Hz would be heard as 440 Hz");
});
