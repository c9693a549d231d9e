import assert from "node:assert/strict";
import { type Command, HELP, parseCommand } from "../../src/config/mod.ts";

const CASES: readonly (readonly [readonly string[], Command])[] = [
  [[], { kind: "run" }],
  [["--config", "a.yaml"], { kind: "run", configPath: "a.yaml" }],
  [["--config=a.yaml"], { kind: "run", configPath: "a.yaml" }],
  [["--check"], { kind: "check" }],
  [["--check", "--config", "a.yaml"], { kind: "check", configPath: "a.yaml" }],
  [["--print-config"], { kind: "print-config" }],
  [["--print-permissions"], { kind: "print-permissions" }],
  [["--healthcheck"], { kind: "healthcheck" }],
  [["--version"], { kind: "version" }],
  [["--help"], { kind: "help" }],
  [["--check", "--help"], { kind: "help" }],
];

for (const [argv, command] of CASES) {
  Deno.test(`parseCommand: ${JSON.stringify(argv)} is ${command.kind}`, () => {
    assert.deepEqual(parseCommand(argv), command);
  });
}

const ERRORS: readonly (readonly [readonly string[], string])[] = [
  [["--chek"], "Unknown option '--chek'"],
  [["-c", "a.yaml"], "Unknown option '-c'"],
  [["--config"], "Option '--config <value>' argument missing"],
  [["--config", "--check"], "Option '--config' argument is ambiguous"],
  [["--config="], "--config needs a path"],
  [["--check=yes"], "Option '--check' does not take an argument"],
  [["--check", "--print-config"], "--check and --print-config exclude each other"],
  [["a.yaml"], "Unexpected argument 'a.yaml'"],
];

for (const [argv, problem] of ERRORS) {
  Deno.test(`parseCommand: ${JSON.stringify(argv)} is a usage error`, () => {
    const message = `${problem}; --help lists the options`;
    assert.deepEqual(parseCommand(argv), { kind: "usage-error", message });
  });
}

Deno.test("HELP: names every option and every exit code", () => {
  const options = [
    "--config PATH",
    "--check",
    "--print-config",
    "--print-permissions",
    "--healthcheck",
    "--version",
    "--help",
  ];
  for (const option of options) assert(HELP.includes(`  ${option} `), option);
  for (const code of ["0  fine", "1  failure", "2  bad configuration"]) {
    assert(HELP.includes(`  ${code}`), code);
  }
});
