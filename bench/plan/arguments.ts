/**
 * The command line of `deno task bench`.
 *
 * @module
 */

import { parseArgs } from "node:util";

/** What was asked for. */
export interface BenchArguments {
  /** Short and small: shows that everything runs, and measures nothing. */
  readonly quick: boolean;
  /** Two runs, which have to agree. */
  readonly repeat: boolean;
  readonly rounds: number;
  /** For so long further rounds of uncertain loads are taken, from the start of a run. */
  readonly minutes: number;
  /** Names of subjects. Undefined: all that are not on request. */
  readonly subjects: readonly string[] | undefined;
  /** Names of loads. Undefined: all. */
  readonly loads: readonly string[] | undefined;
  /** Where the results go, below `bench/results`; undefined: a part of the whole is only printed. */
  readonly output: string | undefined;
}

/** What `--help` prints. */
export const USAGE = `usage: deno task bench [options]

  --quick           short and small: shows that everything runs
  --repeat          two runs, which have to give the same ratios
  --rounds=N        rounds over all subjects (4; quick: 1)
  --minutes=N       until then, further rounds of the loads whose ratios are
                    least certain (60; quick, a part, or --rounds: 0)
  --subjects=A,B    only these; also names those that run on request only
  --loads=A,B       only these
  --output=NAME     file of bench/results for the results of a part
`;

const ROUNDS = 4;
const MAX_ROUNDS = 100;
const MINUTES = 60;
const MAX_MINUTES = 24 * 60;

/**
 * Reads the arguments.
 *
 * @throws {TypeError} When one is unknown or has no valid value.
 */
export function readArguments(args: readonly string[]): BenchArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      repeat: { type: "boolean", default: false },
      rounds: { type: "string" },
      minutes: { type: "string" },
      subjects: { type: "string" },
      loads: { type: "string" },
      output: { type: "string" },
    },
  });
  if (values.output?.includes("/") === true) throw new TypeError("--output: a name without a /");
  const [subjects, loads] = [values.subjects, values.loads].map((list) => list?.split(","));
  const isPart = subjects !== undefined || loads !== undefined;
  const isWhole = !isPart && !values.quick && values.rounds === undefined;
  return {
    quick: values.quick,
    repeat: values.repeat,
    rounds: wholeNumber("--rounds", values.rounds ?? (values.quick ? 1 : ROUNDS), {
      least: 1,
      most: MAX_ROUNDS,
    }),
    minutes: wholeNumber("--minutes", values.minutes ?? (isWhole ? MINUTES : 0), {
      least: 0,
      most: MAX_MINUTES,
    }),
    subjects,
    loads,
    output: values.output ??
      (isPart ? undefined : values.quick ? "quick.local.json" : "results.json"),
  };
}

function wholeNumber(
  option: string,
  value: string | number,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new TypeError(`${option}: a whole number from ${least} to ${most}`);
}

/**
 * The things of those names, in their own order.
 *
 * @throws {TypeError} When a name belongs to none of them.
 */
export function choose<T extends { readonly name: string }>(
  all: readonly T[],
  names: readonly string[],
): readonly T[] {
  const unknown = names.filter((name) => !all.some((one) => one.name === name));
  if (unknown.length > 0) {
    const known = all.map(({ name }) => name).join(", ");
    throw new TypeError(`there is no ${unknown.join(", ")}; there are ${known}`);
  }
  return all.filter(({ name }) => names.includes(name));
}
