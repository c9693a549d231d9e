/**
 * Keeping a process on one core, where `taskset` exists and there are two.
 *
 * @module
 */

let possible: Promise<boolean> | undefined;

/** Whether processes are pinned here. */
export function canPin(): Promise<boolean> {
  possible ??= new Deno.Command("taskset", {
    args: ["-c", "0,1", "true"],
    stdout: "null",
    stderr: "null",
  }).output().then(({ success }) => success, () => false);
  return possible;
}

/** The command that runs `command` on that core, or anywhere when processes cannot be pinned. */
export async function pinned(
  command: readonly [string, ...string[]],
  core: number,
): Promise<readonly [string, ...string[]]> {
  return await canPin() ? ["taskset", "-c", String(core), ...command] : command;
}
