/**
 * Plain HTTP requests through a real edge to scripted backends.
 *
 * Permissions: net.
 *
 * @module
 */

import assert from "node:assert/strict";
import { MAX_BODY_BYTES } from "../../src/dispatch/mod.ts";
import { admit } from "../../src/realtime/mod.ts";
import type { BackendConfig } from "../../src/routing/mod.ts";
import { makeAuthority } from "../support/certificates.ts";
import { DispatchRouter } from "../support/dispatch_router.ts";
import { FakeBackend } from "../support/fake_backend.ts";
import { HttpExchange } from "../support/http_exchange.ts";
import { backendConfig } from "../support/live_backends.ts";
import { connectRaw, requestRaw, SAMPLE_KEY } from "../support/raw_client.ts";

const CHAT = "/v1/chat/completions";
const ASKED = { model: "voice" };
const STREAM = { model: "voice", stream: true };
const ANSWER = JSON.stringify({
  choices: [{ message: { content: "é" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 5, completion_tokens: 2 },
});

function serving(name: string, url: string, changes: Partial<BackendConfig> = {}): BackendConfig {
  return backendConfig(name, { url, models: ["voice", "org/talker"], ...changes });
}

/** A port that nobody listens on. */
async function closedUrl(): Promise<string> {
  const backend = await FakeBackend.listen();
  await backend[Symbol.asyncDispose]();
  return backend.url;
}

function postText(body: string, headers: readonly string[] = []): string {
  return [
    `POST ${CHAT} HTTP/1.1`,
    "host: router.test",
    "content-type: application/json",
    `content-length: ${new TextEncoder().encode(body).length}`,
    "connection: close",
    ...headers,
    "",
    body,
  ].join("\r\n");
}

Deno.test("dispatch: what a backend is sent, to the last header", async () => {
  await using backend = await FakeBackend.listen();
  const config = { apiKey: "backends-secret", orgId: "org", headers: { "x-team": "voice" } };
  await using router = await DispatchRouter.start({
    backends: [serving("a", `${backend.url}/base/v1`, config)],
  });
  const body = '{"model":"alias", "seed":12345678901234567890}';
  const answer = requestRaw(
    router.port,
    postText(body, [
      "accept: application/json",
      "accept-encoding: gzip, br",
      "authorization: Bearer clients-secret",
      "cookie: session=1",
      "openai-beta: assistants=v2",
      "openai-organization: clients-org",
      "origin: https://page.test",
      "traceparent: 00-a-b-01",
      "x-api-key: clients-other-secret",
      "x-backend: a",
      "x-request-id: chosen-by-client",
    ]),
  );
  const exchange = await HttpExchange.next(backend);
  await exchange.respond(200, ANSWER, {
    "openai-processing-ms": "5",
    "set-cookie": "a=b",
    "x-ratelimit-limit-requests": "9",
    "x-request-id": "backends-own",
  });

  assert.equal(exchange.requestLine, "POST /base/v1/chat/completions HTTP/1.1");
  assert.deepEqual(Object.fromEntries(exchange.headers), {
    "accept": "application/json",
    "accept-encoding": "identity",
    // The HTTP client's own; nothing of the client's.
    "accept-language": "*",
    "authorization": "Bearer backends-secret",
    "content-length": String(body.length),
    "content-type": "application/json",
    "host": `127.0.0.1:${backend.port}`,
    "openai-beta": "assistants=v2",
    "openai-organization": "org",
    "traceparent": "00-a-b-01",
    "user-agent": "realtime-router/test",
    "x-request-id": "chosen-by-client",
    "x-team": "voice",
  });
  assert.equal(exchange.body, '{"model":"voice", "seed":12345678901234567890}');
  const { status, headers, body: received } = await answer;
  assert.deepEqual([status, received], [200, ANSWER]);
  assert.deepEqual([...headers.keys()].toSorted(), [
    "connection",
    "content-length",
    "content-type",
    "date",
    "openai-processing-ms",
    "x-ratelimit-limit-requests",
    "x-request-id",
    "x-served-backend",
  ]);
  assert.equal(headers.get("x-request-id"), "chosen-by-client");
  assert.equal(headers.get("content-length"), String(new TextEncoder().encode(ANSWER).length));
  const [record] = router.scenario.records;
  assert.deepEqual(
    [record?.model, record?.input_tokens, record?.output_tokens, record?.outcome],
    ["voice", 5, 2, "completed"],
  );
  assert.doesNotMatch(record?.record_id ?? "", /chosen-by-client/);
});

/** So long a head waits for the first byte behind it. */
const HEAD_HOLD_MS = 1_000;

Deno.test("dispatch: events pass one by one as they come, unchanged", async () => {
  await using backend = await FakeBackend.listen();
  await using router = await DispatchRouter.start({ backends: [serving("a", backend.url)] });
  const answer = router.post(CHAT, STREAM, { headers: { "accept-encoding": "gzip" } });
  const exchange = await HttpExchange.next(backend);
  const held = router.scenario.clock.armed(HEAD_HOLD_MS);
  await exchange.beginStream();
  await held;
  router.scenario.clock.advance(HEAD_HOLD_MS);
  // The head is there before any event is.
  const response = await answer;
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  assert.ok(response.body !== null);
  const reader = response.body.getReader();
  const events = ["data: 1\n\n", ": still there\r\n", "data: é🙂\n", "\ndata: [DONE]\n\n"];
  for (const event of events) {
    await exchange.peer.write(event);
    const { value } = await reader.read();
    assert.equal(new TextDecoder().decode(value), event);
  }
  exchange.hangUp();
  assert.ok((await reader.read()).done);
  assert.deepEqual(
    router.scenario.records.map(({ outcome, stream, ttft_ms }) => [outcome, stream, ttft_ms]),
    [["completed", true, HEAD_HOLD_MS]],
  );
});

Deno.test("dispatch: a client that leaves a stream cancels the backend", async () => {
  await using backend = await FakeBackend.listen();
  await using router = await DispatchRouter.start({ backends: [serving("a", backend.url)] });
  const client = await connectRaw(router.port);
  await client.write(postText(JSON.stringify(STREAM)));
  const exchange = await HttpExchange.next(backend);
  await exchange.beginStream();
  await exchange.event({ choices: [] });
  await client.readHead();
  client[Symbol.dispose]();
  await exchange.abandoned();
  const [record] = router.scenario.records;
  assert.deepEqual([record?.outcome, record?.http_status], ["client_cancelled", 200]);
});

Deno.test("dispatch: a client that leaves before the answer cancels the backend", async () => {
  await using backend = await FakeBackend.listen();
  await using other = await FakeBackend.listen();
  await using router = await DispatchRouter.start({
    backends: [serving("a", backend.url), serving("b", other.url)],
  });
  const client = await connectRaw(router.port);
  await client.write(postText(JSON.stringify(ASKED)));
  const exchange = await HttpExchange.next(backend);
  client[Symbol.dispose]();
  await exchange.abandoned();
  assert.deepEqual(
    router.scenario.records.map(({ outcome, http_status }) => [outcome, http_status]),
    [["client_cancelled", 499]],
  );
  assert.equal(other.connectionCount, 0);
});

Deno.test("dispatch: a backend that breaks off a stream ends the client's connection", async () => {
  await using backend = await FakeBackend.listen();
  await using router = await DispatchRouter.start({ backends: [serving("a", backend.url)] });
  using client = await connectRaw(router.port);
  await client.write(postText(JSON.stringify(STREAM)));
  const exchange = await HttpExchange.next(backend);
  await exchange.begin(200, {
    "content-type": "text/event-stream",
    "transfer-encoding": "chunked",
  });
  await exchange.peer.write("9\r\ndata: 1\n\n\r\n");
  await client.readHead();
  exchange.hangUp();
  // What came is delivered; the end of a chunked body is not.
  assert.equal(new TextDecoder().decode(await client.readRest()), "9\r\ndata: 1\n\n\r\n");
  assert.equal(router.scenario.records[0]?.outcome, "upstream_error");
});

Deno.test("dispatch: refused, reset and failing backends are passed over", async () => {
  await using resets = await FakeBackend.listen({ resettable: true });
  await using fails = await FakeBackend.listen();
  await using works = await FakeBackend.listen();
  await using router = await DispatchRouter.start({
    backends: [
      serving("refuses", await closedUrl()),
      serving("resets", resets.url),
      serving("fails", fails.url),
      serving("works", works.url),
    ],
  });
  const answer = router.post(CHAT, ASKED);
  const { peer } = await resets.nextConnection();
  await peer.readHead();
  peer.reset();
  await (await HttpExchange.next(fails)).respond(502, "{}");
  const exchange = await HttpExchange.next(works);
  await exchange.respond(200, ANSWER);
  const response = await answer;
  assert.equal(response.headers.get("x-served-backend"), "works");
  assert.equal(await response.text(), ANSWER);
  assert.equal(exchange.body, JSON.stringify(ASKED));
  assert.deepEqual(
    router.scenario.records.map(({ backend, http_status, parent_attempt }) => [
      backend,
      http_status,
      parent_attempt,
    ]),
    [["refuses", 502, undefined], ["resets", 502, 1], ["fails", 502, 2], ["works", 200, 3]],
  );
});

Deno.test("dispatch: the last answer, or an error without a backend's address, when all fail", async () => {
  await using fails = await FakeBackend.listen();
  const refuses = await closedUrl();
  await using router = await DispatchRouter.start({
    backends: [serving("fails", fails.url), serving("refuses", refuses)],
  });
  const answer = router.post(CHAT, ASKED);
  await (await HttpExchange.next(fails)).respond(503, '{"busy":true}', { "retry-after": "7" });
  const response = await answer;
  assert.deepEqual([response.status, await response.text()], [503, '{"busy":true}']);
  assert.equal(response.headers.get("x-served-backend"), "fails");
  assert.equal(response.headers.get("retry-after"), "7");

  await using lonely = await DispatchRouter.start({ backends: [serving("refuses", refuses)] });
  const unreachable = await lonely.post(CHAT, ASKED);
  assert.equal(unreachable.status, 502);
  const text = await unreachable.text();
  assert.equal(JSON.parse(text).error.code, "upstream_error");
  assert.doesNotMatch(text, /127\.0\.0\.1|refuse/);
});

Deno.test("dispatch: a backend with TLS must have a certificate that is trusted, for its own name", async () => {
  const authority = await makeAuthority();
  await using good = await FakeBackend.listen({
    tls: await authority.issue({ names: ["127.0.0.1"] }),
  });
  await using misnamed = await FakeBackend.listen({
    tls: await authority.issue({ names: ["backend.test"] }),
  });
  const stranger = await makeAuthority();
  await using untrusted = await FakeBackend.listen({
    tls: await stranger.issue({ names: ["127.0.0.1"] }),
  });
  await using router = await DispatchRouter.start({
    backends: [
      serving("misnamed", misnamed.url),
      serving("untrusted", untrusted.url),
      serving("good", good.url),
    ],
    caCerts: [authority.caPem],
  });
  const answer = router.post(CHAT, ASKED);
  const exchange = await HttpExchange.next(good);
  await exchange.respond(200, ANSWER);
  assert.equal((await answer).headers.get("x-served-backend"), "good");
  assert.equal(await (await answer).text(), ANSWER);
  const failures = Object.fromEntries(router.scenario.failures);
  assert.match(failures["misnamed"] ?? "", /certificate not valid for name/);
  assert.match(failures["untrusted"] ?? "", /invalid peer certificate/);
});

Deno.test("dispatch: a redirect is passed on without its target, and not followed", async () => {
  await using backend = await FakeBackend.listen();
  await using target = await FakeBackend.listen();
  await using router = await DispatchRouter.start({ backends: [serving("a", backend.url)] });
  const answer = router.post(CHAT, ASKED, { redirect: "manual" });
  const location = target.url.replace("ws:", "http:");
  await (await HttpExchange.next(backend)).respond(307, "moved", { location });
  const response = await answer;
  assert.deepEqual([response.status, await response.text()], [307, "moved"]);
  assert.equal(response.headers.get("location"), null);
  assert.equal(target.connectionCount, 0);
});

Deno.test("dispatch: a body of 32 MiB passes, and one that says it is larger is not read", async () => {
  const address = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  await using backend = Deno.serve(address, async (request) => {
    return Response.json((await request.bytes()).length);
  });
  const url = `http://127.0.0.1:${backend.addr.port}`;
  await using router = await DispatchRouter.start({ backends: [serving("a", url)] });
  const around = JSON.stringify({ ...ASKED, input: "" });
  const largest = around.replace('""', `"${"x".repeat(MAX_BODY_BYTES - around.length)}"`);
  assert.equal(await (await router.post(CHAT, largest)).json(), MAX_BODY_BYTES);

  using client = await connectRaw(router.port);
  await client.write(
    postText("").replace("content-length: 0", `content-length: ${MAX_BODY_BYTES + 1}`),
  );
  assert.match(await client.readHead() ?? "", /^HTTP\/1\.1 413 /);
});

Deno.test("dispatch: a body without a length is counted as it comes", async () => {
  await using router = await DispatchRouter.start({ backends: [] });
  using client = await connectRaw(router.port);
  await client.write(
    `POST ${CHAT} HTTP/1.1\r\nhost: router.test\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  const piece = "x".repeat(1024 * 1024);
  for (let index = 0; index < 32; index++) await client.write(`100000\r\n${piece}\r\n`);
  await client.write("1\r\nx\r\n");
  const head = await client.readHead();
  assert.match(head ?? "", /^HTTP\/1\.1 413 /);
});

Deno.test("dispatch: failures over HTTP keep sessions away from a backend", async () => {
  await using fails = await FakeBackend.listen();
  await using works = await FakeBackend.listen();
  await using router = await DispatchRouter.start({
    backends: [serving("fails", fails.url), serving("works", works.url)],
  });
  for (let count = 0; count < 5; count++) {
    const answer = router.post(CHAT, ASKED, { headers: { "x-backend": "fails" } });
    await (await HttpExchange.next(fails)).respond(500, "{}");
    await (await HttpExchange.next(works)).respond(200, ANSWER);
    await (await answer).text();
  }
  const admission = admit({
    method: "GET",
    rawQuery: "model=voice",
    headers: new Headers({
      "upgrade": "websocket",
      "connection": "Upgrade",
      "sec-websocket-key": SAMPLE_KEY,
      "sec-websocket-version": "13",
      "x-backend": "fails",
    }),
    httpVersion: "1.1",
    clientAddress: "192.0.2.1",
  }, router.scenario.gate);
  assert.equal(admission.backend.name, "works");
  admission.slot.release();
  admission.permit[Symbol.dispose]();
});

Deno.test("dispatch: failed sessions keep requests away from a backend, until its circuit tries it", async () => {
  await using fails = await FakeBackend.listen();
  await using works = await FakeBackend.listen();
  await using router = await DispatchRouter.start({
    backends: [serving("fails", fails.url), serving("works", works.url)],
  });
  const { clock } = router.scenario;
  const { breaker } = router.scenario.backend("fails");
  for (let count = 0; count < 5; count++) breaker.acquire(clock.now())?.failure(clock.now());
  const ask = async (backend: FakeBackend) => {
    const answer = router.post(CHAT, ASKED, { headers: { "x-backend": "fails" } });
    await (await HttpExchange.next(backend)).respond(200, ANSWER);
    const response = await answer;
    await response.text();
    return response.headers.get("x-served-backend");
  };
  assert.equal(await ask(works), "works");
  assert.equal(fails.connectionCount, 0);
  clock.advance(60_000);
  assert.equal(await ask(fails), "fails");
  assert.equal(await ask(fails), "fails");
  assert.equal(breaker.state(clock.now()).kind, "closed");
});
