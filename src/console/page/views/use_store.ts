/**
 * Binds a view to a store.
 *
 * @module
 */

import { useEffect, useState } from "preact/hooks";
import type { Store } from "../data/store.ts";

/** The state, and a new look of the view at each of its changes. */
export function useStore<S, A>(store: Store<S, A>): S {
  const [state, setState] = useState(store.state);
  useEffect(() => {
    // It may have changed since this view was first looked at.
    setState(store.state);
    return store.subscribe(() => setState(store.state));
  }, [store]);
  return state;
}
