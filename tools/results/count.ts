/**
 * How many tests passed and failed, read from what Deno's test runner prints.
 *
 * @module
 */

import { stripVTControlCharacters } from "node:util";

/** Numbers of tests. Steps inside a test are not counted by themselves. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** One command of a run. */
export interface StepResult {
  readonly name: string;
  readonly output: string;
  /** Null when the command did not come to its end. */
  readonly exitCode: number | null;
}

/** `ok | 3 passed (1 step) | 0 failed (19ms)`, behind `[name] ` when tasks run side by side. */
const SUMMARY =
  /^(?:\[[^\]\n]+\] )?(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \(.*)?(?: \| .*)?$/gm;

/** The sum over every summary in an output, which has several when several test commands ran. */
export function countResults(output: string): Counts {
  const summaries = stripVTControlCharacters(output).replaceAll("\r", "").matchAll(SUMMARY);
  return sum([...summaries].map(([, passed, failed]) => ({
    passed: Number(passed),
    failed: Number(failed),
  })));
}

/** The counts of a command. One that failed without a failed test, as a crash does, is one failure. */
export function countStep({ output, exitCode }: StepResult): Counts {
  const { passed, failed } = countResults(output);
  return { passed, failed: exitCode === 0 ? failed : Math.max(1, failed) };
}

/** The counts of a run. One that ran no test at all is a failure too. */
export function countRun(steps: readonly StepResult[]): Counts {
  const { passed, failed } = sum(steps.map(countStep));
  return { passed, failed: passed === 0 ? Math.max(1, failed) : failed };
}

/** What is printed of a run: a line for every command, then the totals. */
export function reportLines(steps: readonly StepResult[]): readonly string[] {
  const { passed, failed } = countRun(steps);
  return [...steps.map(stepLine), "", `${passed} passed, ${failed} failed`];
}

function stepLine(step: StepResult): string {
  const { passed, failed } = countStep(step);
  const counts = passed + failed === 0 ? "" : `, ${passed} passed, ${failed} failed`;
  const state = step.exitCode === 0 ? "ok" : `exit code ${step.exitCode ?? "unknown"}`;
  return `${step.name}: ${state}${counts}`;
}

function sum(counts: readonly Counts[]): Counts {
  return counts.reduce((total, { passed, failed }) => ({
    passed: total.passed + passed,
    failed: total.failed + failed,
  }), { passed: 0, failed: 0 });
}
