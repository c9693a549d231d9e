/**
 * The kinds of strings that several sections use: names, paths, header parts, URLs, credentials.
 *
 * @module
 */

import type { z } from "zod";
import { text } from "./values.ts";

const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** The fault of a string that is empty, too long or has control characters. */
function plainFault(value: string, maxLength: number): string | undefined {
  if (value === "") return "";
  if (CONTROL.test(value)) return "a string with a line break or control character";
  return value.length > maxLength ? `a string of more than ${maxLength} characters` : undefined;
}

/** Free text for people: at most 1,024 characters on one line. */
export const words: z.ZodString = text("a text of one line", (value) => plainFault(value, 1024));

/** The path of a file or folder. */
export const filePath: z.ZodString = text(
  "the path of a file or folder",
  (value) => plainFault(value, 1024),
);

/** A name that serves as a metric label, in admin URLs and in the `x-backend` header. */
export const name: z.ZodString = text(
  'a name of letters, digits, ".", "_", ":", "@" and "-", at most 128',
  (value) => /^[A-Za-z0-9._:@-]{1,128}$/.test(value) ? undefined : "",
);

/** The name of a model as clients and backends write it. */
export const modelName: z.ZodString = text("the name of a model", (value) => {
  return plainFault(value, 256) ??
    (value.trim() === value ? undefined : "a string that begins or ends with a space");
});

/** A credential that travels in a header. */
export const credential: z.ZodString = text(
  "a credential of visible ASCII characters without spaces",
  credentialFault,
);

/** A credential, or `""` for none. */
export const credentialOrNone: z.ZodString = text(
  'a credential of visible ASCII characters without spaces, or "" for none',
  (value) => value === "" ? undefined : credentialFault(value),
);

function credentialFault(value: string): string | undefined {
  if (value.length > 4096) return "a string of more than 4096 characters";
  if (VISIBLE_ASCII.test(value)) return undefined;
  return /\s/.test(value) ? "a string with a space or line break" : "";
}

/** A URL path that is joined to a base or served as a route: begins with "/", no query, no fragment. */
export const urlPath: z.ZodString = text('a path that begins with "/"', (value) => {
  if (/[?#]/.test(value)) return "a string with a query or fragment";
  if (/[\s\\]/.test(value)) return "a string with a space or backslash";
  return value.startsWith("/") ? plainFault(value, 1024) : "";
});

/** An HTTP token (RFC 9110 §5.6.2): a header name or a method. */
export const httpToken: z.ZodString = text(
  "an HTTP token, such as x-request-id or GET",
  (value) => TOKEN.test(value) && value.length <= 128 ? undefined : "",
);

/** A URL whose path may stay, and whose query, fragment and credentials are refused. */
export function url(schemes: readonly string[], example: string): z.ZodString {
  const allowed = `a URL with ${schemes.join(", ")}, such as "${example}"`;
  return text(allowed, (value) => urlFault(value, schemes));
}

/** Looks at the text itself, because the URL parser forgives and repairs too much. */
function urlFault(value: string, schemes: readonly string[]): string | undefined {
  if (/[\s\\]/.test(value) || CONTROL.test(value)) return "a string with a space or backslash";
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)(.*)$/.exec(value);
  if (match === null) return "";
  const [, scheme = "", authority = "", , rest = ""] = match;
  if (!schemes.includes(scheme.toLowerCase())) return "a URL with another scheme";
  if (authority.includes("@")) return "a URL with a user name or password";
  if (rest.startsWith("?")) return "a URL with a query";
  if (rest !== "") return "a URL with a fragment";
  if (authority === "" || authority.endsWith(":")) return "a URL without a host or port";
  return URL.canParse(value) ? undefined : "a URL with a broken host or port";
}
