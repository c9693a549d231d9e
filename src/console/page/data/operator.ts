/**
 * The operator's side of the page: the state of the overview, what keeps it up to date, and what an operator
 * can do.
 *
 * @module
 */

import type { AdminApi } from "./admin_api.ts";
import { type ConsoleAction, type ConsoleState, INITIAL_STATE } from "./console_state.ts";
import type { Credential } from "./credential.ts";
import { runFeed } from "./feed.ts";
import { reduceConsole } from "./reduce_console.ts";
import { Store } from "./store.ts";

/** See the module. */
export class Operator {
  readonly store: Store<ConsoleState, ConsoleAction>;
  readonly #api: AdminApi;
  readonly #isVisible: () => boolean;
  #feed = new AbortController();

  constructor(api: AdminApi, options: { readonly isVisible: () => boolean }) {
    this.#api = api;
    this.#isVisible = options.isVisible;
    this.store = new Store(INITIAL_STATE, reduceConsole, {
      after: (ms, callback) => void setTimeout(callback, ms),
    });
  }

  /** Whether a credential is held. */
  get signedIn(): boolean {
    return this.#api.credential !== null;
  }

  /** Begins anew to keep the state up to date. */
  start(): void {
    this.#feed.abort();
    this.#feed = new AbortController();
    const dispatch = (action: ConsoleAction) => this.store.dispatch(action);
    const options = { api: this.#api, dispatch, isVisible: this.#isVisible };
    void runFeed(options, this.#feed.signal);
  }

  /** Uses a credential from now on. */
  signIn(credential: Credential): void {
    this.#api.credential = credential;
    this.start();
  }

  /** Forgets the credential and all that was seen with it. */
  signOut(): void {
    this.#api.credential = null;
    this.store.dispatch({ kind: "forget" });
    this.start();
  }

  /** Ends a session. */
  async endSession(id: string): Promise<void> {
    await this.#api.endSession(id);
    this.store.dispatch({ kind: "closing", id });
  }

  /** Closes a backend's circuit. */
  async resetCircuit(backend: string): Promise<void> {
    await this.#api.resetCircuit(backend);
  }
}
