import assert from "node:assert/strict";
import { checkBoundaries } from "../../../tools/layout/boundaries.ts";
import { imports, placesOf, treeOf } from "./tree_of.ts";

interface ImportCase {
  readonly from: string;
  readonly specifier: string;
}

const ALLOWED: readonly ImportCase[] = [
  { from: "src/auth/key_ring.ts", specifier: "../http/mod.ts" },
  { from: "src/config/schema/field.ts", specifier: "../tree.ts" },
  { from: "main.ts", specifier: "./src/config/mod.ts" },
  { from: "main.ts", specifier: "./deno.json" },
  { from: "demo/main.ts", specifier: "../src/router/mod.ts" },
  { from: "demo/main.ts", specifier: "./mod.ts" },
  { from: "tests/auth/bearer_test.ts", specifier: "../../src/auth/bearer.ts" },
  { from: "tests/config/golden/case.ts", specifier: "../../../src/config/tree.ts" },
  { from: "tests/auth/bearer_test.ts", specifier: "../support/raw_client.ts" },
  { from: "tests/demo/vad_test.ts", specifier: "../../demo/vad.ts" },
  { from: "tests/e2e/openai_test.ts", specifier: "../../demo/mod.ts" },
  { from: "tests/support/raw_client.ts", specifier: "./raw_peer.ts" },
  { from: "tests/tools/a_test.ts", specifier: "../../tools/check_layout.ts" },
  { from: "tests/docs/a_test.ts", specifier: "../../tools/layout/rooms.ts" },
  { from: "tests/clients/a_test.ts", specifier: "../../tools/clients/results.ts" },
  { from: "bench/relay.ts", specifier: "../demo/mod.ts" },
  { from: "bench/relay.ts", specifier: "../tests/support/raw_client.ts" },
  { from: "src/wire/edge.ts", specifier: "node:tls" },
];

Deno.test.each(ALLOWED)("checkBoundaries: $from may import $specifier", ({ from, specifier }) => {
  assert.deepEqual(checkBoundaries(treeOf({ [from]: imports(specifier) })), []);
});

const REFUSED: readonly ImportCase[] = [
  { from: "src/realtime/leg.ts", specifier: "../wire/wire_leg.ts" },
  { from: "src/realtime/leg.ts", specifier: "../config/schema/mod.ts" },
  { from: "src/router/router.ts", specifier: "../../main.ts" },
  { from: "src/router/router.ts", specifier: "../../demo/mod.ts" },
  { from: "src/router/router.ts", specifier: "../../tests/support/raw_client.ts" },
  { from: "main.ts", specifier: "./src/config/load.ts" },
  { from: "main.ts", specifier: "./demo/mod.ts" },
  { from: "demo/main.ts", specifier: "../src/router/router.ts" },
  { from: "demo/main.ts", specifier: "../tests/support/raw_client.ts" },
  { from: "tests/origin/policy_test.ts", specifier: "../../src/http/errors.ts" },
  { from: "tests/support/raw_client.ts", specifier: "../../src/wire/wire_leg.ts" },
  { from: "tests/e2e/openai_test.ts", specifier: "../../demo/backend.ts" },
  { from: "tests/e2e/openai_test.ts", specifier: "../demo/self_signed.ts" },
  { from: "tests/e2e/openai_test.ts", specifier: "../../main.ts" },
  { from: "src/wire/edge.ts", specifier: "../../bench/relay.ts" },
  { from: "bench/relay.ts", specifier: "../tools/check_layout.ts" },
];

Deno.test.each(REFUSED)(
  "checkBoundaries: $from may not import $specifier",
  ({ from, specifier }) => {
    const problems = checkBoundaries(treeOf({ [from]: `\n${imports(specifier)}` }));
    assert.deepEqual(placesOf(problems), [`${from}:2`]);
  },
);
