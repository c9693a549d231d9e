import assert from "node:assert/strict";
import { clientFacts } from "../../tools/clients/client_facts.ts";
import { compatibilityPage } from "../../tools/clients/compatibility_page.ts";
import { MISSING_ROW, readResults } from "../../tools/clients/results.ts";
import { ROSTER } from "../../tools/clients/roster.ts";
import { textOf } from "./markdown.ts";

Deno.test("compatibility.md: is what tools/compatibility.ts writes of the results that are checked in", async () => {
  const wanted = compatibilityPage(await clientFacts(), readResults());
  assert.ok(wanted.includes("openai Python"));
  assert.equal(await textOf("docs/compatibility.md"), wanted);
});

Deno.test("results.json: has every client of the roster, in its order, and no other", () => {
  assert.deepEqual(Object.keys(readResults()), ROSTER.map(({ name }) => name));
});

Deno.test("results.json: every cell has a text, and every client was asked something", () => {
  for (const [client, cells] of Object.entries(readResults())) {
    const texts = Object.values(cells).flatMap((row) => Object.values(row));
    assert.notEqual(texts.length, 0, client);
    assert.ok(texts.every((text) => text !== ""), client);
  }
});

Deno.test("compatibilityPage: names what could not be asked, and the modes where a text differs", () => {
  const facts = (name: string) => ({ name, given: "a URL" });
  const page = compatibilityPage([facts("absent"), facts("half"), facts("whole")], {
    absent: { [MISSING_ROW]: { plain: "no browser" } },
    half: {
      "connect": {
        "plain": "closed",
        "plain, keys": "closed",
        "TLS": "yes",
        "TLS, keys": "closed",
      },
      "404": { TLS: "error 404" },
      "close 1000": { TLS: "1000" },
    },
    whole: {
      "connect": { "plain": "yes", "plain, keys": "yes", "TLS": "yes", "TLS, keys": "yes" },
      "404": { "plain": "a", "plain, keys": "a", "TLS": "b", "TLS, keys": "b" },
    },
  });
  assert.match(page, /^\| absent .*\*\*Not available here\*\*: no browser\./m);
  assert.match(page, /^\| half +\| TLS without keys \|/m);
  assert.match(page, /^\| half +\| plain, TLS with keys +\| `closed`/m);
  assert.match(page, /^\| whole +\| yes /m);
  assert.match(page, /^\| whole +\| plain: `a`<br>TLS: `b` +\| – +\|/m);
});
