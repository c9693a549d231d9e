import assert from "node:assert/strict";
import { errorBody } from "../../src/http/mod.ts";
import { ASKED, Dispatched, ok, refused, status } from "./dispatched.ts";

Deno.test("dispatch() prefers the backend that x-backend names, and falls back all the same", async () => {
  const dispatched = new Dispatched({ a: ok, b: ok, c: status(500) });
  const preferred = async (name: string) => {
    const response = await dispatched.post(ASKED, { headers: { "x-backend": name } });
    await response.text();
    return response.headers.get("x-served-backend");
  };
  assert.equal(await preferred("b"), "b");
  assert.equal(await preferred("b"), "b");
  assert.notEqual(await preferred("c"), "c");
  assert.notEqual(await preferred("nobody"), null);
});

Deno.test("dispatch() tries the next candidate after an error, and each only once", async () => {
  const dispatched = new Dispatched({ a: refused, b: status(503), c: ok });
  const response = await dispatched.post(ASKED);
  assert.equal(response.headers.get("x-served-backend"), "c");
  await response.text();
  assert.deepEqual(dispatched.asked, ["a", "b", "c"]);
  assert.deepEqual(dispatched.tries, [
    ["a", 502, "upstream_error"],
    ["b", 503, "upstream_error"],
    ["c", 200, "completed"],
  ]);
  assert.deepEqual(
    dispatched.scenario.records.map(({ parent_attempt, input_tokens }) => [
      parent_attempt,
      input_tokens,
    ]),
    [[undefined, 0], [1, 0], [2, 3]],
  );
  assert.deepEqual(["a", "b", "c"].map((name) => dispatched.failures(name)), [1, 1, 0]);
  assert.deepEqual(dispatched.scenario.warnings.map(({ cause, detail }) => [cause, detail]), [
    ["unreachable", "connection refused"],
    ["status", "HTTP status 503"],
  ]);
  assert.deepEqual(dispatched.scenario.failures, [
    ["a", "connection refused"],
    ["b", "HTTP status 503"],
  ]);
  assert.equal(dispatched.scenario.clock.pending, 0);
});

Deno.test("dispatch() passes on the last answer when all have failed", async () => {
  const dispatched = new Dispatched({ a: status(500), b: status(503), c: refused });
  const response = await dispatched.post(ASKED);
  assert.equal(response.status, 503);
  assert.equal(response.headers.get("x-served-backend"), "b");
  assert.deepEqual(await response.json(), { error: { message: "m" } });
  assert.equal(dispatched.tries.length, 3);
  assert.deepEqual(["a", "b", "c"].map((name) => dispatched.failures(name)), [1, 1, 1]);
  assert.equal(dispatched.scenario.clock.pending, 0);
});

Deno.test("dispatch() answers upstream_error when no backend could be reached", async () => {
  const error = await new Dispatched(refused).refusal(ASKED);
  assert.equal(error.code, "upstream_error");
  assert.doesNotMatch(errorBody(error).error.message, /refused|\.test/);
});

Deno.test.each([101, 600])("dispatch() takes a status of %i for no answer", async (code) => {
  const unusable = () => Object.defineProperty(new Response(null), "status", { value: code });
  const dispatched = new Dispatched({ a: unusable, b: ok, c: ok });
  const response = await dispatched.post(ASKED);
  assert.equal(response.headers.get("x-served-backend"), "b");
  await response.text();
  assert.equal(dispatched.failures("a"), 1);
});

Deno.test.each([400, 401, 404, 429])(
  "dispatch() passes a %i on: no failure of the backend",
  async (code) => {
    const dispatched = new Dispatched(status(code));
    const response = await dispatched.post(ASKED);
    assert.equal(response.status, code);
    await response.text();
    assert.deepEqual(dispatched.tries, [["a", code, "upstream_error"]]);
    assert.equal(dispatched.failures("a"), 0);
  },
);

Deno.test("dispatch() passes an answer without a body on", async () => {
  const dispatched = new Dispatched(() => new Response(null, { status: 204 }));
  const response = await dispatched.post(ASKED);
  assert.deepEqual([response.status, response.body], [204, null]);
  assert.deepEqual(dispatched.tries, [["a", 204, "completed"]]);
  assert.equal(dispatched.scenario.clock.pending, 0);
});

Deno.test("dispatch() passes over a backend whose credential cannot be sent, and does not show it", async () => {
  const dispatched = new Dispatched({ b: ok }, { credentials: { a: "two\nlines" } });
  const response = await dispatched.post(ASKED);
  assert.equal(response.headers.get("x-served-backend"), "b");
  await response.text();
  assert.equal(dispatched.failures("a"), 1);
  assert.doesNotMatch(JSON.stringify(dispatched.scenario.warnings), /two|lines/);
});
