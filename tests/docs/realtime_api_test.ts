import assert from "node:assert/strict";
import { listFields } from "../../src/config/mod.ts";
import { ERROR_ANSWERS, type ErrorCode } from "../../src/http/mod.ts";
import { rowsOf, sectionOf, textOf } from "./markdown.ts";

const PAGE = await textOf("docs/realtime-api.md");

/** Codes that only plain HTTP requests are answered with. */
const NOT_REALTIME: ReadonlySet<ErrorCode> = new Set([
  "admin_not_allowed",
  "request_too_large",
  "upstream_error",
  "upstream_timeout",
]);

Deno.test("realtime-api.md: lists every refusal with its status and type", () => {
  const rows = rowsOf(sectionOf(PAGE, "## Refusals"));
  const listed = rows.map(([status, code, type]) => ({ status, code, type }));
  const codes = (Object.keys(ERROR_ANSWERS) as ErrorCode[]).filter((code) =>
    !NOT_REALTIME.has(code)
  );
  const answers = codes.map((code) => ({
    status: String(ERROR_ANSWERS[code].status),
    code,
    type: ERROR_ANSWERS[code].type,
  }));
  const byCode = (a: { code?: string | undefined }, b: { code?: string | undefined }) =>
    (a.code ?? "") < (b.code ?? "") ? -1 : 1;
  assert.deepEqual(listed.toSorted(byCode), answers.toSorted(byCode));
});

Deno.test("realtime-api.md: lists every close frame that sessions send by themselves", async () => {
  const listed = rowsOf(sectionOf(PAGE, "## Close codes")).map(([code, reason]) =>
    `${code} ${reason}`
  );
  const source = await textOf("src/realtime/ending.ts");
  const frames = [...source.matchAll(/\{ code: (\d{4}), reason: "([^"]+)" \}/g)]
    .map(([, code, reason]) => `${code} ${reason}`);
  assert.ok(frames.length >= 5);
  assert.deepEqual(frames.filter((frame) => !listed.includes(frame)), []);
});

Deno.test("realtime-api.md: has the defaults of the section realtime", () => {
  const defaults = new Map(listFields().map(({ path, default: value }) => [path, String(value)]));
  const rows = rowsOf(sectionOf(PAGE, "## Timers and limits"));
  assert.equal(rows.length, 4);
  for (const [name, value] of rows) assert.equal(value, defaults.get(`realtime.${name}`));
});
