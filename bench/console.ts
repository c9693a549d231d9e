/**
 * `deno run -A bench/console.ts [SECONDS [ROUNDS]]`: what the console costs the router while 1,000 sessions a
 * minute start and end, and whether its page stays responsive. Phases with and without the page alternate.
 *
 * @module
 */

import type { Browser, Page } from "playwright-core";
import { WebSocket, WebSocketServer } from "ws";
import { startChromium } from "../tests/support/chromium.ts";
import { costOf } from "./driver/process_cost.ts";
import { startSubject } from "./run/running_subject.ts";
import { subject } from "./subjects/router.ts";

const seconds = Number(Deno.args[0] ?? 30);
const rounds = Number(Deno.args[1] ?? 3);
const STARTS_A_MINUTE = 1_000;
const SESSION_MS = 2_000;
const SETTLE_MS = 3_000;

/** The backend sends it back: each session makes one usage record. */
const DONE = JSON.stringify({
  type: "response.done",
  response: { id: "r", status: "completed", usage: { input_tokens: 120, output_tokens: 340 } },
});

/** What a page saw of itself. */
interface Responsiveness {
  /** Between two frames. */
  readonly longestGapMs: number;
  /** Times that the page's thread was busy for 50 ms or more in one go. */
  readonly longTasks: number;
  /** Share of the time that the page's thread was busy with scripts, layout and painting. */
  readonly busyShare: number;
}

// Whatever was started is ended at the end of the module.
using backend = echoBackend();
await using router = await startSubject(subject, { backendPort: backend.port });
await using chromium = await startChromium();
let sessions = 0;
let running = 0;
const load = setInterval(runSession, 60_000 / STARTS_A_MINUTE);
// Code is compiled and the heap grown before anything is measured.
await wait(SETTLE_MS);
await measurePage(chromium.browser, SETTLE_MS);

const closedShares: number[] = [];
const openShares: number[] = [];
for (let round = 1; round <= rounds; round++) {
  await wait(SETTLE_MS);
  const before = sessions;
  const closed = await measureRouter(() => wait(seconds * 1_000));
  closedShares.push(closed);
  let seen: Responsiveness | undefined;
  const open = await measurePage(chromium.browser, seconds * 1_000, (found) => seen = found);
  openShares.push(open);
  print(
    `round ${round}: ${sessions - before} sessions; router ${percent(closed)} without the page, ` +
      `${percent(open)} with it; longest gap between frames ${seen?.longestGapMs.toFixed(0)} ms, ` +
      `${seen?.longTasks} long tasks, page's thread ${percent(seen?.busyShare ?? NaN)} busy`,
  );
}
clearInterval(load);
while (running > 0) await wait(SESSION_MS);
print(
  `the page costs the router ${percent(mean(openShares) - mean(closedShares))} of one core ` +
    `(${percent(mean(closedShares))} without, ${percent(mean(openShares))} with)`,
);

function runSession(): void {
  const socket = new WebSocket(`ws://127.0.0.1:${router.port}/v1/realtime?model=m`);
  running++;
  socket.on("open", () => socket.send(DONE));
  socket.on("message", () => setTimeout(() => socket.close(1000), SESSION_MS));
  socket.on("close", () => {
    sessions++;
    running--;
  });
}

function echoBackend(): Disposable & { readonly port: number } {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.on("connection", (socket) => {
    socket.on("message", (data, binary) => socket.send(data, { binary }));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the backend has no port");
  return { port: address.port, [Symbol.dispose]: () => server.close() };
}

/** The share of one core that the router used meanwhile. */
async function measureRouter(meanwhile: () => Promise<void>): Promise<number> {
  const { pid } = router;
  if (pid === undefined) throw new Error("the router has no process");
  const [before, startMs] = [costOf(pid), performance.now()];
  await meanwhile();
  return (costOf(pid).cpuMicros - before.cpuMicros) / 1_000 / (performance.now() - startMs);
}

/** The same with the page open, once it has settled. */
async function measurePage(
  browser: Browser,
  durationMs: number,
  onSeen: (seen: Responsiveness) => void = () => {},
): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
  await page.goto(`http://127.0.0.1:${router.port}/console`);
  await page.getByText("Live", { exact: true }).waitFor();
  await wait(SETTLE_MS);
  const share = await measureRouter(async () => onSeen(await watch(page, durationMs)));
  await page.close();
  return share;
}

async function watch(page: Page, durationMs: number): Promise<Responsiveness> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const busySeconds = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? NaN;
  };
  const before = await busySeconds();
  const seen = await page.evaluate(lookAtFrames, durationMs);
  const busyShare = (await busySeconds() - before) / (durationMs / 1_000);
  return { ...seen, busyShare };
}

/** Runs in the page. */
async function lookAtFrames(durationMs: number) {
  let longestGapMs = 0;
  let longTasks = 0;
  const observer = new PerformanceObserver((list) => longTasks += list.getEntries().length);
  observer.observe({ entryTypes: ["longtask"] });
  // deno-lint-ignore no-explicit-any -- the browser has it, Deno's types do not
  const nextFrame = (globalThis as any).requestAnimationFrame as (then: () => void) => void;
  const endMs = performance.now() + durationMs;
  for (let lastMs = performance.now(); lastMs < endMs;) {
    await new Promise<void>((resolve) => nextFrame(() => resolve()));
    const nowMs = performance.now();
    longestGapMs = Math.max(longestGapMs, nowMs - lastMs);
    lastMs = nowMs;
  }
  observer.disconnect();
  return { longestGapMs, longTasks };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
