/**
 * What the document says of the clients, with the versions that are pinned.
 *
 * @module
 */

import type { ClientFacts } from "./compatibility_page.ts";
import { type PinnedIn, ROSTER, type RosterEntry } from "./roster.ts";

/** In the order of the roster. Needs to read the files with the pins. @throws {Error} When one is missing. */
export async function clientFacts(): Promise<readonly ClientFacts[]> {
  return await Promise.all(ROSTER.map(async (entry: RosterEntry) => {
    const { name, given, note, pin } = entry;
    return {
      name,
      given,
      ...note === undefined ? {} : { note },
      ...pin === undefined ? {} : { version: await versionOf(pin.package, pin.in) },
    };
  }));
}

/** `openai==3.57.0`, `"openai": "7.59.0"` and `"openai": "npm:openai@7.59.0"`. */
async function versionOf(name: string, file: PinnedIn): Promise<string> {
  const text = await Deno.readTextFile(file);
  const pin = new RegExp(`^\\s*"?${RegExp.escape(name)}(?:==|": ")(?:npm:.*@)?([\\w.]+)"?,?$`, "m");
  const version = pin.exec(text)?.[1];
  if (version === undefined) throw new Error(`Cannot find ${name} in ${file}`);
  return version;
}
