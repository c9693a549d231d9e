/**
 * Which view the page shows: the fragment of its address.
 *
 * @module
 */

import { useEffect, useState } from "preact/hooks";

/** The views, the first one without a fragment. */
export const VIEWS = ["overview", "talk"] as const;

/** The name of a view. */
export type View = (typeof VIEWS)[number];

/** The view of now. The skip link's fragment is none. */
export function useView(): View {
  const [view, setView] = useState<View>(() => viewOf(location.hash) ?? VIEWS[0]);
  useEffect(() => {
    const follow = () =>
      setView((now) => viewOf(location.hash) ?? (location.hash === "" ? VIEWS[0] : now));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return view;
}

function viewOf(hash: string): View | undefined {
  return VIEWS.find((name) => hash === `#${name}`);
}
