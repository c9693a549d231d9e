/**
 * `deno task bench:scan`: what looking at frames costs, without any socket.
 *
 * @module
 */

import { FrameScanner } from "../src/wire/mod.ts";

const CHUNK_BYTES = 16 * 1024;

for (const payloadBytes of [100, 1_300, 2_500, 13_000, 64_000]) {
  const headerBytes = payloadBytes > 65_535 ? 14 : payloadBytes > 125 ? 8 : 6;
  const frame = new Uint8Array(headerBytes + payloadBytes);
  frame[0] = 0x82;
  if (headerBytes === 6) frame[1] = 0x80 | payloadBytes;
  else frame.set([0x80 | 126, payloadBytes >> 8, payloadBytes & 0xff], 1);
  const count = Math.ceil((4 * 1024 * 1024) / frame.length);
  const bytes = new Uint8Array(count * frame.length);
  for (let i = 0; i < count; i++) bytes.set(frame, i * frame.length);
  const runs = 30;
  let microseconds = Infinity;
  for (let run = 0; run < runs; run++) {
    const scanner = new FrameScanner({ masked: true, maxMessageBytes: 4 * 1024 * 1024 });
    const startedMs = performance.now();
    for (let at = 0; at < bytes.length;) {
      const chunk = bytes.subarray(at, at + CHUNK_BYTES);
      at += scanner.scan(chunk, chunk.length);
    }
    microseconds = Math.min(microseconds, (performance.now() - startedMs) * 1000);
    if (scanner.messages !== count) throw new Error("lost count");
  }
  Deno.stdout.writeSync(new TextEncoder().encode(
    `${String(payloadBytes).padStart(6)} B: ${(microseconds / count).toFixed(3)} µs a frame\n`,
  ));
}
