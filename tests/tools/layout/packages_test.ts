import assert from "node:assert/strict";
import { checkImportMap, checkPackages } from "../../../tools/layout/packages.ts";
import { imports, placesOf, treeOf } from "./tree_of.ts";

interface PackageCase {
  readonly from: string;
  readonly specifier: string;
}

const ALLOWED: readonly PackageCase[] = [
  { from: "src/config/yaml.ts", specifier: "js-yaml" },
  { from: "src/http/app.ts", specifier: "hono" },
  { from: "src/http/cors.ts", specifier: "hono/cors" },
  { from: "src/observability/metrics.ts", specifier: "prom-client" },
  { from: "src/config/parse.ts", specifier: "zod" },
  { from: "src/wire/edge.ts", specifier: "node:tls" },
  { from: "src/wire/edge.ts", specifier: "./stream.ts" },
  { from: "src/admin/honour.ts", specifier: "honour" },
  { from: "src/metering/spool.ts", specifier: "node:sqlite" },
  { from: "tests/support/spool_rows.ts", specifier: "node:sqlite" },
  { from: "src/console/page/app.tsx", specifier: "preact/hooks" },
];

Deno.test.each(ALLOWED)("checkPackages: $from may import $specifier", ({ from, specifier }) => {
  assert.deepEqual(checkPackages(treeOf({ [from]: imports(specifier) })), []);
});

const REFUSED: readonly PackageCase[] = [
  { from: "src/config/parse.ts", specifier: "js-yaml" },
  { from: "tests/config/yaml_test.ts", specifier: "js-yaml" },
  { from: "src/admin/routes.ts", specifier: "hono" },
  { from: "src/console/console_routes.ts", specifier: "preact" },
  { from: "src/admin/routes.ts", specifier: "hono/cors" },
  { from: "src/realtime/session.ts", specifier: "prom-client" },
  { from: "src/admin/usage_route.ts", specifier: "node:sqlite" },
  { from: "src/http/app.ts", specifier: "jsr:@std/http" },
  { from: "src/http/app.ts", specifier: "https://example.com/mod.ts" },
  { from: "tests/demo/a_test.ts", specifier: "npm:ws@8.23.0" },
];

Deno.test.each(REFUSED)("checkPackages: $from may not import $specifier", ({ from, specifier }) => {
  const problems = checkPackages(treeOf({ [from]: imports(specifier) }));
  assert.deepEqual(placesOf(problems), [`${from}:1`]);
});

Deno.test("checkImportMap: npm packages only", () => {
  const text =
    '{\n  "imports": {\n    "zod": "npm:zod@4",\n    "@std/yaml": "jsr:@std/yaml@1"\n  }\n}\n';
  assert.deepEqual(placesOf(checkImportMap(treeOf({ "deno.json": text }))), ["deno.json:4"]);
});
