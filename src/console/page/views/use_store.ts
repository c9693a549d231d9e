/**
 * Binds a view to a store.
 *
 * @module
 */

import { useEffect, useReducer } from "preact/hooks";
import type { Store } from "../data/store.ts";

/** The state, and a new look of the view at each of its changes. */
export function useStore<S, A>(store: Store<S, A>): S {
  const [, look] = useReducer((looks: number) => looks + 1, 0);
  useEffect(() => store.subscribe(() => look(undefined as never)), [store]);
  return store.state;
}
