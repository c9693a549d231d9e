/**
 * Resident memory of a process, from /proc.
 *
 * @module
 */

/** MiB in use now. */
export async function residentMiB(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`no VmRSS of process ${pid}`);
  return Number(kilobytes) / 1024;
}

/** Open descriptors of a process. */
export async function descriptorCount(pid: number): Promise<number> {
  const entries = await Array.fromAsync(Deno.readDir(`/proc/${pid}/fd`));
  return entries.length;
}

/** Watches a process until it is disposed of, and keeps the most that it used. */
export class MemoryWatch implements AsyncDisposable {
  readonly #pid: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #reading: Promise<void> = Promise.resolve();
  #peakMiB = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#reading = this.#read(), 20);
  }

  /** The most MiB seen, now included. */
  async peakMiB(): Promise<number> {
    await this.#read();
    return this.#peakMiB;
  }

  async #read(): Promise<void> {
    this.#peakMiB = Math.max(this.#peakMiB, await residentMiB(this.#pid));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading;
  }
}
