/** Backends for the tests of this room. */

import { Backend } from "../../src/routing/mod.ts";
import { backendConfig, openCircuit, takeDown } from "../support/live_backends.ts";

export { backendConfig, openCircuit, takeDown };

/** Live backends of these names. */
export function backends(...names: readonly string[]): Backend[] {
  return names.map((name) => new Backend(backendConfig(name)));
}
