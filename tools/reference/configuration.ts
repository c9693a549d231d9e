/**
 * The reference of the configuration, from the notes in its schema.
 *
 * @module
 */

import type { ConfigField } from "../../src/config/mod.ts";
import { code, markdownTable, plain } from "./table.ts";

const HEAD = `# Configuration

<!-- Written by tools/config_reference.ts; a test compares the two. -->

Every field of the file. [config.yaml](../config.yaml) shows the sections as they are written.
Unknown keys are errors. \`\${VAR}\` and \`\${VAR:-default}\` are replaced inside values, \`$\${\` stands for
\`\${\`. A duration is \`"0"\`, or whole numbers with \`ms\`, \`s\`, \`m\`, \`h\` and \`d\`, which may be joined:
\`"1m30s"\`.

\`[]\` stands for each entry of a list, \`*\` for a name of your own. Where there is no default, a field
is _required_ in the section or entry that it belongs to, or _optional_.

The column _reload_ says when a change counts after SIGHUP or \`POST /admin/reload\`: _immediate_ with
the next request, _gradual_ without ending running sessions, _restart_ with the next start.
[operations.md](operations.md) tells more.
`;

const HEADINGS = ["field", "default", "value", "unit", "reload", "meaning"] as const;

/** The whole page. */
export function configurationReference(fields: readonly ConfigField[]): string {
  const sections = Map.groupBy(fields, sectionOf);
  return HEAD +
    [...sections].map(([name, members]) =>
      `\n## ${name}\n\n${markdownTable(HEADINGS, members.map(rowOf))}`
    ).join("");
}

/** The first name of a path: of `backends[].url` it is `backends`. */
function sectionOf({ path }: ConfigField): string {
  return /^\w+/.exec(path)?.[0] ?? path;
}

function rowOf(field: ConfigField): readonly string[] {
  return [
    code(field.path),
    defaultOf(field),
    plain(field.allowed),
    field.unit ?? "",
    field.reload,
    plain(field.description) + (field.secret ? " Masked wherever it is shown." : ""),
  ];
}

function defaultOf(field: ConfigField): string {
  return field.presence === "default" ? code(JSON.stringify(field.default)) : field.presence;
}
