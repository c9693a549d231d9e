import assert from "node:assert/strict";
import {
  askRefusal,
  askTalkAccess,
  readTalkAccess,
} from "../../src/console/page/talk/talk_access.ts";

Deno.test("readTalkAccess() offers the models that can speak", () => {
  const data = [
    { id: "voice", capabilities: ["audio", "text"] },
    { id: "text", capabilities: ["text"] },
    { id: "unknown" },
  ];
  assert.deepEqual(readTalkAccess(200, { data }), { kind: "open", models: ["voice"] });
  assert.deepEqual(readTalkAccess(200, {}), { kind: "open", models: [] });
});

Deno.test("readTalkAccess() knows why a browser cannot talk here", () => {
  assert.deepEqual(readTalkAccess(401, {}), { kind: "blocking" });
  assert.deepEqual(readTalkAccess(404, {}), { kind: "elsewhere" });
  assert.deepEqual(readTalkAccess(503, { error: { message: "draining" } }), {
    kind: "failed",
    message: "draining",
  });
  assert.deepEqual(readTalkAccess(500, {}), {
    kind: "failed",
    message: "The router answered 500",
  });
});

Deno.test("askTalkAccess() asks as a caller without a credential, and survives a lost connection", async () => {
  const asked: unknown[] = [];
  const access = await askTalkAccess((input, init) => {
    asked.push([input, init?.credentials, init?.headers]);
    return Promise.resolve(Response.json({ data: [] }));
  });
  assert.deepEqual(access, { kind: "open", models: [] });
  assert.deepEqual(asked, [["/v1/models", "omit", undefined]]);
  assert.deepEqual(await askTalkAccess(() => Promise.reject(new TypeError("Failed to fetch"))), {
    kind: "failed",
    message: "Failed to fetch",
  });
});

Deno.test("askRefusal() tells what the router refuses sessions for, and nothing when it does not", async () => {
  const answer = (code: string) => () =>
    Promise.resolve(Response.json({ error: { code, message: "because" } }));
  const refusal = { code: "draining", message: "because" };
  assert.deepEqual(await askRefusal(answer("draining"), "m"), refusal);
  assert.equal(await askRefusal(answer("upgrade_required"), "m"), null);
  assert.equal(await askRefusal(() => Promise.reject(new TypeError("lost")), "m"), null);
  assert.equal(await askRefusal(() => Promise.resolve(new Response("no JSON")), "m"), null);
  const asked: unknown[] = [];
  await askRefusal((input) => {
    asked.push(input);
    return Promise.resolve(Response.json({}));
  }, "a b/c");
  assert.deepEqual(asked, ["/v1/realtime?model=a%20b%2Fc"]);
});
