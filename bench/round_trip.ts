/**
 * `deno run -A bench/round_trip.ts [MILLISECONDS [IN_FLIGHT [BYTES]]]`: messages there and back, through
 * nothing, through the bare built-in sockets, through the dialer alone, and through the router, in one run.
 *
 * @module
 */

import { runClosedLoop } from "./closed_loop.ts";
import { startNginx } from "./nginx.ts";
import { cpuMicros, residentBytes, startSubject } from "./subject.ts";

const SESSIONS = 32;
const DURATION_MS = Number(Deno.args[0] ?? 4_000);
const inFlight = Number(Deno.args[1] ?? 1);
const messageBytes = Number(Deno.args[2] ?? 2_500);

await using backend = await startSubject("echo_backend.ts", { core: 1 });
const backendUrl = `ws://127.0.0.1:${backend.port}/`;
const SUBJECTS = [
  { name: "bare built-in sockets", script: "subjects/bare.ts", args: [backendUrl] },
  { name: "dialer alone", script: "subjects/dialer.ts", args: [backendUrl] },
  { name: "router", script: "subjects/router.ts", args: [backendUrl] },
  { name: "router, fallback mode", script: "subjects/router.ts", args: [backendUrl, "tcp"] },
];

print(`${SESSIONS} sessions, ${inFlight} in flight, ${messageBytes} bytes\n`);
await measure("direct", `${backendUrl}?model=m`);
{
  await using nginx = await startNginx(backend.port, { core: 0 });
  if (nginx === undefined) print("nginx tunnel             not on this machine\n");
  else await measure("nginx tunnel", `ws://127.0.0.1:${nginx.port}/?model=m`, nginx.pid);
}
for (const { name, script, args } of SUBJECTS) {
  await using subject = await startSubject(script, { args, core: 0 });
  await measure(name, `ws://127.0.0.1:${subject.port}/v1/realtime?model=m`, subject.pid);
}

async function measure(name: string, url: string, pid?: number): Promise<void> {
  let cpu = 0;
  const result = await runClosedLoop({
    url,
    sessions: SESSIONS,
    inFlight,
    messageBytes,
    durationMs: DURATION_MS,
    onPhase: async (phase) => {
      if (pid === undefined) return;
      const used = await cpuMicros(pid);
      cpu = phase === "begin" ? used : used - cpu;
    },
  });
  const perMessage = pid === undefined
    ? ""
    : `  CPU ${(cpu / (2 * result.roundTrips)).toFixed(1)} µs a message  RSS ${
      ((await residentBytes(pid)) / 1e6).toFixed(0)
    } MB`;
  print(
    `${name.padEnd(24)} p50 ${result.p50Ms.toFixed(2)} ms  p95 ${result.p95Ms.toFixed(2)} ms  ` +
      `p99 ${result.p99Ms.toFixed(2)} ms  ${
        Math.round(result.roundTrips)
      } round trips${perMessage}\n`,
  );
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
