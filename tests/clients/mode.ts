/**
 * The four ways in which a router is reached: plain or over TLS, with or without keys.
 *
 * @module
 */

/** See the module. */
export interface Mode {
  readonly name: ModeName;
  readonly tls: boolean;
  /** Whether the router refuses whoever brings no valid key. */
  readonly blocking: boolean;
}

/** How a mode is called in results and documents. */
export type ModeName = "plain" | "plain, keys" | "TLS" | "TLS, keys";

/** All of them. */
export const MODES: readonly Mode[] = [
  { name: "plain", tls: false, blocking: false },
  { name: "plain, keys", tls: false, blocking: true },
  { name: "TLS", tls: true, blocking: false },
  { name: "TLS, keys", tls: true, blocking: true },
];
