import assert from "node:assert/strict";
import { readKnobs } from "../../demo/knobs.ts";

Deno.test("readKnobs: without metadata nothing is steered", () => {
  assert.deepEqual(readKnobs(null), {
    secs: 3,
    filter: false,
    nulldetails: false,
    fin: false,
    freeze: false,
    die: false,
    nodone: false,
    dup: false,
  });
});

Deno.test.each([
  { metadata: { secs: "0.2" }, expected: { secs: 0.2 } },
  { metadata: { fail: "1" }, expected: { fail: "server_error" } },
  { metadata: { fail: "model_not_found" }, expected: { fail: "model_not_found" } },
  { metadata: { maxtok: "20" }, expected: { maxtok: 20 } },
  { metadata: { nousage: "1" }, expected: { nousage: "missing" } },
  { metadata: { nousage: "null" }, expected: { nousage: "null" } },
  { metadata: { big: "262144" }, expected: { big: 262_144 } },
  { metadata: { close: "1005" }, expected: { close: 1005 } },
  { metadata: { close: "4999" }, expected: { close: 4999 } },
  { metadata: { die: "1", dup: "1" }, expected: { die: true, dup: true } },
  { metadata: { topic: "anything" }, expected: { secs: 3 } },
])("readKnobs: $metadata", ({ metadata, expected }) => {
  assert.partialDeepStrictEqual(readKnobs(metadata), expected);
});

Deno.test.each([
  { metadata: { secs: "soon" }, param: "response.metadata.secs" },
  { metadata: { secs: "500" }, param: "response.metadata.secs" },
  { metadata: { maxtok: "0" }, param: "response.metadata.maxtok" },
  { metadata: { big: "999999999" }, param: "response.metadata.big" },
  { metadata: { close: "1006" }, param: "response.metadata.close" },
  { metadata: { close: "2000" }, param: "response.metadata.close" },
  { metadata: { fail: "no code" }, param: "response.metadata.fail" },
])("readKnobs: refuses $metadata", ({ metadata, param }) => {
  assert.throws(() => readKnobs(metadata), { name: "RequestError", code: "invalid_value", param });
});
