import assert from "node:assert/strict";
import { DriverProcess } from "../../../bench/run/driver_process.ts";
import type { PacedLoad } from "../../../bench/plan/loads.ts";
import { canPin } from "../../../bench/run/pinning.ts";

Deno.test("DriverProcess: says how far the subject's core is, where both have their own", async () => {
  await using driver = await DriverProcess.start();
  const distancesNs = [await driver.distanceNs(), await driver.distanceNs()];
  for (const ns of distancesNs) {
    if (await canPin()) assert.ok(ns !== undefined && ns > 5 && ns < 100_000, `${ns} ns`);
    else assert.equal(ns, undefined);
  }
});

Deno.test("DriverProcess.run: keeps the cores awake unless the load lets them sleep, and counts that for nobody", async () => {
  await using driver = await DriverProcess.start();
  const target = { port: driver.backendPort, path: "/" };
  const run = async (pattern: PacedLoad["pattern"]) => {
    const load = { kind: "paced", name: pattern, pattern, sessions: 4, durationMs: 500 } as const;
    const { othersShare = 0 } = await driver.run({ target, warmUpMs: 0, load });
    return { othersShare, awake: awakePrograms() };
  };
  const cores = await canPin() ? 2 : 0;
  const voice = await run("voice");
  assert.equal(voice.awake, cores);
  // Both cores have hardly anything else to do, so that it would be almost 2.
  assert.ok(voice.othersShare < 1, `others used ${voice.othersShare} of a core`);
  assert.equal((await run("even")).awake, 0);
  await run("voice");
  await driver.rest();
  assert.equal(awakePrograms(), 0);
});

/** How many programs this one has started that keep cores awake. */
function awakePrograms(): number {
  const children = [...Deno.readDirSync("/proc/self/task")].flatMap(({ name }) =>
    Deno.readTextFileSync(`/proc/self/task/${name}/children`).split(" ").filter(Boolean)
  );
  return children.filter((pid) =>
    Deno.readTextFileSync(`/proc/${pid}/cmdline`).includes("/awake.ts")
  ).length;
}
