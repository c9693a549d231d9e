/**
 * The command line (spec §14).
 *
 * @module
 */

import { parseArgs } from "node:util";

/** What to do besides running the router. */
type Action =
  | "check"
  | "print-config"
  | "print-permissions"
  | "healthcheck";

/** Something to do with a configuration. */
export interface ConfiguredCommand {
  readonly kind: "run" | Action;
  /** @default {undefined} the first that there is of the known places */
  readonly configPath?: string;
}

/** What the command line asks for. */
export type Command =
  | ConfiguredCommand
  | { readonly kind: "version" }
  | { readonly kind: "help" }
  /** Print `message` to standard error and exit 2. */
  | { readonly kind: "usage-error"; readonly message: string };

/** The text of `--help`. */
export const HELP =
  `realtime-router: routes OpenAI-Realtime-compatible voice sessions and HTTP requests

Usage: realtime-router [--config PATH] [ACTION]

Without an action the router runs until SIGTERM or SIGINT.

Options:
  --config PATH         configuration file; without it the first of ./config.yaml,
                        ~/.config/realtime-router/config.yaml and
                        /etc/realtime-router/config.yaml

Actions, one at most:
  --check               validate the configuration and exit
  --print-config        print the effective configuration, secrets masked, and exit
  --print-permissions   print the Deno flags that this configuration needs, and exit
  --healthcheck         exit 0 if /health of the configured address answers
  --version             print the version and exit
  --help                print this text and exit

Exit codes:
  0  fine
  1  failure while running
  2  bad configuration or usage
`;

const ACTIONS = ["check", "print-config", "print-permissions", "healthcheck"] as const;

const OPTIONS = {
  config: { type: "string" },
  check: { type: "boolean" },
  "print-config": { type: "boolean" },
  "print-permissions": { type: "boolean" },
  healthcheck: { type: "boolean" },
  version: { type: "boolean" },
  help: { type: "boolean" },
} as const;

/** Reads the arguments after the program's name. Never throws; `--help` wins over the other options. */
export function parseCommand(argv: readonly string[]): Command {
  const parsed = parse(argv);
  if (typeof parsed === "string") return usageError(parsed);
  if (parsed.help) return { kind: "help" };
  if (parsed.version) return { kind: "version" };
  if (parsed.config === "") return usageError("--config needs a path");

  const actions = ACTIONS.filter((action) => parsed[action]);
  const [kind = "run", second] = actions;
  if (second !== undefined) return usageError(`--${kind} and --${second} exclude each other`);
  return { kind, ...parsed.config === undefined ? {} : { configPath: parsed.config } };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, strict: true }).values;
  } catch (error) {
    // parseArgs explains at length how to pass positionals, which this program has none of.
    const message = error instanceof Error ? error.message : "unknown option";
    return message.split(/\.? *\n|\. /, 1)[0] ?? message;
  }
}

function usageError(problem: string): Command {
  return { kind: "usage-error", message: `${problem}; --help lists the options` };
}
