/**
 * Model names without what only says how a model was packed or when it was cut: quantisation and date
 * suffixes (spec §4, step 4).
 *
 * @module
 */

/** Longer names are never normalised: no model is called that, and the work stays bounded. */
export const MAX_NORMALISED_LENGTH = 256;

/** No suffix is longer than this. */
const TAIL_LENGTH = 32;

/** How quantised weights are labelled, without the separator. */
const QUANTISATIONS = [
  // llama.cpp: q8_0, q4_k_m, q3_k_xl, q4_0_4_8, iq4_xs, tq1_0; Unsloth puts "ud-" in front.
  "(?:ud-)?(?:q[1-8](?:_[01](?:_[48]_[48])?|_k(?:_(?:xs|s|m|l|xl|xxl))?)?|iq[1-4]_(?:xxs|xs|s|m|nl)|tq[12]_0)",
  // Floating point.
  "(?:b?f|fp)16|f32|fp32|fp8(?:[-_](?:dynamic|block|e4m3(?:fn)?|e5m2))?|fp4|nvfp4|mxfp[468]",
  // Whole numbers: int8, 4bit, 4-bit, w4a16.
  "int[2-8]|[2-8]-?bit|w(?:4|8|16)a(?:4|8|16)",
  // Methods and containers.
  "awq|gptq|gguf|ggml|mlx|exl[23]|hqq|bnb|onnx|quantized",
].join("|");

const QUANTISATION_SUFFIX = new RegExp(`[-_.:@](?:${QUANTISATIONS})$`);
const LONG_DATE_SUFFIX = /[-_.:@](20[0-9]{2})(-?)([0-9]{2})\2([0-9]{2})$/;
// No dot here: four digits after a dot are a version number.
const SHORT_DATE_SUFFIX = /[-_:@]([0-9]{2})([0-9]{2})$/;

const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/**
 * Removes one suffix from the end of a lower-case name. Returns null when there is none, or when nothing
 * of the model's own name would be left.
 */
export function stripSuffix(name: string): string | null {
  if (name.length > MAX_NORMALISED_LENGTH) return null;
  const tail = name.slice(-TAIL_LENGTH);
  const length = suffixLength(tail);
  if (length === 0) return null;
  const rest = name.slice(0, -length);
  return /[\p{L}\p{M}\p{N})\]]$/u.test(rest) ? rest : null;
}

/** Lower-cases a name and removes suffixes until none is left. */
export function normaliseName(name: string): string {
  let current = name.toLowerCase();
  for (let next = stripSuffix(current); next !== null; next = stripSuffix(current)) current = next;
  return current;
}

function suffixLength(tail: string): number {
  const quantisation = QUANTISATION_SUFFIX.exec(tail);
  if (quantisation !== null) return quantisation[0].length;
  const long = LONG_DATE_SUFFIX.exec(tail);
  if (long !== null && isDay(Number(long[3]), Number(long[4]))) return long[0].length;
  const short = SHORT_DATE_SUFFIX.exec(tail);
  if (short !== null && isShortDate(Number(short[1]), Number(short[2]))) return short[0].length;
  return 0;
}

/** `-0613` is a month and a day, `-2507` a year since 2020 and a month. */
function isShortDate(first: number, second: number): boolean {
  // 1024 is a dimension or a context length far more often than the 24th of October.
  if (first === 10 && second === 24) return false;
  return isDay(first, second) || (first >= 20 && first <= 39 && second >= 1 && second <= 12);
}

function isDay(month: number, day: number): boolean {
  return day >= 1 && day <= (DAYS_IN_MONTH[month - 1] ?? 0);
}
