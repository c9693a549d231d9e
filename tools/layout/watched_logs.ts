/**
 * No test runs a router whose log nobody looks through for secrets: see `tests/support/log_watch.ts`.
 *
 * @module
 */

import { isCode, lineAt, type Problem, type SourceFile, withoutComments } from "./source_file.ts";

/** Ways to run a router, and the files of tests that may use them. */
const WAYS: readonly {
  readonly pattern: RegExp;
  readonly allowed: readonly string[];
  readonly instead: string;
}[] = [
  {
    pattern: /\bstartRouter\b(?=[^;]*from "[./]*\/src\/router\/)/g,
    allowed: ["tests/support/watched_router.ts"],
    instead: "start it with startWatchedRouter",
  },
  {
    pattern: /\b(?:setUpLogging|endLogging)\b/g,
    allowed: [
      "tests/support/log_watch.ts",
      "tests/observability/log_test.ts",
      // Run by Program, which looks through what it writes.
      "tests/attack/programs/spool_writer.ts",
    ],
    instead: "have the log captured by CapturedLog or captureLogs",
  },
  {
    pattern: /\bDeno\.Command\b/g,
    allowed: [
      "tests/support/program.ts",
      "tests/deploy/installed_program.ts",
      "tests/deploy/running_program.ts",
      // What these run is no router, or one that only says its version and checks a file.
      "tests/deploy/compile_test.ts",
      "tests/soak/soak_test.ts",
      "tests/support/links.ts",
    ],
    instead: "run it with Program",
  },
];

/** Tests, but for those of this check. */
const OF_ROUTERS = /^tests\/(?!tools\/layout\/)/;

/** Tests that run a router, or a part of one, past the watch. */
export function checkWatchedLogs(files: readonly SourceFile[]): readonly Problem[] {
  const tests = files.filter(({ path }) => isCode(path) && OF_ROUTERS.test(path));
  return tests.flatMap(({ path, text }) => {
    const code = withoutComments(text);
    return WAYS.filter(({ allowed }) => !allowed.includes(path)).flatMap(({ pattern, instead }) =>
      [...code.matchAll(pattern)].map(({ index }) => ({
        path,
        line: lineAt(code, index),
        message: `its log is not looked through: ${instead}`,
      }))
    );
  });
}
