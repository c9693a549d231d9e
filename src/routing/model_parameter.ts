/**
 * The `model` parameter of the query, read and rewritten without touching anything else (spec §3 row 8,
 * §5).
 *
 * @module
 */

import { RouterError } from "../http/mod.ts";

const PARAMETER = "model";

/**
 * Reads `model` from a raw query (without the question mark). Names and values are form-encoded: `+` is a
 * space, and an encoded name such as `%6dodel` is read too, since a backend would read it.
 *
 * @throws {RouterError} `missing_model` when it is absent or empty; `invalid_model_parameter` when its
 * values differ or are not valid percent-encoded UTF-8.
 */
export function readModel(rawQuery: string): string {
  let model: string | null = null;
  for (const part of rawQuery.split("&")) {
    if (!isModel(part)) continue;
    const equals = part.indexOf("=");
    const value = equals < 0 ? "" : decodeForm(part.slice(equals + 1));
    if (value === null) throw invalid("The model parameter is not valid percent-encoded UTF-8");
    if (model !== null && model !== value) {
      throw invalid("The model parameter was given more than once with different values");
    }
    model = value;
  }
  if (model === null || model === "") {
    throw new RouterError(
      "missing_model",
      "The model query parameter is required, as in /v1/realtime?model=<id>",
      { param: PARAMETER },
    );
  }
  return model;
}

/**
 * The client's own query with every `model` replaced by exactly one, in the place of the first. Those that
 * are called so in other letter case (`Model`) are left out: a server that does not tell them apart would
 * read a name that nobody has checked. All other parameters keep their bytes and their order.
 */
export function withModel(rawQuery: string, model: string): string {
  const replacement = `${PARAMETER}=${encodeURIComponent(model.toWellFormed())}`;
  if (rawQuery === "") return replacement;
  const kept: string[] = [];
  let placed = false;
  for (const part of rawQuery.split("&")) {
    if (nameOf(part)?.toLowerCase() !== PARAMETER) kept.push(part);
    else if (!placed && isModel(part)) {
      kept.push(replacement);
      placed = true;
    }
  }
  if (!placed) kept.push(replacement);
  return kept.join("&");
}

function isModel(part: string): boolean {
  return nameOf(part) === PARAMETER;
}

/** Null when it cannot be decoded. */
function nameOf(part: string): string | null {
  const equals = part.indexOf("=");
  return decodeForm(equals < 0 ? part : part.slice(0, equals));
}

function decodeForm(text: string): string | null {
  const spaced = text.replaceAll("+", " ");
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return null;
  }
}

function invalid(message: string): RouterError {
  return new RouterError("invalid_model_parameter", message, { param: PARAMETER });
}
