import assert from "node:assert/strict";
import { IdSource } from "../../demo/ids.ts";

Deno.test("IdSource: counts each prefix apart and carries the session", () => {
  const ids = new IdSource(3);
  assert.equal(ids.next("resp"), "resp_0003_0001");
  assert.equal(ids.next("item"), "item_0003_0001");
  assert.equal(ids.next("resp"), "resp_0003_0002");
  assert.notEqual(new IdSource(4).next("resp"), new IdSource(3).next("resp"));
});
