/** Every code that an error may have stands in the table of refusals of a page, and none that it cannot have. */

import assert from "node:assert/strict";
import { ERROR_ANSWERS } from "../../src/http/mod.ts";
import { rowsOf, sectionOf, textOf } from "./markdown.ts";

const TABLES = [
  { page: "docs/realtime-api.md", heading: "## Refusals" },
  { page: "docs/http-api.md", heading: "## Refusals" },
  { page: "docs/admin-api.md", heading: "## Access" },
  { page: "docs/realtime-api.ko.md", heading: "## 거부" },
];

Deno.test("documents: every error code of the source is in a table of refusals, and nothing else", async () => {
  const listed = await Promise.all(TABLES.map(async ({ page, heading }) => {
    const rows = rowsOf(sectionOf(await textOf(page), heading));
    return rows.filter(([status]) => /^\d{3}$/.test(status ?? ""))
      .map(([status, code, type]) => `${code} ${status} ${type}`);
  }));
  const codes = Object.entries(ERROR_ANSWERS)
    .map(([code, { status, type }]) => `${code} ${status} ${type}`);
  assert.ok(codes.length > 20);
  assert.deepEqual([...new Set(listed.flat())].toSorted(), codes.toSorted());
});
