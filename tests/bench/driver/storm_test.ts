import assert from "node:assert/strict";
import { Cost, type InSessions, type LoadContext } from "../../../bench/driver/measure.ts";
import { runStorm } from "../../../bench/driver/storm.ts";

/** Sessions that all take 5 ms; a wave takes a second, of which the subject is busy for half. */
function inSessions(): { readonly run: InSessions; readonly waves: () => number } {
  let waves = 0;
  const run: InSessions = (load) => {
    const number = ++waves;
    const group = {
      handshakeMs: [] as number[],
      readyMs: [] as number[],
      open: ({ count }: { readonly count: number }) => {
        for (let i = 0; i < count; i++) {
          group.handshakeMs.push(5);
          group.readyMs.push(10 * number);
        }
      },
    };
    const measure = (what: () => void) => {
      what();
      const subject = { cpuMicros: 500_000, residentBytes: 1_000 * number };
      return new Cost(1, { driverMicros: 125_000, othersMicros: 0, subject });
    };
    const context = { backend: {}, group, target: { port: 1, path: "/" }, measure };
    return load(context as unknown as LoadContext);
  };
  return { run, waves: () => waves };
}

Deno.test("runStorm: figures of all waves together", () => {
  const { run, waves } = inSessions();
  const figures = runStorm(run, { sessions: 100, atOnce: 10, waves: 3 });
  assert.equal(waves(), 3);
  assert.deepEqual(figures, {
    ...{ handshakeP50Ms: 5, handshakeP99Ms: 5, readyP50Ms: 20, readyP99Ms: 30 },
    ...{ sessionsPerSecond: 100, cpuMicrosPerSession: 5_000 },
    ...{ driverShare: 0.125, othersShare: 0, subjectShare: 0.5, residentBytes: 3_000 },
  });
});
