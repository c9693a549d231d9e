/**
 * `main.ts [SUBJECT_CORE]`: the driver, which is the fake backend and the clients in one process. It prints
 * the backend's port, then does what every line of JSON asks of it and answers each with a line. With a core,
 * it says how far that one is from its own.
 *
 * @module
 */

import type { Load } from "../plan/loads.ts";
import type { Figures } from "../report/figures.ts";
import { FakeBackend } from "./backend.ts";
import type { Target } from "./client_session.ts";
import { runClosedLoop } from "./closed_loop.ts";
import { CoreDistance } from "./core_distance.ts";
import { linesOf } from "./lines.ts";
import { Loop } from "./loop.ts";
import { type InSessions, type LoadContext, measureOf } from "./measure.ts";
import { runPaced } from "./paced.ts";
import { costOf } from "./process_cost.ts";
import { SessionGroup } from "./sessions.ts";
import { runIdle, runStorm } from "./storm.ts";

/** What the driver is asked. */
export type DriverRequest = LoadRequest | { readonly ask: "distance" };

/** A load that it is to run. */
export interface LoadRequest {
  readonly ask: "load";
  readonly target: Target;
  /** The subject's process; undefined when nothing is in between. */
  readonly pid?: number;
  /** Carried before the load, in sessions of its own, so that the subject has compiled what it runs. */
  readonly warmUpMs: number;
  readonly load: Load;
  /** Programs that keep the cores awake: they are no others that disturb. */
  readonly awakePids: readonly number[];
}

/** What it answers; the distance is there when it was asked for, and only on two cores. */
export type DriverAnswer =
  | { readonly figures: Figures }
  | { readonly distanceNs: number | undefined }
  | { readonly fault: string };

const BACKEND_TIMEOUT_MS = 1_000;

const [core] = Deno.args;
using distance = core === undefined ? undefined : await CoreDistance.start(Number(core));
const loop = new Loop();
const backend = new FakeBackend(loop);
print(String(backend.port));
for await (const line of linesOf(Deno.stdin.readable)) {
  print(JSON.stringify(answer(JSON.parse(line))));
}

function answer(request: DriverRequest): DriverAnswer {
  if (request.ask === "distance") return { distanceNs: distance?.measure() };
  try {
    if (request.warmUpMs > 0) {
      withSessions(request, (context) =>
        runClosedLoop(context, {
          sessions: 8,
          inFlight: 4,
          messageBytes: 2_500,
          durationMs: request.warmUpMs,
        }));
    }
    const before = distance?.measure() ?? 0;
    const figures = runLoad((run) => withSessions(request, run), request.load);
    const coreDistanceNs = Math.max(before, distance?.measure() ?? 0);
    return { figures: coreDistanceNs === 0 ? figures : { ...figures, coreDistanceNs } };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

function withSessions<T>(
  { target, pid, awakePids }: LoadRequest,
  run: (context: LoadContext) => T,
): T {
  const group = new SessionGroup(loop);
  try {
    const result = run({
      backend,
      group,
      target,
      measure: measureOf({ pid, awakePids }),
      residentBytes: () => pid === undefined ? undefined : costOf(pid).residentBytes,
    });
    backend.onMessage = () => {};
    group.close();
    group.runUntil(() => backend.open === 0, BACKEND_TIMEOUT_MS);
    return result;
  } finally {
    group.abort();
    backend.reset();
  }
}

function runLoad(inSessions: InSessions, load: Load): Figures {
  switch (load.kind) {
    case "closed":
      return inSessions((context) => runClosedLoop(context, load));
    case "paced":
      return inSessions((context) => runPaced(context, load));
    case "storm":
      return runStorm(inSessions, load);
    case "idle":
      return inSessions((context) => runIdle(context, load));
  }
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
