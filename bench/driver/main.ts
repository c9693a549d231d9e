/**
 * The driver: the fake backend and the clients, in one process. It prints the backend's port, then runs a
 * load for every line of JSON that it is given and answers each with a line.
 *
 * @module
 */

import type { Load } from "../plan/loads.ts";
import type { Figures } from "../report/figures.ts";
import { FakeBackend } from "./backend.ts";
import type { Target } from "./client_session.ts";
import { runClosedLoop } from "./closed_loop.ts";
import { linesOf } from "./lines.ts";
import { Loop } from "./loop.ts";
import { type LoadContext, measureOf } from "./measure.ts";
import { runPaced } from "./paced.ts";
import { costOf } from "./process_cost.ts";
import { SessionGroup } from "./sessions.ts";
import { runIdle, runStorm } from "./storm.ts";

/** What the driver is asked. */
export interface DriverRequest {
  readonly target: Target;
  /** The subject's process; undefined when nothing is in between. */
  readonly pid?: number;
  /** Carried before the load, in sessions of its own, so that the subject has compiled what it runs. */
  readonly warmUpMs: number;
  readonly load: Load;
}

/** What it answers. */
export type DriverAnswer = { readonly figures: Figures } | { readonly fault: string };

const BACKEND_TIMEOUT_MS = 1_000;

const loop = new Loop();
const backend = new FakeBackend(loop);
print(String(backend.port));
for await (const line of linesOf(Deno.stdin.readable)) {
  print(JSON.stringify(answer(JSON.parse(line))));
}

function answer(request: DriverRequest): DriverAnswer {
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
    return { figures: withSessions(request, (context) => runLoad(context, request.load)) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

function withSessions(
  { target, pid }: DriverRequest,
  run: (context: LoadContext) => Figures,
): Figures {
  const group = new SessionGroup(loop);
  try {
    const figures = run({
      backend,
      group,
      target,
      measure: measureOf(pid),
      residentBytes: () => pid === undefined ? undefined : costOf(pid).residentBytes,
    });
    backend.onMessage = () => {};
    group.close();
    group.runUntil(() => backend.open === 0, BACKEND_TIMEOUT_MS);
    return figures;
  } finally {
    group.abort();
    backend.reset();
  }
}

function runLoad(context: LoadContext, load: Load): Figures {
  switch (load.kind) {
    case "closed":
      return runClosedLoop(context, load);
    case "paced":
      return runPaced(context, load);
    case "storm":
      return runStorm(context, load);
    case "idle":
      return runIdle(context, load);
  }
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
