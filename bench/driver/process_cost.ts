/**
 * What a process and its children have cost so far, by /proc (Linux). Deno allows /proc only to programs
 * that have every permission.
 *
 * @module
 */

/** What they have used. */
export interface ProcessCost {
  /** User and system time of all threads. */
  readonly cpuMicros: number;
  readonly residentBytes: number;
}

/** The cost of a process and of those that it started. Threads that have ended are not counted. */
export function costOf(pid: number): ProcessCost {
  const costs = processTree(pid).map(costOfOne);
  return {
    cpuMicros: costs.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0),
    residentBytes: costs.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
  };
}

/** What all programs have used of all cores since the system started, in steps of 10 ms. */
export function systemCpuMicros(): number {
  const fields = read("/proc/stat").split("\n", 1)[0]!.trim().split(/\s+/).slice(1).map(Number);
  // user, nice, system, idle, iowait, irq, softirq, steal
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields;
  return (user + nice + system + irq + softirq + steal) * 10_000;
}

function costOfOne(pid: number): ProcessCost {
  // utime and stime count in ticks of 10 ms, which is too coarse for short loads; schedstat has nanoseconds.
  const cpuMicros = threadsOf(pid)
    .map((tid) => Number(read(`/proc/${pid}/task/${tid}/schedstat`).split(" ")[0]) / 1000)
    .reduce((sum, micros) => sum + micros, 0);
  const resident = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1];
  return { cpuMicros, residentBytes: Number(resident ?? 0) * 1024 };
}

function processTree(pid: number): readonly number[] {
  const children = threadsOf(pid).flatMap((tid) =>
    read(`/proc/${pid}/task/${tid}/children`).trim().split(" ").filter(Boolean).map(Number)
  );
  return [pid, ...children.flatMap(processTree)];
}

function threadsOf(pid: number): readonly string[] {
  try {
    return [...Deno.readDirSync(`/proc/${pid}/task`)].map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Empty when the thread has just ended. */
function read(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    // A thread that ends while it is read (ESRCH).
    if (error instanceof Error && error.message.includes("os error 3")) return "";
    throw error;
  }
}
