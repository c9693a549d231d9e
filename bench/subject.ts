/**
 * Processes that a benchmark measures.
 *
 * @module
 */

/** A running process that has printed its port. */
export interface Subject extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

/** How a subject runs. */
export interface SubjectOptions {
  readonly args?: readonly string[];
  /** The core that it is pinned to, where `taskset` exists. @default {undefined} not pinned */
  readonly core?: number;
}

/** Runs a script of this folder and waits for its port. */
export async function startSubject(script: string, options: SubjectOptions = {}): Promise<Subject> {
  const path = new URL(script, import.meta.url).pathname;
  const command = [Deno.execPath(), "run", "-A", "--no-prompt", path, ...options.args ?? []];
  const pinned = options.core !== undefined && await hasTaskset()
    ? ["taskset", "-c", String(options.core), ...command]
    : command;
  const child = new Deno.Command(pinned[0]!, {
    args: pinned.slice(1),
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const port = Number(new TextDecoder().decode(value).trim());
  if (!Number.isInteger(port) || port <= 0) throw new Error(`${script} printed no port`);
  return {
    port,
    pid: child.pid,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await reader.cancel();
      await child.status;
    },
  };
}

/** User and system time that a process has used so far, in microseconds (Linux; elsewhere NaN). */
export async function cpuMicros(pid: number): Promise<number> {
  try {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return NaN;
  }
}

/** Resident memory of a process in bytes (Linux; elsewhere NaN). */
export async function residentBytes(pid: number): Promise<number> {
  try {
    const status = await Deno.readTextFile(`/proc/${pid}/status`);
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  } catch {
    return NaN;
  }
}

let taskset: Promise<boolean> | undefined;

function hasTaskset(): Promise<boolean> {
  taskset ??= new Deno.Command("taskset", { args: ["-V"], stdout: "null", stderr: "null" })
    .output().then(({ success }) => success, () => false);
  return taskset;
}
