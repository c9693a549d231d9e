/**
 * Loads that are about sessions themselves: many that begin at once, and many that do nothing.
 *
 * @module
 */

import type { IdleLoad, StormLoad } from "../plan/loads.ts";
import type { Figures } from "../report/figures.ts";
import { quantiles } from "../report/statistics.ts";
import { frame } from "./frames.ts";
import type { InSessions, LoadContext } from "./measure.ts";
import { payload } from "./payload.ts";

const HELLO_BYTES = 200;
const IDLE_HELLO_BYTES = 2_000;

/** Opens sessions as fast as they come, a number of them at once; wave after wave. */
export function runStorm(
  inSessions: InSessions,
  { sessions, atOnce, waves }: Omit<StormLoad, "kind" | "name">,
): Figures {
  const down = frame(payload(HELLO_BYTES), { masked: false });
  const wave = ({ backend, group, target, measure }: LoadContext) => {
    backend.onMessage = ({ socket }) => socket.send(down);
    const cost = measure(() =>
      group.open({ count: sessions, target, atOnce, helloBytes: () => HELLO_BYTES })
    );
    return { cost, handshakeMs: group.handshakeMs, readyMs: group.readyMs };
  };
  const all = Array.from({ length: waves }, () => inSessions(wave));
  const cost = all.map((one) => one.cost).reduce((sum, one) => sum.plus(one));
  const handshake = quantiles(all.flatMap(({ handshakeMs }) => handshakeMs));
  const ready = quantiles(all.flatMap(({ readyMs }) => readyMs));
  const { cpuMicrosPerMessage: cpuMicrosPerSession, ...shares } = cost.figures(sessions * waves);
  return {
    handshakeP50Ms: handshake.p50,
    handshakeP99Ms: handshake.p99,
    readyP50Ms: ready.p50,
    readyP99Ms: ready.p99,
    sessionsPerSecond: sessions * waves / cost.seconds,
    ...cpuMicrosPerSession === undefined ? {} : { cpuMicrosPerSession },
    ...shares,
  };
}

/** Opens sessions, lets them be, and reads how far the subject has grown. */
export function runIdle(
  { backend, group, target, residentBytes }: LoadContext,
  { sessions, settleMs }: Omit<IdleLoad, "kind" | "name">,
): Figures {
  const down = frame(payload(IDLE_HELLO_BYTES), { masked: false });
  backend.onMessage = ({ socket }) => socket.send(down);
  const before = residentBytes();
  group.open({ count: sessions, target, helloBytes: () => IDLE_HELLO_BYTES });
  group.runFor(settleMs);
  const after = residentBytes();
  const handshakeP50Ms = quantiles(group.handshakeMs).p50;
  if (before === undefined || after === undefined) return { handshakeP50Ms };
  return {
    handshakeP50Ms,
    residentBytes: after,
    residentBytesPerSession: (after - before) / sessions,
  };
}
