/** The dialer: its permits, its runtime folder, and what a dial that fails leaves behind. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { Dialer, type DialTarget } from "../../src/wire/mod.ts";
import { FakeBackend } from "../support/fake_backend.ts";
import { makeTempDir } from "../support/temp_dir.ts";
import { RUNTIME_DIR } from "../support/test_router.ts";

const OPTIONS = {
  runtimeDir: RUNTIME_DIR,
  transport: "unix",
  maxMessageBytes: 1_000,
  now: () => performance.now(),
} as const;

const targetOf = (port: number): DialTarget => ({
  secure: false,
  hostname: "127.0.0.1",
  port,
  hostHeader: `127.0.0.1:${port}`,
  path: "/",
  headers: [],
});

Deno.test("Dialer: hundreds of dials to a backend that hangs do not hold up one to another", async () => {
  await using hanging = await FakeBackend.listen();
  await using healthy = await FakeBackend.listen();
  const dialer = await Dialer.start(OPTIONS);
  const stuck = await Promise.all(
    Array.from({ length: 512 }, () => dialer.dial(targetOf(hanging.port))),
  );
  // Each has come for its ticket when its connection is there.
  for (let i = 0; i < stuck.length; i++) await hanging.nextConnection();
  const dial = await dialer.dial(targetOf(healthy.port));
  const opened = new Promise<boolean>((resolve) => {
    dial.socket.onopen = () => resolve(true);
    dial.socket.onerror = () => resolve(false);
  });
  await healthy.nextSession();
  assert.equal(await opened, true);
  for (const { abort } of [...stuck, dial]) abort();
  await Promise.all([...stuck, dial].map(({ leg }) => leg.finished));
  await dialer.close();
});

Deno.test("Dialer: a runtime directory that everybody can write is refused", async () => {
  await using dir = await makeTempDir();
  const open = join(dir.path, "open");
  await Deno.mkdir(open);
  await Deno.chmod(open, 0o777);
  await assert.rejects(Dialer.start({ ...OPTIONS, runtimeDir: open }), /written by everybody/);
  await Deno.chmod(open, 0o1777);
  await (await Dialer.start({ ...OPTIONS, runtimeDir: open })).close();
});

Deno.test("Dialer: a folder of its own that is gone at the end leaves nothing behind", async () => {
  await using dir = await makeTempDir();
  const dialer = await Dialer.start({ ...OPTIONS, runtimeDir: dir.at("run") });
  const [folder] = await Array.fromAsync(Deno.readDir(dir.at("run")));
  assert.match(folder?.name ?? "", /^[0-9a-f]{16}$/);
  const info = await Deno.stat(join(dir.at("run"), folder!.name));
  assert.equal((info.mode ?? 0) & 0o777, 0o700);
  await dialer.close();
  assert.deepEqual(await Array.fromAsync(Deno.readDir(dir.at("run"))), []);
});

Deno.test("Dialer: a name that no certificate can have is a TLS failure, and leaves no descriptor open", async () => {
  await using fake = await FakeBackend.listen();
  const dialer = await Dialer.start(OPTIONS);
  // The system takes it for 127.0.0.1; TLS does not, as with names in which there is an underscore.
  const dial = await dialer.dial({ ...targetOf(fake.port), secure: true, hostname: "127.1" });
  await new Promise((failed) => dial.socket.onerror = failed);
  assert.equal(dial.failure?.kind, "tls");
  dial.abort();
  await dial.leg.finished;
  await dialer.close();
});
