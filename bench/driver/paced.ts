/**
 * Paced sessions: messages leave when they are due, whatever came of the earlier ones. The sessions are spread
 * evenly over the time between two messages.
 *
 * @module
 */

import { type PacedLoad, streamOf } from "../plan/loads.ts";
import type { Figures } from "../report/figures.ts";
import { quantiles } from "../report/statistics.ts";
import type { BackendSession } from "./backend.ts";
import { frame } from "./frames.ts";
import type { LoadContext } from "./measure.ts";
import { payload } from "./payload.ts";

/** The first message of a session is this long and longer by its number, so that the backend knows whose it is. */
const FIRST_HELLO_BYTES = 200;
const WARM_UP_MS = 1_000;

/** Warms up for a second, then measures. */
export function runPaced(
  { backend, group, target, measure }: LoadContext,
  { pattern, sessions, durationMs }: Omit<PacedLoad, "kind" | "name">,
): Figures {
  const stream = streamOf({ pattern, sessions });
  const up = frame(payload(stream.upBytes), { masked: true });
  const down = frame(payload(stream.downBytes), { masked: false });
  /** Every session has its burst at another time. */
  const isAnswered = (index: number, number: number) => (number + index) % stream.answerEvery === 0;
  /** When each message of a session left, in its order. */
  const sentMs: number[][] = Array.from({ length: sessions }, () => []);
  /** The messages whose bursts are to come. */
  const asked: number[][] = Array.from({ length: sessions }, () => []);
  const downCounts = new Uint32Array(sessions);
  const counts = { due: 0, up: 0, down: 0 };
  const times: { up: number[]; turns: number[]; late: number[] } = { up: [], turns: [], late: [] };

  backend.onMessage = (session, payloadBytes) => {
    if (session.received === 1) return session.socket.send(down);
    if (payloadBytes !== stream.upBytes) throw new Error(`a message of ${payloadBytes} bytes`);
    const index = session.firstBytes - FIRST_HELLO_BYTES;
    const number = session.received - 2;
    counts.up++;
    times.up.push(performance.now() - sentMs[index]![number]!);
    if (isAnswered(index, number)) sendBurst(session, { down, burst: stream.burst });
  };
  group.open({ count: sessions, target, helloBytes: (index) => FIRST_HELLO_BYTES + index });
  group.onMessage = ({ index }, payloadBytes) => {
    if (payloadBytes !== stream.downBytes) throw new Error(`a message of ${payloadBytes} bytes`);
    counts.down++;
    if (downCounts[index]!++ % stream.burst !== 0) return;
    times.turns.push(performance.now() - asked[index]!.shift()!);
  };

  const everyMs = 1000 / stream.perSecond / sessions;
  const startMs = performance.now();
  let next = 0;
  const dueMs = (nowMs: number) => {
    for (; startMs + next * everyMs <= nowMs; next++) {
      const session = group.sessions[next % sessions]!;
      counts.due++;
      times.late.push(nowMs - startMs - next * everyMs);
      // A session whose subject takes nothing falls behind; it is not given more to keep.
      if (session.isBlocked) continue;
      const sent = sentMs[session.index]!;
      const atMs = performance.now();
      if (isAnswered(session.index, sent.length)) asked[session.index]!.push(atMs);
      sent.push(atMs);
      session.send(up);
    }
    return startMs + next * everyMs;
  };
  group.runFor(WARM_UP_MS, dueMs);
  counts.due = counts.up = counts.down = 0;
  times.up.length = times.turns.length = times.late.length = 0;
  const cost = measure(() => group.runFor(durationMs, dueMs));
  const arrived = { ...counts };
  const turns = quantiles(times.turns);
  const ways = quantiles(times.up);
  return {
    p50Ms: turns.p50,
    p95Ms: turns.p95,
    p99Ms: turns.p99,
    upP50Ms: ways.p50,
    upP99Ms: ways.p99,
    messagesPerSecond: (arrived.up + arrived.down) / cost.seconds,
    handshakeP50Ms: quantiles(group.handshakeMs).p50,
    lateP99Ms: quantiles(times.late).p99,
    arrivedShare: Math.min(1, arrived.up / arrived.due),
    ...cost.figures(arrived.up + arrived.down),
  };
}

function sendBurst(
  { socket }: BackendSession,
  { down, burst }: { readonly down: Uint8Array<ArrayBuffer>; readonly burst: number },
): void {
  for (let i = 0; i < burst; i++) socket.send(down);
}
