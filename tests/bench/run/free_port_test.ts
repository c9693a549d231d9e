import assert from "node:assert/strict";
import { freePort } from "../../support/free_port.ts";

Deno.test("freePort: a port that the kernel does not give away meanwhile", async () => {
  const range = await Deno.readTextFile("/proc/sys/net/ipv4/ip_local_port_range");
  const [least = 0, most = 0] = range.trim().split(/\s+/).map(Number);
  const ports = Array.from({ length: 50 }, freePort);
  assert.deepEqual(ports.filter((port) => port >= least && port <= most), []);
  assert.ok(new Set(ports).size > 1);
});
