/**
 * What a backend can get wrong about the upgrade itself, for tests of whoever connects to it.
 *
 * @module
 */

/** A way to answer a good upgrade request badly. */
export type UpgradeFault =
  /** Not at all. */
  | { readonly kind: "hang" }
  /** With another status; 503 brings a `Retry-After`. */
  | { readonly kind: "answer"; readonly status: 401 | 403 | 429 | 503 }
  /** Late. */
  | { readonly kind: "slow"; readonly delayMs: number }
  /** With a `Sec-WebSocket-Accept` for another key. */
  | { readonly kind: "wrong-accept" }
  /** With an extension that may not have been offered. */
  | { readonly kind: "extension" }
  /** With a subprotocol that may not have been offered. */
  | { readonly kind: "subprotocol" };

const WRONG_ACCEPT = "AAAAAAAAAAAAAAAAAAAAAAAAAAA=";

/** Changes the header lines of a 101 in place. */
export function spoilHeaders(lines: string[], fault: UpgradeFault | null): void {
  switch (fault?.kind) {
    case "wrong-accept": {
      const at = lines.findIndex((line) => /^sec-websocket-accept:/i.test(line));
      lines[at] = `Sec-WebSocket-Accept: ${WRONG_ACCEPT}`;
      return;
    }
    case "extension":
      lines.push("Sec-WebSocket-Extensions: permessage-deflate");
      return;
    case "subprotocol":
      lines.push("Sec-WebSocket-Protocol: realtime");
  }
}
