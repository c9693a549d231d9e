import assert from "node:assert/strict";
import { BYTES_PER_MS, tone } from "../../demo/tone.ts";
import { EnergyVad, type VadEvent } from "../../demo/vad.ts";

const SETTINGS = { prefixPaddingMs: 300, silenceDurationMs: 200 };

function silence(ms: number): Uint8Array {
  return new Uint8Array(ms * BYTES_PER_MS);
}

function join(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Feeds `pcm` in pieces of `pieceBytes`. */
function events(pcm: Uint8Array, pieceBytes: number): VadEvent[] {
  const vad = new EnergyVad();
  const all: VadEvent[] = [];
  for (let at = 0; at < pcm.length; at += pieceBytes) {
    for (const { event } of vad.listen(pcm.subarray(at, at + pieceBytes), SETTINGS)) {
      if (event !== null) all.push(event);
    }
  }
  return all;
}

const TWO_TURNS = join(silence(500), tone(400), silence(300), tone(100), silence(400));
const EXPECTED: VadEvent[] = [
  { kind: "started", audioStartMs: 200 },
  { kind: "stopped", audioEndMs: 1_100 },
  { kind: "started", audioStartMs: 900 },
  { kind: "stopped", audioEndMs: 1_500 },
];

Deno.test.each([
  { name: "20 ms", bytes: 960 },
  { name: "100 ms", bytes: 4_800 },
  { name: "everything at once", bytes: TWO_TURNS.length },
  { name: "odd numbers of bytes", bytes: 1_001 },
])("EnergyVad.listen: finds the same turns in pieces of $name", ({ bytes }) => {
  assert.deepEqual(events(TWO_TURNS, bytes), EXPECTED);
});

Deno.test("EnergyVad.listen: a pause shorter than the silence does not end a turn", () => {
  const pcm = join(tone(200), silence(180), tone(200), silence(200));
  assert.deepEqual(events(pcm, 960), [
    { kind: "started", audioStartMs: 0 },
    { kind: "stopped", audioEndMs: 780 },
  ]);
});

Deno.test("EnergyVad.listen: hands on every byte, in whole windows", () => {
  const vad = new EnergyVad();
  const pcm = tone(50);
  const windows = [...vad.listen(pcm, SETTINGS)].map((window) => window.pcm);
  assert.deepEqual(join(...windows, vad.endTurn()), new Uint8Array(pcm));
  assert.equal(windows.length, 2);
  assert.equal(vad.speaking, false);
});
