/**
 * A Dockerfile's instructions, as far as ours uses them.
 *
 * @module
 */

/** One instruction: `COPY` and `["--from=build", "/app", "/app"]`. */
export interface Instruction {
  readonly name: string;
  readonly words: readonly string[];
  /** All after the name, as it is written. */
  readonly text: string;
}

/** The instructions of every stage, in order; each stage begins with its `FROM`. */
export function stagesOf(text: string): readonly (readonly Instruction[])[] {
  const stages: Instruction[][] = [];
  for (const instruction of instructionsOf(text)) {
    if (instruction.name === "FROM") stages.push([]);
    stages.at(-1)?.push(instruction);
  }
  return stages;
}

/** The words of a command in its exec form. @throws {SyntaxError} When it is in another form. */
export function commandOf(text: string): readonly string[] {
  const words: unknown = JSON.parse(text);
  if (Array.isArray(words) && words.every((word) => typeof word === "string")) return words;
  throw new SyntaxError(`no command in exec form: ${text}`);
}

function instructionsOf(text: string): readonly Instruction[] {
  const lines = text.split("\n").filter((line) => !/^\s*(#|$)/.test(line)).join("\n")
    .replaceAll(/\\\n\s*/g, "").split("\n");
  return lines.map((line) => {
    const [, name = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    return { name: name.toUpperCase(), text: rest, words: rest.split(/\s+/) };
  });
}
