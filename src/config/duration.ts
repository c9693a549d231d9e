/**
 * Durations as the configuration file writes them (spec §2): `"0"`, or whole numbers with the units
 * `ms`, `s`, `m`, `h` and `d`, which may be joined from large to small: `"1m30s"`, `"250ms"`.
 *
 * @module
 */

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
] as const;

/**
 * The longest duration, in milliseconds (almost 25 days). A runtime timer holds a signed 32-bit number and
 * fires at once when it is given more, so a longer limit would end every session immediately.
 */
export const MAX_DURATION_MS = 2_147_483_647;

/** What {@link parseDuration} answers: whole milliseconds, or what is wrong with the text. */
export type DurationResult =
  | { readonly ok: true; readonly ms: number }
  | { readonly ok: false; readonly problem: string };

/** Each unit once, from large to small, so that a slip such as "30s1m" is noticed. */
const DURATION =
  /^(?:(\d{1,15})d)?(?:(\d{1,15})h)?(?:(\d{1,15})m)?(?:(\d{1,15})s)?(?:(\d{1,15})ms)?$/;

/**
 * Reads a duration of the configuration file.
 *
 * @param value What the file holds: a string, or the number 0.
 * @returns Whole milliseconds, at most {@link MAX_DURATION_MS}, or the problem in words. A problem repeats
 * the value only where it is a plain number, to show the fix.
 */
export function parseDuration(value: unknown): DurationResult {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return { ok: false, problem: "" };
  if (/^0+$/.test(text)) return { ok: true, ms: 0 };
  if (/^\d{1,15}(\.\d{1,15})?$/.test(text)) return bareNumber(text);

  const groups = text === "" ? null : DURATION.exec(text);
  if (groups === null) return { ok: false, problem: decimalFix(text) };
  const ms = UNITS.reduce((sum, [, size], i) => sum + Number(groups[i + 1] ?? 0) * size, 0);
  if (ms > MAX_DURATION_MS) {
    return { ok: false, problem: `found more than ${formatDuration(MAX_DURATION_MS)}` };
  }
  return { ok: true, ms };
}

/**
 * Writes a duration in the file's syntax, each unit at most once, so that {@link parseDuration} reads it back.
 *
 * @param ms Whole milliseconds, 0 or more.
 */
export function formatDuration(ms: number): string {
  let rest = ms;
  let text = "";
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text === "" ? "0" : text;
}

function bareNumber(text: string): DurationResult {
  const ms = Math.round(Number(text) * 1_000);
  const fix = formatDuration(Math.max(1, ms));
  return {
    ok: false,
    problem: /^\d+$/.test(text)
      ? `found a number without a unit: write "${text}s" for ${text} seconds`
      : `found a number without a unit: write "${fix}" for ${text} seconds`,
  };
}

function decimalFix(text: string): string {
  const match = /^(\d{1,9}\.\d{1,9})(ms|s|m|h|d)$/.exec(text);
  const unit = UNITS.find(([name]) => name === match?.[2]);
  if (match === null || unit === undefined) return "";
  const fix = formatDuration(Math.max(1, Math.round(Number(match[1]) * unit[1])));
  return `found a fraction: write "${fix}"`;
}
