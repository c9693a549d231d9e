import assert from "node:assert/strict";
import { AwakeCores } from "../../../bench/run/awake_cores.ts";
import { runProgram } from "../../support/program.ts";

const SCHED_IDLE = 5;

Deno.test("AwakeCores: one program on each core, behind all others, until they may sleep", async () => {
  await using cores = new AwakeCores([0]);
  assert.deepEqual(cores.pids, []);
  await cores.keepAwake();
  await cores.keepAwake();
  const [pid, ...others] = cores.pids;
  assert.deepEqual(others, []);
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  assert.equal(/^Cpus_allowed_list:\s+(\S+)$/m.exec(status)?.[1], "0");
  // proc(5): the fields behind the program's name begin with the third; the policy is the 41st.
  const stat = Deno.readTextFileSync(`/proc/${pid}/stat`).split(") ").at(-1)!.split(" ");
  assert.equal(Number(stat[41 - 3]), SCHED_IDLE);
  await cores.letSleep();
  assert.deepEqual(cores.pids, []);
  assert.throws(() => Deno.statSync(`/proc/${pid}`), Deno.errors.NotFound);
});

Deno.test("AwakeCores: sleep and wake as often as they are told", async () => {
  await using cores = new AwakeCores([0]);
  const pids = new Set<number>();
  for (let turn = 0; turn < 5; turn++) {
    await cores.keepAwake();
    pids.add(cores.pids[0]!);
    await cores.letSleep();
  }
  assert.equal(pids.size, 5);
});

Deno.test("AwakeCores: a program that ends at once is an error, and leaves none behind", async () => {
  await using cores = new AwakeCores([0, 100_000]);
  await assert.rejects(cores.keepAwake(), { message: "the cores cannot be kept awake" });
  assert.deepEqual(cores.pids, []);
});

Deno.test("awake: ends when whoever started it is not its parent any more", async () => {
  const notItsParent = "1";
  const { code, stdout } = await runProgram({
    ...{ entry: "bench/driver/awake.ts", args: ["0", notItsParent] },
    permissions: ["--allow-ffi"],
  });
  assert.deepEqual({ code, stdout }, { code: 0, stdout: "awake\n" });
});
