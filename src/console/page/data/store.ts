/**
 * A state that changes in batches: whatever happens within a quarter of a second is one change, so that a
 * busy router does not make a busy page.
 *
 * @module
 */

/** How a store makes a new state. Takes all actions of a batch, in their order. */
export type Reducer<S, A> = (state: S, actions: readonly A[]) => S;

/** What a store needs besides its reducer. */
export interface StoreOptions {
  /** Runs a callback later, once. */
  readonly after: (ms: number, callback: () => void) => void;
  /** @default {250} */
  readonly batchMs?: number;
}

/** Browsers slow the timers of hidden pages down: then a batch is applied when it is this long. */
const MAX_BATCH = 1_000;

/** See the module. */
export class Store<S, A> {
  #state: S;
  #batch: A[] = [];
  readonly #reduce: Reducer<S, A>;
  readonly #options: StoreOptions;
  readonly #listeners = new Set<() => void>();

  constructor(initial: S, reduce: Reducer<S, A>, options: StoreOptions) {
    this.#state = initial;
    this.#reduce = reduce;
    this.#options = options;
  }

  get state(): S {
    return this.#state;
  }

  /** Takes an action in. It shows with its batch. */
  dispatch(action: A): void {
    this.#batch.push(action);
    if (this.#batch.length >= MAX_BATCH) this.flush();
    else if (this.#batch.length === 1) {
      this.#options.after(this.#options.batchMs ?? 250, () => this.flush());
    }
  }

  /** Applies the batch now. */
  flush(): void {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#state = this.#reduce(this.#state, batch);
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` after each change until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
