/**
 * `deno run -A bench/idle_memory.ts [SESSIONS]`: resident memory of the router per idle session, after one echo of 2 KB.
 *
 * @module
 */

import { WebSocket } from "ws";
import { open } from "./closed_loop.ts";
import { residentBytes, startSubject } from "./subject.ts";

const sessions = Number(Deno.args[0] ?? 1_000);
const BATCH = 50;
const SETTLE_MS = 3_000;

await using backend = await startSubject("echo_backend.ts");
await using router = await startSubject("subjects/router.ts", {
  args: [`ws://127.0.0.1:${backend.port}/`],
});
const url = `ws://127.0.0.1:${router.port}/v1/realtime?model=m`;
// The first sessions load code and grow the heap once; they are not counted.
await openMany(BATCH);
const baseBytes = await settledBytes();
await openMany(sessions);
const grownBytes = await settledBytes() - baseBytes;
Deno.stdout.writeSync(new TextEncoder().encode(
  `${sessions} idle sessions: ${(grownBytes / 1024 / sessions).toFixed(0)} KiB each ` +
    `(base ${(baseBytes / 1e6).toFixed(0)} MB)\n`,
));
Deno.exit(0);

async function openMany(count: number): Promise<void> {
  for (let opened = 0; opened < count; opened += BATCH) {
    const sockets: WebSocket[] = await Promise.all(
      Array.from({ length: Math.min(BATCH, count - opened) }, () => open(url)),
    );
    await Promise.all(sockets.map((socket) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      socket.once("message", () => resolve());
      socket.send("x".repeat(2_000));
      return promise;
    }));
  }
}

async function settledBytes(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  return await residentBytes(router.pid);
}
