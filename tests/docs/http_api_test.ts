import assert from "node:assert/strict";
import { listFields } from "../../src/config/mod.ts";
import { dispatchRoutes, MAX_BODY_BYTES } from "../../src/dispatch/mod.ts";
import { ERROR_ANSWERS, type ErrorCode, RouterError } from "../../src/http/mod.ts";
import type { EdgeConnection } from "../../src/wire/mod.ts";
import { DispatchScenario } from "../support/dispatch_scenario.ts";
import { rowsOf, sectionOf, textOf } from "./markdown.ts";

const PAGE = await textOf("docs/http-api.md");

/** Codes that no plain request to a model is answered with. */
const NOT_HTTP: ReadonlySet<ErrorCode> = new Set([
  "admin_not_allowed",
  "audio_not_supported",
  "draining",
  "invalid_handshake",
  "origin_not_allowed",
  "session_limit_reached",
  "upgrade_required",
]);

/** Asks for every route under a method that none has, and gives the ones that it names. */
async function routes(): Promise<readonly string[]> {
  const all = dispatchRoutes(
    new DispatchScenario({ backends: [] }).parts(() => assert.fail("nobody is asked")),
  );
  return await Promise.all(all.map(async ({ path, handle }) => {
    const request = new Request(`http://localhost${path}`, { method: "PATCH" });
    // No route looks at its connection before its method.
    const connection = {} as EdgeConnection;
    const refusal = await Promise.try(() => handle({ request, connection, requestId: "r" }))
      .then(() => assert.fail("was answered"), (error: unknown) => error);
    assert.ok(refusal instanceof RouterError && refusal.code === "method_not_allowed");
    return `${refusal.headers["allow"]?.replace(" ", "")} ${path.replace("*", "{id}")}`;
  }));
}

/** The texts in a constant of a source file. */
function textsIn(source: string, constant: string): readonly string[] {
  const value = new RegExp(`const ${constant}\\b[^=]*= ([^;]*);`).exec(source)?.[1] ?? "";
  return [...value.matchAll(/"([^"]+)"/g)].map(([, text]) => text ?? "");
}

Deno.test("http-api.md: lists exactly the routes, with their methods", async () => {
  const listed = rowsOf(sectionOf(PAGE, "## Routes")).map(([method, path]) => `${method} ${path}`);
  assert.deepEqual(listed, await routes());
});

Deno.test("http-api.md: lists every refusal with its status and type", () => {
  const rows = rowsOf(sectionOf(PAGE, "## Refusals"));
  const listed = rows.map(([status, code, type]) => `${code} ${status} ${type}`);
  const codes = (Object.keys(ERROR_ANSWERS) as ErrorCode[]).filter((code) => !NOT_HTTP.has(code));
  const answers = codes.map((code) =>
    `${code} ${ERROR_ANSWERS[code].status} ${ERROR_ANSWERS[code].type}`
  );
  assert.deepEqual(listed.toSorted(), answers.toSorted());
});

Deno.test("http-api.md: names every header that passes", async () => {
  const source = await textOf("src/dispatch/header_lists.ts");
  const request = sectionOf(PAGE, "## The request");
  const answer = sectionOf(PAGE, "## The answer");
  const forwarded = textsIn(source, "FORWARDED");
  const returned = [...textsIn(source, "RETURNED"), ...textsIn(source, "RETURNED_PREFIXES")];
  assert.ok(forwarded.length >= 5 && returned.length >= 6);
  assert.deepEqual(forwarded.filter((name) => !request.includes(`\`${name}\``)), []);
  assert.deepEqual(returned.filter((name) => !answer.includes(`\`${name}\``)), []);
});

Deno.test("http-api.md: has the defaults of the section timeouts", () => {
  const defaults = new Map(listFields().map(({ path, default: value }) => [path, String(value)]));
  const rows = rowsOf(sectionOf(PAGE, "## Timeouts"));
  assert.equal(rows.length, 3);
  for (const [name, value] of rows) assert.equal(value, defaults.get(`timeouts.request.${name}`));
});

Deno.test("http-api.md: has the limit of the code", () => {
  assert.ok(PAGE.includes(`at most ${MAX_BODY_BYTES / 1024 / 1024} MiB`));
});

Deno.test("security.md: has the limit of what is read of answers", async () => {
  const scan = await textOf("src/dispatch/answer_scan.ts");
  assert.match(scan, /MAX_VALUE_BYTES = 64 \* 1024;/);
  assert.ok((await textOf("docs/security.md")).includes("of HTTP answers 64 KiB of a value"));
});
