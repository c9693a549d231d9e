/**
 * Makes what was written to a file survive a power loss, without waiting for the disk.
 *
 * @module
 */

/** A file that can be synced; `Deno.FsFile` is one. */
export interface SyncableFile {
  syncData(): Promise<void>;
  close(): void;
}

/** Syncs a file, one sync at a time: those who ask while one runs share the next. */
export class DiskSync {
  readonly #file: SyncableFile;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(file: SyncableFile) {
    this.#file = file;
  }

  /** Resolves when all that was written before the call is on the disk. Rejects when the disk fails. */
  sync(): Promise<void> {
    this.#next ??= this.#afterRunning();
    return this.#next;
  }

  /** Waits for a sync that runs, then closes the file. */
  async close(): Promise<void> {
    await (this.#next ?? this.#running).catch(() => {});
    this.#file.close();
  }

  async #afterRunning(): Promise<void> {
    await this.#running.catch(() => {});
    this.#next = undefined;
    this.#running = this.#file.syncData();
    await this.#running;
  }
}
