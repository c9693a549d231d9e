/**
 * The languages of the page, and texts, numbers and times in them.
 *
 * @module
 */

import { en, type TextKey, type Texts } from "./en.ts";
import { ko } from "./ko.ts";

/** A language by its BCP 47 tag. */
export type Language = "en" | "ko";

/** Every language with its texts and its own name. */
export const LANGUAGES: Readonly<
  Record<Language, { readonly name: string; readonly texts: Texts }>
> = {
  en: { name: "English", texts: en },
  ko: { name: "한국어", texts: ko },
};

/** The first of the wanted languages that there is, else English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [language = ""] = tag.toLowerCase().split("-");
    if (Object.hasOwn(LANGUAGES, language)) return language as Language;
  }
  return "en";
}

/** Values for the words in braces. */
export type TextValues = Readonly<Record<string, string>>;

/** Writes in one language. */
export class Speech {
  readonly language: Language;
  readonly #number: Intl.NumberFormat;
  readonly #small: Intl.NumberFormat;
  readonly #time: Intl.DateTimeFormat;

  constructor(language: Language) {
    this.language = language;
    this.#number = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
    this.#small = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
    this.#time = new Intl.DateTimeFormat(language, { timeStyle: "medium", hourCycle: "h23" });
  }

  /** A text with its words in braces replaced. */
  text(key: TextKey, values: TextValues = {}): string {
    return LANGUAGES[this.language].texts[key].replaceAll(
      /\{(\w+)\}/g,
      (word, name: string) => values[name] ?? word,
    );
  }

  /** A whole number. */
  count(value: number): string {
    return this.#number.format(value);
  }

  /** A number with one decimal when it is small. */
  rate(value: number): string {
    return (value < 100 ? this.#small : this.#number).format(value);
  }

  /** Bytes, in units of 1,024. */
  bytes(value: number): string {
    if (value < 1024) return `${this.count(value)} B`;
    const kibibytes = value / 1024;
    if (kibibytes < 1024) return `${this.rate(kibibytes)} KB`;
    return `${this.rate(kibibytes / 1024)} MB`;
  }

  /** A short time, such as a latency. */
  milliseconds(value: number): string {
    return value < 10_000 ? `${this.count(value)} ms` : `${this.rate(value / 1000)} s`;
  }

  /** The time of day of a time stamp. */
  timeOfDay(unixMs: number): string {
    return this.#time.format(unixMs);
  }
}

/** A span of time in its two greatest units, such as `1m 05s`; units are the same in all languages. */
export function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const pad = (value: number) => String(value).padStart(2, "0");
  const minutes = Math.floor(whole / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) return `${whole}s`;
  if (hours === 0) return `${minutes}m ${pad(whole % 60)}s`;
  if (hours < 48) return `${hours}h ${pad(minutes % 60)}m`;
  return `${Math.floor(hours / 24)}d ${pad(hours % 24)}h`;
}
