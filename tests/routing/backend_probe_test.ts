/** `Prober`: the models of backends whose models are not configured. */

import assert from "node:assert/strict";
import type { BackendConfig } from "../../src/routing/mod.ts";
import { settled } from "../support/settled.ts";
import { backendConfig } from "./fixtures.ts";
import { type Answering, ProbeFixture, type ProbeRequest } from "./probe_fixture.ts";

function config(name: string, changes: Partial<BackendConfig> = {}): BackendConfig {
  return backendConfig(name, { url: `http://${name}.test`, ...changes });
}

const UNCHECKED = { health: { ...backendConfig("x").health, enabled: false } };

function listOf(...names: readonly string[]): Response {
  return Response.json({ object: "list", data: names.map((id) => ({ id, object: "model" })) });
}

/** Lists these models at /v1/models, and is well everywhere else. */
function lists(...names: readonly string[]): Answering {
  return ({ url }) => url.endsWith("/v1/models") ? listOf(...names) : new Response("");
}

Deno.test("Prober takes a backend's models from the answer to its probe, each time", async () => {
  await using fixture = new ProbeFixture([config("a")]);
  await fixture.start(lists("one", "two"));
  assert.deepEqual(fixture.served("a"), ["one", "two"]);
  assert.deepEqual(fixture.registry.serving("two"), [fixture.registry.get("a")]);
  fixture.answering = lists("two", "three");
  await fixture.pass(30_000);
  assert.deepEqual(fixture.served("a"), ["two", "three"]);
  assert.deepEqual(fixture.asked(), ["a.test/v1/models", "a.test/v1/models"]);
  fixture.answering = lists();
  await fixture.pass(30_000);
  assert.deepEqual(fixture.served("a"), []);
  assert.deepEqual(fixture.discoveries, [
    { backend: "a", models: 2 },
    { backend: "a", models: 2 },
    { backend: "a", models: 0 },
  ]);
});

Deno.test("Prober asks once more for the models where the endpoint is another one", async () => {
  await using fixture = new ProbeFixture([config("a", { healthEndpoint: "/livez" })]);
  await fixture.start(lists("one"));
  await fixture.pass(30_000);
  const both = ["a.test/livez", "a.test/v1/models"];
  assert.deepEqual(fixture.asked(), [...both, ...both]);
  assert.deepEqual(fixture.served("a"), ["one"]);
  assert.deepEqual(fixture.discoveries, [{ backend: "a", models: 1 }]);
});

Deno.test("Prober asks once where the configured endpoint is the list itself", async () => {
  await using fixture = new ProbeFixture([
    config("a", { url: "http://a.test/v1", healthEndpoint: "/models" }),
  ]);
  await fixture.start(lists("one"));
  assert.deepEqual(fixture.asked(), ["a.test/v1/models"]);
  assert.deepEqual(fixture.served("a"), ["one"]);
});

Deno.test("Prober does not ask twice for a list that is not there", async () => {
  await using fixture = new ProbeFixture([config("a")]);
  await fixture.start(({ url }) =>
    new Response("", { status: url.endsWith("/health") ? 200 : 404 })
  );
  assert.deepEqual(fixture.asked(), ["a.test/v1/models", "a.test/health"]);
  assert.deepEqual(fixture.discoveries, [{ backend: "a", problem: "not there" }]);
  // Later it may be.
  fixture.answering = lists("one");
  await fixture.pass(30_000);
  assert.deepEqual(fixture.asked(), ["a.test/health", "a.test/v1/models"]);
  assert.deepEqual(fixture.served("a"), ["one"]);
});

Deno.test("Prober does not read the answers of backends whose models are configured", async () => {
  await using fixture = new ProbeFixture([
    config("a", { models: ["mine"] }),
    config("b", { models: [], healthEndpoint: "/livez" }),
  ]);
  const cancelled: string[] = [];
  await fixture.start(({ place }) =>
    new Response(new ReadableStream({ cancel: () => void cancelled.push(place) }))
  );
  assert.deepEqual(cancelled.toSorted(), ["a.test/v1/models", "b.test/livez"]);
  assert.deepEqual(fixture.asked().length, 2);
  assert.deepEqual([fixture.served("a"), fixture.served("b")], [["mine"], []]);
});

Deno.test("Prober lets go of the answers that it does not read", async () => {
  await using fixture = new ProbeFixture([config("a")]);
  const codes = [404, 405, 500];
  let cancelled = 0;
  await fixture.start(() =>
    new Response(new ReadableStream({ cancel: () => void cancelled++ }), {
      status: codes.shift() ?? 200,
    })
  );
  assert.equal(cancelled, 3);
});

Deno.test.each(
  [
    ["a failed probe", () => new Response("", { status: 500 })],
    ["a warm-up", () => new Response("", { status: 503 })],
    ["no connection", () => new TypeError("fetch failed")],
    ["an answer that is no list", () => new Response("<html>")],
    ["a list without end", () => new Response(endless())],
  ] as const satisfies readonly (readonly [string, Answering])[],
)("Prober keeps the last list through %s", async (_name, answering) => {
  await using fixture = new ProbeFixture([config("a")]);
  await fixture.start(lists("one"));
  fixture.answering = answering;
  await fixture.pass(30_000);
  assert.deepEqual(fixture.served("a"), ["one"]);
  assert.deepEqual(fixture.registry.modelNames, ["one"]);
});

function endless(): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunk = new TextEncoder().encode(" ".repeat(64 * 1024));
  return new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
}

Deno.test("Prober tells once why a list cannot be read, and when it can again", async () => {
  await using fixture = new ProbeFixture([config("a", { healthEndpoint: "/livez" })]);
  const answer = (list: () => Response): Answering => ({ url }) =>
    url.endsWith("/livez") ? new Response("") : list();
  await fixture.start(answer(() => listOf("one")));
  for (
    const list of [
      () => new Response("", { status: 403 }),
      () => new Response("", { status: 403 }),
      () => new Response("{}"),
      () => listOf("one"),
      () => listOf("one"),
    ]
  ) {
    fixture.answering = answer(list);
    await fixture.pass(30_000);
  }
  assert.deepEqual(fixture.discoveries, [
    { backend: "a", models: 1 },
    { backend: "a", problem: "HTTP status 403" },
    { backend: "a", problem: "the answer is not a list of models" },
    { backend: "a", models: 1 },
  ]);
  assert.equal(fixture.health("a"), "ready", "a list says nothing about health");
});

/** A body without end, which breaks off as that of a real response does when its request is aborted. */
function openBody({ init: { signal } }: ProbeRequest): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start: (controller) => signal?.addEventListener("abort", () => controller.error(signal.reason)),
  });
}

Deno.test("Prober gives a list its own time, and is ready without it", async () => {
  await using fixture = new ProbeFixture([config("a", { healthTimeoutMs: 5_000 })]);
  await fixture.start();
  await fixture.pass(4_000);
  fixture.open[0]?.answer(new Response(openBody(fixture.open[0])));
  await settled();
  assert.equal(fixture.health("a"), "ready");
  await fixture.pass(4_999);
  assert.deepEqual(fixture.discoveries, []);
  await fixture.pass(1);
  assert.deepEqual(fixture.discoveries, [{ backend: "a", problem: "no answer within 5000 ms" }]);
});

Deno.test("Prober.close() while a list is read tells of no problem", async () => {
  const fixture = new ProbeFixture([config("a")]);
  await fixture.start((request) => new Response(openBody(request)));
  assert.equal(fixture.clock.pending, 1, "it is being read");
  await fixture.prober.close();
  assert.deepEqual(fixture.discoveries, []);
  assert.equal(fixture.clock.pending, 0);
});

Deno.test("Prober asks for models where health checks are off, at start and every interval", async () => {
  await using fixture = new ProbeFixture([
    config("a", UNCHECKED),
    config("b", {
      ...UNCHECKED,
      models: ["m"],
    }),
  ]);
  await fixture.start(lists("one"));
  assert.deepEqual(fixture.served("a"), ["one"]);
  fixture.answering = () => new TypeError("fetch failed");
  await fixture.pass(30_000);
  assert.deepEqual(fixture.served("a"), ["one"]);
  fixture.answering = lists("two");
  await fixture.pass(30_000);
  assert.deepEqual(fixture.served("a"), ["two"]);
  assert.equal(fixture.health("a"), "unknown");
  assert.equal(fixture.asked().length, 3);
});

Deno.test("Prober.refresh() asks at once when models are no longer configured", async () => {
  await using fixture = new ProbeFixture([config("a", { models: ["mine"] })]);
  await fixture.start(lists("one"));
  await fixture.apply([config("a")]);
  assert.deepEqual(fixture.served("a"), ["one"]);
  await fixture.apply([config("a", UNCHECKED)]);
  assert.equal(fixture.asked().length, 2, "the list is known");
  await fixture.apply([config("a", { ...UNCHECKED, url: "http://elsewhere.test" })]);
  assert.deepEqual(fixture.asked(), ["elsewhere.test/v1/models"]);
});

Deno.test("Prober does not take a list from a backend that is gone or has moved", async () => {
  for (const next of [[], [config("a", { url: "http://elsewhere.test" })]]) {
    await using fixture = new ProbeFixture([config("a")]);
    await fixture.start();
    const [request] = fixture.open;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>();
    request?.answer(new Response(readable));
    await settled();
    await fixture.apply(next);
    const writer = writable.getWriter();
    await writer.write(new Uint8Array(await listOf("stale").arrayBuffer()));
    await writer.close();
    await settled();
    assert.deepEqual(fixture.registry.modelNames, []);
    assert.deepEqual(fixture.discoveries, []);
  }
});
