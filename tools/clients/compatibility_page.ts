/**
 * The page about clients, from what the tests of `tests/clients` saw.
 *
 * @module
 */

import { code, markdownTable, plain } from "../reference/table.ts";
import { type ClientCells, MISSING_ROW, PAGE_PREFIX, type Results } from "./results.ts";

/** What else is said of a client. The texts are Markdown. */
export interface ClientFacts {
  readonly name: string;
  /** @default that of the system */
  readonly version?: string;
  readonly given: string;
  readonly note?: string;
}

const HEAD = `# Compatibility

<!-- Written by tools/compatibility.ts; a test compares the two. -->

What real clients do through the router, none of them changed. Each is told where the router is and
which key to send, and has the same sessions with the demo backend: every cell is the result of a
test, which compares what the client saw with what the backend reported. \`deno task test:clients\`
runs them all, and fails where a result differs from this page.

Every client is asked in four modes: over plain TCP and over TLS, each without keys (\`permissive\`)
and with keys (\`blocking\`).
`;

const MODE_COUNT = 4;
const SESSION_ROWS = ["connect", "voice turn", "text turn", "tool call", "cancel"] as const;
const END_ROWS = ["close 1000", "close 1001", "close 4001", "close 1011", "own end"] as const;

/** The whole page. */
export function compatibilityPage(clients: readonly ClientFacts[], results: Results): string {
  const cells = clients.map((facts) => ({ facts, cells: results[facts.name] ?? {} }));
  return [HEAD, ...SECTIONS.map((section) => section(cells))].join("\n");
}

interface ClientResult {
  readonly facts: ClientFacts;
  readonly cells: ClientCells;
}

type Section = (clients: readonly ClientResult[]) => string;

const SECTIONS: readonly Section[] = [
  clientsSection,
  sessionsSection,
  failuresSection,
  refusalsSection,
  endsSection,
  pagesSection,
  requestsSection,
];

function clientsSection(clients: readonly ClientResult[]): string {
  const rows = clients.map(({ facts, cells }) => [
    facts.name,
    facts.version ?? "the system's",
    facts.given,
    [facts.note, missing(cells)].filter((text) => text !== undefined).join(" "),
  ]);
  return `## The clients

With TLS the certificate is that of a private authority, which each is told to trust in its own way:
\`SSL_CERT_FILE\` for Python, \`NODE_EXTRA_CA_CERTS\` for Node, \`DENO_CERT\` for Deno, \`--ca\` and
\`--cacert\` for wscat and curl. Python from 3.13 on refuses a certificate that does not name the key
of its authority (\`authorityKeyIdentifier\`).

${markdownTable(["client", "version", "is told", "remarks"], rows)}`;
}

function sessionsSection(clients: readonly ClientResult[]): string {
  const rows = withRow(clients, "connect").map(({ facts, cells }) => [
    facts.name,
    ...SESSION_ROWS.map((row) => modesWith(cells, row)),
    shown(cells["reconnect"]),
  ]);
  return `## Sessions

A voice turn has audio in both directions; a tool call is answered, and spoken of; a cancelled
response ends as \`cancelled\`. _reconnect_ is how the client has its next session after one that was
lost with 1011. Where a mode is not named, the client has no session in it.

${markdownTable(["client", ...SESSION_ROWS, "reconnect"], rows)}`;
}

function failuresSection(clients: readonly ClientResult[]): string {
  const rows = withRow(clients, "connect").flatMap(({ facts, cells }) =>
    grouped(Object.entries(cells["connect"] ?? {}).filter(([, text]) => text !== "yes"))
      .map(([text, modes]) => [facts.name, modes, quoted(text)])
  );
  return `## Where a client has no session

${markdownTable(["client", "mode", "what it shows"], rows)}`;
}

function refusalsSection(clients: readonly ClientResult[]): string {
  const rows = withRow(clients, "404").map(({ facts, cells }) => [
    facts.name,
    shown(cells["404"], quoted),
    shown(cells["401"], quoted),
  ]);
  return `## How a refusal is shown

Before the 101, with the status and the JSON body of [realtime-api.md](realtime-api.md): an unknown
model, and a key that is not known.

${markdownTable(["client", "404", "401"], rows)}`;
}

function endsSection(clients: readonly ClientResult[]): string {
  const rows = withRow(clients, "close 1000").map(({ facts, cells }) => [
    facts.name,
    ...END_ROWS.map((row) => shown(cells[row], quoted)),
  ]);
  return `## How an end is shown

1000, 1001 and 4001 come from the backend, with the reason \`asked for by metadata\`; 1011 from the
router, because the backend's connection is lost. The last column is the other way round: the close
frame that the backend gets when the client ends a session.

${markdownTable(["client", "1000", "1001", "4001", "1011", "its own"], rows)}`;
}

function pagesSection(clients: readonly ClientResult[]): string {
  const rows = ownRows(clients, "Chromium").map(([row, texts]) => {
    const [page = "", protocols = ""] = row.slice(PAGE_PREFIX.length).split("; ");
    return [page, protocols, shown(texts, quoted)];
  });
  return `## Pages in Chromium

${markdownTable(["page of", "offers the subprotocols", "sees"], rows)}`;
}

function requestsSection(clients: readonly ClientResult[]): string {
  const rows = ownRows(clients, "curl").map(([row, texts]) => [code(row), shown(texts)]);
  return `## Refusals, seen with curl

${markdownTable(["code", "status"], rows)}`;
}

/** The rows of a client that are in none of the other tables. */
function ownRows(clients: readonly ClientResult[], name: string) {
  const others: readonly string[] = [...SESSION_ROWS, ...END_ROWS, "reconnect", "401", "404"];
  const cells = clients.find(({ facts }) => facts.name === name)?.cells ?? {};
  return Object.entries(cells).filter(([row]) => !others.includes(row) && row !== MISSING_ROW);
}

function withRow(clients: readonly ClientResult[], row: string): readonly ClientResult[] {
  return clients.filter(({ cells }) => row in cells || MISSING_ROW in cells);
}

function missing(cells: ClientCells): string | undefined {
  const [reason] = Object.values(cells[MISSING_ROW] ?? {});
  return reason === undefined ? undefined : `**Not available here**: ${plain(reason)}.`;
}

/** In which modes a row went well: \`yes\` for all, else their names. */
function modesWith(cells: ClientCells, row: string): string {
  const entries = Object.entries(cells[row] ?? {}).filter(([, text]) => text === "yes");
  if (entries.length === 0) return "–";
  return entries.length === MODE_COUNT ? "yes" : namesOf(entries.map(([mode]) => mode));
}

/** The text of a row; where modes differ, each text with its modes. */
function shown(
  texts: Readonly<Record<string, string>> = {},
  write: (text: string) => string = plain,
): string {
  const groups = grouped(Object.entries(texts));
  if (groups.length === 0) return "–";
  if (groups.length === 1) return write(groups[0]?.[0] ?? "");
  return groups.map(([text, modes]) => `${modes}: ${write(text)}`).join("<br>");
}

function grouped(
  entries: readonly (readonly [mode: string, text: string])[],
): readonly (readonly [text: string, modes: string])[] {
  const modes = Map.groupBy(entries, ([, text]) => text);
  return [...modes].map(([text, members]) => [text, namesOf(members.map(([mode]) => mode))]);
}

/** A transport alone stands for both of its modes. */
function namesOf(modes: readonly string[]): string {
  const keyless = modes.filter((mode) => !mode.endsWith(", keys"));
  if (modes.length === 2 && keyless.length !== 1) {
    return keyless.length === 0 ? "with keys" : "without keys";
  }
  return ["plain", "TLS"].flatMap((transport) => {
    const without = modes.includes(transport);
    const withKeys = modes.includes(`${transport}, keys`);
    if (without && withKeys) return [transport];
    if (without) return [`${transport} without keys`];
    return withKeys ? [`${transport} with keys`] : [];
  }).join(", ");
}

function quoted(text: string): string {
  return code(text.replaceAll("|", "¦"));
}
