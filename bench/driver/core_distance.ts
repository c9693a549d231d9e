/**
 * How far the subject's core and the driver's are from each other: the time in which a cache line goes
 * from one to the other and back. On a virtual machine it changes while a benchmark runs, several times over,
 * whenever the host moves one of the cores to another part of its processor; a tunnel that hands every
 * message from one core to the other then costs a quarter more.
 *
 * @module
 */

/** Cells of the memory that both share. */
export const CELL = { turn: 0, isWanted: 1 } as const;
/** Values of `isWanted`. */
export const WANTED = { no: 0, yes: 1, never: 2 } as const;

const ROUNDS = 10;
const TRIPS = 500;
/** With a core that does not answer, no longer is waited. */
const PATIENCE_MS = 100;

/** Two threads on two cores that play ball. */
export class CoreDistance implements Disposable {
  readonly #cells = new Int32Array(new SharedArrayBuffer(8));
  readonly #peer: Worker;

  private constructor() {
    this.#peer = new Worker(import.meta.resolve("./core_distance_peer.ts"), { type: "module" });
  }

  /** Starts the other thread on a core; this one is where the process was put. */
  static async start(core: number): Promise<CoreDistance> {
    const distance = new CoreDistance();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    distance.#peer.onmessage = () => resolve();
    distance.#peer.onerror = ({ message }) => reject(new Error(message));
    distance.#peer.postMessage({ core, cells: distance.#cells });
    await promise;
    return distance;
  }

  /** Nanoseconds there and back, the best of a few rounds; undefined when the other core does not answer. */
  measure(): number | undefined {
    const deadlineMs = performance.now() + PATIENCE_MS;
    Atomics.store(this.#cells, CELL.turn, 0);
    this.#want(WANTED.yes);
    let best = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
      const startMs = performance.now();
      for (let trip = 0; trip < TRIPS; trip++) {
        if (!this.#trip(deadlineMs)) {
          this.#want(WANTED.no);
          return best === Infinity ? undefined : best;
        }
      }
      best = Math.min(best, (performance.now() - startMs) * 1e6 / TRIPS);
    }
    this.#want(WANTED.no);
    return best;
  }

  /** Lets the other thread end. */
  [Symbol.dispose](): void {
    this.#want(WANTED.never);
  }

  #want(value: number): void {
    Atomics.store(this.#cells, CELL.isWanted, value);
    Atomics.notify(this.#cells, CELL.isWanted);
  }

  /** Whether it came back in time. Odd turns are the other thread's. */
  #trip(deadlineMs: number): boolean {
    Atomics.add(this.#cells, CELL.turn, 1);
    for (let spins = 1; (Atomics.load(this.#cells, CELL.turn) & 1) === 1; spins++) {
      if (spins % 10_000 === 0 && performance.now() > deadlineMs) return false;
    }
    return true;
  }
}
