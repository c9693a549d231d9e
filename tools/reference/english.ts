/**
 * The reference in English: the schema's own words.
 *
 * @module
 */

import type { Language } from "./language.ts";

const HEAD = `# Configuration

[한국어](configuration.ko.md)

<!-- Written by tools/config_reference.ts; a test compares the two. -->

Every field of the file. [config.yaml](../config.yaml) shows the sections as they are written.
Unknown keys are errors. \`\${VAR}\` and \`\${VAR:-default}\` are replaced inside values, \`$\${\` stands for
\`\${\`. A duration is \`"0"\`, or whole numbers with \`ms\`, \`s\`, \`m\`, \`h\` and \`d\`, which may be joined:
\`"1m30s"\`.

\`[]\` stands for each entry of a list, \`*\` for a name of your own. Where there is no default, a field
is _required_ in the section or entry that it belongs to, or _optional_.

The column _reload_ says when a change counts after SIGHUP or \`POST /admin/reload\`: \`immediate\` with
the next request, \`gradual\` without ending running sessions, \`restart\` with the next start.
[operations.md](operations.md) tells more.
`;

/** See the module. */
export const ENGLISH: Language = {
  head: HEAD,
  headings: ["field", "default", "value", "unit", "reload", "meaning"],
  presence: { required: "required", optional: "optional" },
  masked: "Masked wherever it is shown.",
  describe: ({ description }) => description,
  value: (allowed) => allowed,
  unit: (unit) => unit,
};
