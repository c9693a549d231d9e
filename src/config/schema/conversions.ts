/**
 * Values that the file writes in one form and the program uses in another. Each is a codec, so that the
 * effective configuration can be written back in the file's form.
 *
 * @module
 */

import { z } from "zod";
import { type BindAddress, parseBindAddress } from "../bind_address.ts";
import { formatDuration, parseDuration } from "../duration.ts";
import { kindOf, refusal } from "../issues.ts";
import { isMapping } from "../tree.ts";
import { describe } from "./values.ts";

/** A field whose file form is checked and converted in one step. */
export type Conversion<T> = z.ZodCodec<z.ZodUnknown, z.ZodType<T>>;

/** A duration; the program sees whole milliseconds. */
export function duration(options: { readonly positive: boolean }): Conversion<number> {
  const allowed = options.positive
    ? 'a duration above zero, such as "30s", "1m30s" or "250ms"'
    : 'a duration, such as "30s", "1m30s", "250ms" or "0"';
  return codec<number>(allowed, {
    decode: (value) => {
      const result = parseDuration(value);
      if (!result.ok) return { found: result.problem };
      return options.positive && result.ms === 0 ? { found: "found zero" } : { value: result.ms };
    },
    encode: formatDuration,
  });
}

/** An instant with a time zone; the program sees milliseconds since 1970 (UTC). */
export function instant(): Conversion<number> {
  const allowed = 'a date and time with a zone, such as "2027-01-01T00:00:00Z"';
  const format = z.iso.datetime({ offset: true });
  return codec<number>(allowed, {
    decode: (value) => {
      if (typeof value !== "string" || !format.safeParse(value).success) return { found: "" };
      return { value: Date.parse(value) };
    },
    encode: (ms) => new Date(ms).toISOString(),
  });
}

/**
 * Addresses to listen on, one string or a list of strings; the program sees a list.
 *
 * @param options.emptyAllowed `""` stands for no address at all.
 */
export function bindAddresses(
  options: { readonly emptyAllowed: boolean },
): Conversion<readonly BindAddress[]> {
  const none = options.emptyAllowed ? ', or "" for none' : "";
  const allowed = `an address such as "0.0.0.0:8080" or "[::1]:8080", or a list of them${none}`;
  return codec<readonly BindAddress[]>(allowed, {
    decode: (value) => {
      if (value === "" && options.emptyAllowed) return { value: [] };
      const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
      if (texts.length === 0 && !options.emptyAllowed) return { found: "found an empty list" };
      const addresses: BindAddress[] = [];
      for (const item of texts) {
        if (typeof item !== "string") return { found: itemKind(value, item) };
        const result = parseBindAddress(item);
        if (!result.ok) return { found: result.problem };
        addresses.push(result.address);
      }
      return { value: addresses };
    },
    encode: (addresses) => {
      const texts = addresses.map((address) => address.text);
      return texts.length > 1 ? texts : texts[0] ?? "";
    },
  });
}

/** Any mapping, whose content is dropped. */
export function ignoredMapping(): Conversion<Readonly<Record<string, never>>> {
  return codec<Readonly<Record<string, never>>>("a mapping", {
    decode: (value) => isMapping(value) ? { value: {} } : { found: "" },
    encode: () => ({}),
  });
}

/** Says which part of a list is wrong; a single value is reported by its own kind. */
function itemKind(value: unknown, item: unknown): string {
  return Array.isArray(value) ? `found a list with ${kindOf(item)} in it` : "";
}

/** A converted value, or what was found instead; `found: ""` reports the kind of the value. */
type Decoded<T> = { readonly value: T } | { readonly found: string };

interface Conversions<T> {
  readonly decode: (value: unknown) => Decoded<T>;
  readonly encode: (value: T) => unknown;
}

function codec<T>(allowed: string, conversions: Conversions<T>): Conversion<T> {
  const schema = z.codec(z.unknown(), z.custom<T>(), {
    decode: (value, context) => {
      const decoded = conversions.decode(value);
      if ("value" in decoded) return decoded.value;
      const another = typeof value === "string" && value !== "" ? "found a different string" : "";
      const found = decoded.found || another;
      const message = refusal(allowed, value, found === "" ? {} : { found });
      context.issues.push({ code: "custom", message, input: value });
      return z.NEVER;
    },
    // zod asks for the file form of an absent optional field too, and then leaves it out.
    encode: (value) => value === undefined ? undefined : conversions.encode(value),
  });
  return describe(schema, allowed);
}
