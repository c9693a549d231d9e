/**
 * Patterns for hosts and browser origins (spec §7). Only their form is checked here; matching is the business
 * of the origin policy. A pattern that could never match is an error, because it would look like a permission.
 *
 * @module
 */

import type { z } from "zod";
import { text } from "./values.ts";

const PORT = String.raw`\d{1,5}`;
const HOST = String.raw`(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,252}))`;
const SCHEME = String.raw`[A-Za-z][A-Za-z0-9+.-]{0,31}`;

const HOST_PATTERN = new RegExp(
  `^(?:(?:\\*\\.)?${HOST}(?::${PORT})?|(?=[^:]*:[^:]*:)[0-9A-Fa-f:.]{2,45})$`,
);
const ORIGIN_PATTERN = new RegExp(
  `^(?:\\*|null|${SCHEME}://${HOST}(?::(?:${PORT}|\\*))?|${HOST}:\\*)$`,
);

/** A name that the `Host` header may have. */
export const hostPattern: z.ZodString = text(
  "a host such as example.com, example.com:8080, *.example.com or [::1]",
  (value) => {
    if (HOST_PATTERN.test(value)) return undefined;
    if (value === "*") return '"*": leave the list empty to allow any host';
    return value.includes("://") ? "a URL: leave out the scheme" : "";
  },
);

/** An entry of `allow_origins`. */
export const originPattern: z.ZodString = text(
  'an origin such as "https://example.com", "http://localhost:*", "localhost:*" or "*"',
  (value) => {
    if (ORIGIN_PATTERN.test(value)) return undefined;
    if (/^[^/]*:\/\/[^/]*\//.test(value)) return "a string with a path: an origin has none";
    return new RegExp(`^${HOST}(?::${PORT})?$`).test(value)
      ? 'a host: write "https://" or "http://" before it'
      : "";
  },
);
