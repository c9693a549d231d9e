import assert from "node:assert/strict";
import { listFields } from "../../src/config/mod.ts";
import { usageRecord } from "../support/usage_records.ts";
import { blocksOf, textOf } from "./markdown.ts";

const PAGE = await textOf("docs/control-plane.md");

Deno.test("control-plane.md: the batch has the fields of the code, in its order", async () => {
  const [batch = ""] = blocksOf(PAGE, "json");
  const { records: [record], ...head } = JSON.parse(batch);
  assert.deepEqual(Object.keys(head), ["router_id", "batch_id"]);
  assert.deepEqual(Object.keys(record), Object.keys(usageRecord(1)));
  const source = await textOf("src/metering/hub_client.ts");
  assert.match(source, /\{ router_id: [\w.#]+, batch_id: id \}/);
});

Deno.test("control-plane.md: the statements for dead letters are the ones that a test runs", async () => {
  const statements = blocksOf(PAGE, "sql").join("").trim().split("\n");
  assert.equal(statements.length, 2);
  const test = await textOf("tests/metering/spool_test.ts");
  for (const statement of statements) assert.ok(test.includes(statement), statement);
});

Deno.test("control-plane.md: the example names every field of the section, with its default", () => {
  const [example = ""] = blocksOf(PAGE, "yaml");
  const fields = listFields().filter(({ path }) => path.startsWith("control_plane."));
  assert.ok(fields.length >= 9);
  for (const { path, default: value } of fields) {
    const line = new RegExp(`^  ${path.slice("control_plane.".length)}: "?([^"\\s]+)"?`, "m");
    const shown = line.exec(example)?.[1];
    assert.ok(shown !== undefined, path);
    if (value !== undefined && !path.endsWith(".enabled")) assert.equal(shown, String(value), path);
  }
});
