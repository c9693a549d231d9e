/**
 * Thousands of sessions that end in every way there is; afterwards nothing is left of them.
 *
 * Needs net, run of Deno itself, its own /proc, the folder of the tests' routers, and `gc` from
 * `--v8-flags=--expose-gc`: what is only waiting to be collected is no leak. Linux only.
 */

import assert from "node:assert/strict";
import { descriptorCount } from "../support/resident_memory.ts";
import { startTestRouter, type TestRouter } from "../support/test_router.ts";

const ROUNDS = 10;
const SESSIONS_A_ROUND = 500;
/** What the later rounds may add to the earlier ones: under 8 KiB a session. */
const ALLOWED_GROWTH_MIB = 16;

Deno.test(`soak: ${ROUNDS * SESSIONS_A_ROUND} sessions leave nothing behind`, async () => {
  await using load = await startLoad();
  await using test = await startTestRouter({
    backends: [`ws://127.0.0.1:${load.backendPort}`],
    realtime: 'idle_timeout: "400ms", max_sessions: 500',
    yaml: "circuit_breaker: { enabled: false }",
  });
  const restFds = await descriptorCount(Deno.pid);
  let sessions = 0;
  const memoryMiB: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    sessions += SESSIONS_A_ROUND - await load.runRound(test.port);
    await assertAtRest(test, { sessions, restFds });
    memoryMiB.push(collectedMiB());
  }
  report(`memory after each round: ${memoryMiB.map((mib) => mib.toFixed(0)).join(", ")} MiB`);
  // The allocator takes and keeps memory in steps, at other rounds each time, so that only the middle of several
  // rounds tells of a leak.
  const [_warmUp, ...rounds] = memoryMiB;
  const half = Math.floor(rounds.length / 2);
  const grown = medianOf(rounds.slice(half)) - medianOf(rounds.slice(0, half));
  assert.ok(grown <= ALLOWED_GROWTH_MIB, `the second half added ${grown} MiB`);
});

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

async function assertAtRest(
  { router, metric }: TestRouter,
  expected: { readonly sessions: number; readonly restFds: number },
): Promise<void> {
  await router.sessions.whenEmpty();
  assert.equal(router.permitsHeld(), 0);
  assert.equal(router.openTickets(), 0);
  assert.equal(await metric("realtime_active_sessions"), 0);
  const counts: Record<string, number> = {};
  for (const outcome of ["completed", "idle_timeout", "client_abort", "backend_abort"]) {
    counts[outcome] = await metric("realtime_sessions_total", { outcome });
    assert.ok(counts[outcome] > 0, outcome);
  }
  report(JSON.stringify(counts));
  assert.equal(Object.values(counts).reduce((sum, count) => sum + count), expected.sessions);
  // Connections without a session end by themselves, within the turns that this waits for.
  while (router.connectionCount() > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(await descriptorCount(Deno.pid) <= expected.restFds + 3);
}

interface Load extends AsyncDisposable {
  readonly backendPort: number;
  /** Runs one round. Resolves to the number of clients that never asked for a session. */
  runRound(port: number): Promise<number>;
}

async function startLoad(): Promise<Load> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--allow-net=127.0.0.1",
      new URL("load.ts", import.meta.url).pathname,
      `${SESSIONS_A_ROUND}`,
    ],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const input = child.stdin.getWriter();
  const readNumber = async () => Number((await lines.read()).value?.trim() ?? NaN);
  return {
    backendPort: await readNumber(),
    runRound: async (port) => {
      await input.write(new TextEncoder().encode(`${port}\n`));
      const unopened = await readNumber();
      assert.ok(unopened > 0, "the load failed");
      return unopened;
    },
    [Symbol.asyncDispose]: async () => {
      await input.close();
      await child.status;
      await lines.cancel();
    },
  };
}

/** Resident memory of this process, in MiB, without what is only waiting to be collected. */
function collectedMiB(): number {
  const { gc } = globalThis as { gc?: () => void };
  assert.ok(gc, "run with --v8-flags=--expose-gc");
  gc();
  gc();
  return Deno.memoryUsage().rss / 1024 / 1024;
}

function report(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`    ${line}\n`));
}
