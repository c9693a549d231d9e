/**
 * Load: sessions that each keep a number of messages in flight, and the time of every round trip.
 *
 * @module
 */

import { WebSocket } from "ws";

/** A closed loop. */
export interface ClosedLoop {
  readonly url: string;
  readonly sessions: number;
  readonly inFlight: number;
  readonly messageBytes: number;
  /** How long is measured, after a tenth of it to warm up. */
  readonly durationMs: number;
  /** Told when measuring begins and ends. */
  readonly onPhase?: (phase: "begin" | "end") => Promise<void>;
}

/** What came of it. */
export interface LoopResult {
  /** Round trips in the measured time. */
  readonly roundTrips: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

/** Runs it. */
export async function runClosedLoop(loop: ClosedLoop): Promise<LoopResult> {
  const sockets = await Promise.all(Array.from({ length: loop.sessions }, () => open(loop.url)));
  const payload = audioDelta(loop.messageBytes);
  const times: number[] = [];
  let measuring = false;
  let running = true;
  for (const socket of sockets) {
    const sent: number[] = [];
    const send = () => {
      sent.push(performance.now());
      socket.send(payload);
    };
    socket.on("message", () => {
      const startedMs = sent.shift();
      if (measuring && startedMs !== undefined) times.push(performance.now() - startedMs);
      if (running) send();
    });
    for (let i = 0; i < loop.inFlight; i++) send();
  }
  await wait(loop.durationMs / 10);
  await loop.onPhase?.("begin");
  measuring = true;
  await wait(loop.durationMs);
  measuring = false;
  await loop.onPhase?.("end");
  running = false;
  for (const socket of sockets) socket.terminate();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? NaN;
  return { roundTrips: times.length, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}

/** Opens a session and waits until its backend answers. */
export async function open(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.on("error", reject);
  socket.once("message", () => resolve());
  socket.once("open", () => socket.send("hello"));
  await promise;
  return socket;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A text of that many bytes, shaped as what backends send most. */
function audioDelta(bytes: number): string {
  const [head, tail] = ['{"type":"response.output_audio.delta","delta":"', '"}'];
  return head + "A".repeat(Math.max(0, bytes - head.length - tail.length)) + tail;
}
