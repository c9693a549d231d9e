/** docs/deploy.md: what it says is what the files say. */

import assert from "node:assert/strict";
import { z } from "zod";
import { pathOf, textOf, yamlOf } from "./project_files.ts";

const DOCUMENT = await textOf("docs/deploy.md");

Deno.test("docs/deploy.md: lists every alert with its severity", async () => {
  const { groups } = z.object({
    groups: z.array(z.object({
      rules: z.array(
        z.object({ alert: z.string(), labels: z.object({ severity: z.string() }) }),
      ),
    })),
  }).parse(await yamlOf("deploy/prometheus/alerts.yml"));
  const rules = groups.flatMap(({ rules }) =>
    rules.map(({ alert, labels }) => [alert, labels.severity])
  );
  const rows = [...DOCUMENT.matchAll(/^\| `(\w+)` +\| (\w+) /gm)]
    .map(([, alert, severity]) => [alert, severity]);
  assert.deepEqual(rows, rules);
});

Deno.test("docs/deploy.md: every file that it links to or installs is there", async () => {
  const linked = [...DOCUMENT.matchAll(/\]\(([^):#]+)\)/g)]
    .map(([, link = ""]) => pathOf(`docs/${link}`));
  const installed = DOCUMENT.match(/\bdeploy\/[\w./-]+\w/g) ?? [];
  assert.ok(linked.length > 5 && installed.length > 5);
  const named = installed.filter((path) => path !== "deploy/realtime-router").map(pathOf);
  for (const path of [...linked, ...named]) await Deno.stat(path);
});
