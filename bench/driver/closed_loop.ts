/**
 * A closed loop: every session sends its next message when the answer to an earlier one has come.
 *
 * @module
 */

import type { ClosedLoad } from "../plan/loads.ts";
import type { Figures } from "../report/figures.ts";
import { quantiles } from "../report/statistics.ts";
import { frame } from "./frames.ts";
import type { LoadContext } from "./measure.ts";
import { payload } from "./payload.ts";

const HELLO_BYTES = 200;

/** Warms up for a quarter of the time, then measures. */
export function runClosedLoop(
  { backend, group, target, measure }: LoadContext,
  { sessions, inFlight, messageBytes, durationMs }: Omit<ClosedLoad, "kind" | "name">,
): Figures {
  const up = frame(payload(messageBytes), { masked: true });
  const down = frame(payload(messageBytes), { masked: false });
  backend.onMessage = ({ socket }) => socket.send(down);
  group.open({ count: sessions, target, helloBytes: () => HELLO_BYTES });

  const sentMs = group.sessions.map(() => new Float64Array(inFlight));
  const turns = new Uint32Array(sessions);
  const times: number[] = [];
  let roundTrips = 0;
  group.onMessage = (session, payloadBytes) => {
    if (payloadBytes !== messageBytes) throw new Error(`an answer of ${payloadBytes} bytes`);
    const nowMs = performance.now();
    const slot = turns[session.index]!++ % inFlight;
    const slots = sentMs[session.index]!;
    roundTrips++;
    times.push(nowMs - slots[slot]!);
    slots[slot] = nowMs;
    session.send(up);
  };
  for (const session of group.sessions) {
    for (let slot = 0; slot < inFlight; slot++) {
      sentMs[session.index]![slot] = performance.now();
      session.send(up);
    }
  }
  group.runFor(durationMs / 4);
  times.length = roundTrips = 0;
  const cost = measure(() => group.runFor(durationMs));
  const { p50, p95, p99 } = quantiles(times);
  const handshakes = quantiles(group.handshakeMs);
  const messages = 2 * roundTrips;
  return {
    p50Ms: p50,
    p95Ms: p95,
    p99Ms: p99,
    messagesPerSecond: messages / cost.seconds,
    handshakeP50Ms: handshakes.p50,
    ...cost.figures(messages),
  };
}
