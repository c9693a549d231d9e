/** A runtime directory that is not what it seems. Making links takes unscoped permissions. */

import assert from "node:assert/strict";
import { Dialer, RuntimeDirError } from "../../src/wire/mod.ts";
import { makeTempDir } from "../support/temp_dir.ts";

const OPTIONS = {
  transport: "unix",
  maxMessageBytes: 1_000,
  now: () => performance.now(),
} as const;

Deno.test("Dialer: a runtime directory that is a link is refused, however it is written", async () => {
  await using dir = await makeTempDir();
  await Deno.mkdir(dir.at("real"));
  await Deno.symlink(dir.at("real"), dir.at("link"));
  for (const name of ["link", "link/", "link//", "link/.", "./link/./"]) {
    const runtimeDir = `${dir.path}/${name}`;
    await assert.rejects(Dialer.start({ ...OPTIONS, runtimeDir }), RuntimeDirError, name);
  }
  await (await Dialer.start({ ...OPTIONS, runtimeDir: `${dir.at("real")}/` })).close();
  assert.deepEqual(await Array.fromAsync(Deno.readDir(dir.at("real"))), []);
});
