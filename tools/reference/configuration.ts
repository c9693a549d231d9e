/**
 * The reference of the configuration, from the notes in its schema.
 *
 * @module
 */

import type { ConfigField } from "../../src/config/mod.ts";
import type { Language } from "./language.ts";
import { code, markdownTable, plain } from "./table.ts";

/** The whole page. @throws {Error} When the language has no text for a field. */
export function configurationReference(
  fields: readonly ConfigField[],
  language: Language,
): string {
  const sections = Map.groupBy(fields, sectionOf);
  return language.head +
    [...sections].map(([name, members]) => {
      const rows = members.map((field) => rowOf(field, language));
      return `\n## ${name}\n\n${markdownTable(language.headings, rows)}`;
    }).join("");
}

/** The first name of a path: of `backends[].url` it is `backends`. */
function sectionOf({ path }: ConfigField): string {
  return /^\w+/.exec(path)?.[0] ?? path;
}

function rowOf(field: ConfigField, language: Language): readonly string[] {
  return [
    code(field.path),
    field.presence === "default"
      ? code(JSON.stringify(field.default))
      : language.presence[field.presence],
    plain(language.value(field.allowed)),
    field.unit === undefined ? "" : language.unit(field.unit),
    field.reload,
    plain(language.describe(field)) + (field.secret ? ` ${language.masked}` : ""),
  ];
}
