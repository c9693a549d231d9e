/**
 * A clock for views.
 *
 * @module
 */

import { useEffect, useState } from "preact/hooks";

/** Unix milliseconds, brought up to date each second. */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
