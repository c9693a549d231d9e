/**
 * What the documents tell a reader to type, and what they show of the answers.
 *
 * @module
 */

import { textOf } from "./project_files.ts";

/** A command of a document. */
export interface ConsoleCommand {
  readonly document: string;
  /** Without the prompt; continued lines are joined. */
  readonly command: string;
  /** What the same block shows below it. */
  readonly output: readonly string[];
  /** The block of JSON that follows, if one does before the next command. */
  readonly json: unknown;
}

/** The commands of a document, in its order. */
export async function commandsOf(document: string): Promise<readonly ConsoleCommand[]> {
  const text = await textOf(document);
  const blocks = [...text.matchAll(/^```(console|json)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, language, body = ""], at) => {
    if (language !== "console") return [];
    const [, next, following = ""] = blocks[at + 1] ?? [];
    const json: unknown = next === "json" ? JSON.parse(following) : undefined;
    return body.replaceAll(/ *\\\n */g, " ").split(/^\$ /m).slice(1).map((typed) => {
      const [command = "", ...output] = typed.trimEnd().split("\n");
      return { document, command, output, json };
    });
  });
}

/** The words of a command as a shell takes them; of quotes it knows those that the documents use. */
export function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
    .map(([, double, single, bare]) => double ?? single ?? bare ?? "");
}

/** The request that `curl` makes. @throws {Error} When it has an option that is not known here. */
export function curlRequest(command: string, origin: string): Request {
  const [curl, ...words] = wordsOf(command);
  if (curl !== "curl") throw new Error(`no curl: ${command}`);
  const headers = new Headers();
  let target = "";
  let method: string | undefined;
  let body: string | undefined;
  while (words.length > 0) {
    const word = words.shift() ?? "";
    if (word === "-X") method = words.shift();
    else if (word === "-H") {
      const [name = "", value = ""] = words.shift()?.split(/: */, 2) ?? [];
      headers.set(name, value);
    } else if (word === "-d") body = words.shift();
    else if (word === "--no-buffer") continue;
    else if (word.startsWith("-")) throw new Error(`unknown option: ${word}`);
    else target = word.replace("http://localhost:8080", origin);
  }
  if (body !== undefined) headers.set("content-type", "application/x-www-form-urlencoded");
  return new Request(target, {
    headers,
    method: method ?? (body === undefined ? "GET" : "POST"),
    ...body === undefined ? {} : { body },
  });
}
