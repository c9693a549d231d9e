/** The systemd unit: what it allows, that it fits the configuration beside it, and that systemd reads it. */

import assert from "node:assert/strict";
import { makeTempDir } from "../support/temp_dir.ts";
import { needing, PROGRAMS, run } from "./installed_program.ts";
import { configOf, textOf } from "./project_files.ts";
import { unitOf } from "./systemd_unit.ts";

const UNIT = await textOf("deploy/systemd/realtime-router.service");
const unit = unitOf(UNIT);
const config = await configOf("deploy/systemd/config.yaml");
const service = (name: string): string => {
  const [value, ...more] = unit.get(`Service.${name}`) ?? [];
  assert.ok(value !== undefined && more.length === 0, `${name} once`);
  return value;
};
const flag = (name: string): readonly string[] | undefined =>
  service("ExecStart").split(" ").find((word) => word.startsWith(`--allow-${name}=`))
    ?.split("=")[1]?.split(",");

Deno.test("systemd unit: runs as a user of its own that can gain nothing", () => {
  const hardened = {
    DynamicUser: "yes",
    NoNewPrivileges: "yes",
    CapabilityBoundingSet: "",
    AmbientCapabilities: "",
    ProtectSystem: "strict",
    ProtectHome: "yes",
    PrivateTmp: "yes",
    PrivateDevices: "yes",
    RestrictAddressFamilies: "AF_INET AF_INET6 AF_UNIX",
    SystemCallFilter: "@system-service @pkey",
    UMask: "0077",
  };
  const found = Object.keys(hardened).map((name) => [name, service(name)]);
  assert.deepEqual(Object.fromEntries(found), hardened);
  assert.equal(unit.has("Service.MemoryDenyWriteExecute"), false);
});

Deno.test("systemd unit: may write to its own two folders and nowhere else", () => {
  const folders = [
    `/run/${service("RuntimeDirectory")}`,
    `/var/lib/${service("StateDirectory")}`,
  ];
  assert.deepEqual(flag("write"), folders);
  assert.deepEqual(flag("read"), ["/etc/realtime-router", ...folders]);
  assert.equal(config.server.runtime_dir, folders[0]);
  assert.equal(unit.has("Service.ReadWritePaths"), false);
});

Deno.test("systemd unit: gives the drain its time and 10 s", () => {
  assert.equal(service("KillSignal"), "SIGTERM");
  assert.equal(service("TimeoutStopSec"), `${config.server.drain_timeout / 1000 + 10}s`);
});

Deno.test("systemd unit: has descriptors for the sessions and for other connections", () => {
  const needed = config.realtime.max_sessions * 8 + 2 * 1024 + 256;
  assert.ok(Number(service("LimitNOFILE")) >= needed);
  assert.ok(Number(service("LimitNOFILE")) >= 7000 * 8 + 2 * 1024 + 256, "as its comment says");
});

Deno.test("systemd unit: looks into the system's trust store and takes no bad configuration twice", () => {
  assert.ok(service("Environment").split(" ").includes("DENO_TLS_CA_STORE=system"));
  assert.equal(service("RestartPreventExitStatus"), "2");
  assert.match(service("ExecReload"), /kill -HUP \$MAINPID$/);
});

Deno.test({
  ...needing("systemd-analyze", "systemd unit: systemd-analyze finds nothing to complain of"),
  async fn() {
    await using dir = await makeTempDir();
    // It looks whether the program is there.
    const text = UNIT.replace("/usr/local/bin/deno", Deno.execPath());
    const path = await dir.write("realtime-router.service", text);
    const verified = await run(PROGRAMS["systemd-analyze"], { args: ["verify", path] });
    assert.deepEqual(verified, { code: 0, text: "" });
  },
});
