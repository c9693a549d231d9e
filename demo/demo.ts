/**
 * The demo: a voice backend, a router in front of it, and one voice turn through both.
 *
 * @module
 */

import { type DemoBackend, startDemoBackend } from "./backend.ts";
import { runVoiceTurn, type TurnUsage, withModel } from "./voice_turn.ts";

const MODEL = "demo-voice";
const FIRST_PORT = 9_099;
const PORTS_TO_TRY = 20;

/** A router, as far as the demo needs one. */
export interface DemoRouter {
  /** Where clients connect: `ws://127.0.0.1:8080/v1/realtime`. */
  readonly url: string;
  /** What the router metered so far; leave it out when the router cannot tell. */
  readonly usage?: () => Promise<TurnUsage | null>;
  /** Where people look at it: `http://127.0.0.1:8080/console`; leave it out when there is no such page. */
  readonly consoleUrl?: string;
  close(): Promise<void>;
}

/** Options of {@link runDemo}. */
export interface DemoOptions {
  /** Starts a router whose only backend is the one at `backendUrl` (`ws://127.0.0.1:9099/v1/realtime`). */
  readonly startRouter: (backendUrl: string) => Promise<DemoRouter>;
  /** Whether to end after the turn. */
  readonly once: boolean;
  /** Prints one line. */
  readonly log: (line: string) => void;
  /** Resolves when the demo is to end; not asked with `once`. */
  readonly untilStopped: () => Promise<void>;
  /** The backend's port; when it is taken, the next free one; 0 takes any. @default {9099} */
  readonly backendPort?: number;
}

/**
 * Runs the demo to its end.
 *
 * @throws {Error} When the backend or the router does not start, or the turn fails; both are closed by then.
 */
export async function runDemo(options: DemoOptions): Promise<void> {
  const { log } = options;
  await using backend = await startBackend(options.backendPort ?? FIRST_PORT);
  const router = await options.startRouter(backend.url);
  try {
    log(`demo backend  ${backend.url}`);
    log(`router        ${router.url}`);
    log("");
    log("One voice turn through the router:");
    log("");
    await runVoiceTurn(router.url, { model: MODEL, log });
    const metered = await router.usage?.() ?? null;
    if (metered !== null) {
      const { input, cached, output } = metered;
      log(`  metered by router    input ${input}, of it cached ${cached}, output ${output}`);
    }
    log("");
    log(`Connect a client to  ${withModel(router.url, MODEL)}`);
    if (options.once) return;
    if (router.consoleUrl !== undefined) log(`Look at it at        ${router.consoleUrl}`);
    log("Ctrl+C ends the demo.");
    await options.untilStopped();
  } finally {
    await router.close();
  }
}

async function startBackend(firstPort: number): Promise<DemoBackend> {
  for (let port = firstPort; port < firstPort + PORTS_TO_TRY; port++) {
    try {
      return await startDemoBackend({ port, models: [MODEL] });
    } catch (error) {
      if (!isAddressInUse(error)) throw error;
    }
  }
  throw new Error(`Cannot start the demo backend: ports from ${firstPort} on are taken`);
}

function isAddressInUse(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}
