/**
 * Exported functions take at most two positional arguments and, after them, options.
 *
 * @module
 */

import { isCode, lineAt, type Problem, type SourceFile, withoutComments } from "./source_file.ts";

/** Declarations begin their line, because the code is formatted. */
const FUNCTION = /^export (?:default )?(?:async )?function\b\*? ?(\w*)/gm;
const ARROW = /^export const (\w+)(?:: [^=]+)? = (?:async )?(?=[<(])/gm;
const MAX_POSITIONAL = 2;

/** Exported functions with more. */
export function checkParameters(files: readonly SourceFile[]): readonly Problem[] {
  return files.filter(({ path }) => isCode(path)).flatMap(({ path, text }) => {
    const code = withoutComments(text);
    return [...code.matchAll(FUNCTION), ...code.matchAll(ARROW)].flatMap((match) => {
      const positional = positionalParameters(code, match.index + match[0].length);
      if (positional.length <= MAX_POSITIONAL) return [];
      const message = `${match[1]} has ${positional.length} positional parameters: ` +
        `take at most ${MAX_POSITIONAL} and an options object`;
      return [{ path, line: lineAt(code, match.index), message }];
    });
  });
}

/**
 * The parameters before a last one that is an object of options, each with its type. It is one when it is
 * called so, is taken apart at once, or spells its members out.
 */
function positionalParameters(code: string, start: number): readonly string[] {
  const parameters = parametersAt(code, start);
  const last = parameters.at(-1);
  const takesOptions = last !== undefined && /^(?:options\b|\{|\w+\??: \{)/.test(last);
  return takesOptions ? parameters.slice(0, -1) : parameters;
}

/** Splits a parameter list at its own commas, after the type parameters that may precede it. */
function parametersAt(code: string, start: number): readonly string[] {
  const parameters: string[] = [];
  let open = "";
  let depth = 0;
  let begin = start;
  for (let at = start; at < code.length; at++) {
    const char = code.charAt(at);
    if (char === '"') at = code.indexOf('"', at + 1);
    else if (char === "=" && code.charAt(at + 1) === ">") at++;
    else if ("([{<".includes(char)) {
      if (depth++ > 0) continue;
      open = char;
      begin = at + 1;
    } else if (")]}>".includes(char)) {
      if (--depth > 0 || open === "<") continue;
      parameters.push(code.slice(begin, at).trim());
      break;
    } else if (char === "," && depth === 1 && open === "(") {
      parameters.push(code.slice(begin, at).trim());
      begin = at + 1;
    }
  }
  return parameters.filter((parameter) => parameter !== "");
}
