import assert from "node:assert/strict";
import { DriverProcess } from "../../../bench/run/driver_process.ts";
import { canPin } from "../../../bench/run/pinning.ts";

Deno.test("DriverProcess: says how far the subject's core is, where both have their own", async () => {
  await using driver = await DriverProcess.start();
  const distancesNs = [await driver.distanceNs(), await driver.distanceNs()];
  for (const ns of distancesNs) {
    if (await canPin()) assert.ok(ns !== undefined && ns > 5 && ns < 100_000, `${ns} ns`);
    else assert.equal(ns, undefined);
  }
});
