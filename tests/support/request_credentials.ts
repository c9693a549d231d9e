/**
 * What in the headers of a request opens doors.
 *
 * @module
 */

const SUBPROTOCOL_KEY = /openai-insecure-api-key\.([^\s,]+)/g;
const HEADERS: ReadonlySet<string> = new Set(["authorization", "cookie", "x-api-key", "api-key"]);

/** Keys, tokens and cookies in headers, whose names are in lower case; schemes are left out. */
export function credentialsIn(
  headers: Readonly<Record<string, string | null>>,
): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (value === null) return [];
    if (name === "sec-websocket-protocol") {
      return [...value.matchAll(SUBPROTOCOL_KEY)].map(([, key]) => key ?? "");
    }
    const credential = value.replace(/^(?:bearer|basic) +/i, "").trim();
    return HEADERS.has(name) && credential.length > 5 ? [credential] : [];
  });
}
