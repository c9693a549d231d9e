/**
 * The subjects that there are, and those that this machine can run.
 *
 * @module
 */

import type { SubjectRecord } from "../report/figures.ts";
import type { Subject } from "./subject.ts";

const FOLDER = new URL("../subjects/", import.meta.url);

/** Every adapter of `subjects/`, in the order in which they are measured. */
export async function loadSubjects(): Promise<readonly Subject[]> {
  const files = (await Array.fromAsync(Deno.readDir(FOLDER))).filter(({ name }) =>
    name.endsWith(".ts")
  );
  const modules: readonly { readonly subject: Subject }[] = await Promise.all(
    files.map(({ name }) => import(new URL(name, FOLDER).href)),
  );
  return modules.map(({ subject }) => subject).toSorted((one, other) => one.order - other.order);
}

/** A subject that can be run, or why it cannot. */
export type Presence =
  | { readonly record: SubjectRecord }
  | { readonly reason: string };

/** Asks a subject's program for its version. */
export async function presenceOf({ name, title, version }: Subject): Promise<Presence> {
  if (version === undefined) return { record: { name, title, version: "" } };
  const [program, ...args] = version.command;
  try {
    const output = await new Deno.Command(program, { args, stdin: "null" }).output();
    const text = new TextDecoder();
    const shown = text.decode(output.stdout) + text.decode(output.stderr);
    return { record: { name, title, version: version.pattern.exec(shown)?.[1] ?? "unknown" } };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return { reason: `${program} is not on this machine` };
  }
}
