/**
 * Texts of clients without what differs from one run to the next.
 *
 * @module
 */

import type { Stage } from "./stage.ts";

/** OpenSSL's messages begin with the thread that they come from, and end with a line of its source. */
const THREAD = /\b[0-9A-F]{8,16}:(?=error:)|:[\w./]+\.c:\d+:\s*(?="|$)/g;

/** The text with OpenSSL's places taken out, and the router's address as it is with and without TLS. */
export function plainly(text: string, { router }: Pick<Stage, "router">): string {
  const address = new RegExp(`\\bwss?://127\\.0\\.0\\.1:${router.port}\\b`, "g");
  return text.replaceAll(address, "ws(s)://HOST").replaceAll(THREAD, "").trim();
}
