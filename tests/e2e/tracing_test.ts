/**
 * What the program exports with `OTEL_DENO=true` (spec §13), and that it says no more than the log does.
 *
 * Permissions: net, read and write below the folder for temporary files, run for Deno itself, env for the
 * variables of Deno's cache.
 *
 * @module
 */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { HttpExchange } from "../support/http_exchange.ts";
import { MARK } from "../support/log_watch.ts";
import { OtlpReceiver } from "../support/otlp_receiver.ts";
import type { LogRecord } from "../support/program.ts";
import { openRaw } from "../support/raw_client.ts";
import {
  type RouterProcess,
  serverSection,
  startRouterProcess,
} from "../support/router_process.ts";
import { makeTempDir, type TempDir } from "../support/temp_dir.ts";
import { MODEL } from "../support/test_router.ts";

/** In the paths of backends, which the log may have and a span may not. */
const PATH_MARK = "unseen-";
const TARGET = `/v1/realtime?model=${MODEL}&token=${MARK}query`;
const CLIENT = { "authorization": `Bearer ${MARK}key`, "baggage": `note=${MARK}baggage` };
const CALLER = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
const CHAT = "/v1/chat/completions";

interface Running {
  readonly router: RouterProcess;
  readonly receiver: OtlpReceiver;
  readonly backend: FakeBackend;
}

Deno.test("tracing: a session is a span with what its last log line says, in the caller's trace", async () => {
  await using running = await start();
  const { router, receiver, backend } = running;
  const { port } = router;
  const headers = { ...CLIENT, "traceparent": TRACEPARENT, "tracestate": "v=1" };
  using client = await openRaw({ port, target: TARGET, headers });
  const connection = await backend.nextConnection();
  const head = await connection.readRequest();
  await connection.accept();
  await client.sendText(`${MARK}payload`);
  await connection.peer.readMessage();
  await connection.peer.sendClose(4000, `${MARK}reason`);
  await Promise.all([client.readClose(), connection.peer.readClose()]);
  client[Symbol.dispose]();
  connection.peer[Symbol.dispose]();
  const ended = await router.program.record("session ended");
  await stop(running);

  const span = receiver.span("realtime session");
  assert.deepEqual([span.traceId, span.parentSpanId], [CALLER.traceId, CALLER.spanId]);
  assert.deepEqual(span.attributes, fieldsOf(ended));
  assert.equal(span.failed, false);
  assert.deepEqual(headersNamed(head, "traceparent"), [`00-${span.traceId}-${span.spanId}-01`]);
  assert.deepEqual(headersNamed(head, "tracestate"), ["v=1"]);
  assert.deepEqual(headersNamed(head, "baggage"), []);
});

Deno.test("tracing: without a caller's trace a session is below its request, and fails as it ended", async () => {
  await using running = await start();
  const { router, receiver, backend } = running;
  using client = await openRaw({ port: router.port, target: TARGET, headers: CLIENT });
  const { peer } = await backend.nextConnection();
  await peer.readHead();
  await peer.write("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n");
  await client.readClose();
  client[Symbol.dispose]();
  const ended = await router.program.record("session ended");
  await stop(running);

  const request = receiver.span("GET /v1/realtime");
  const span = receiver.span("realtime session", { outcome: "backend_connect_failed" });
  assert.deepEqual([span.traceId, span.parentSpanId], [request.traceId, request.spanId]);
  assert.equal(request.parentSpanId, "");
  assert.deepEqual(span.attributes, fieldsOf(ended));
  assert.equal(span.failed, true);
});

Deno.test("tracing: a request is a span in the caller's trace, and each try is one below it", async () => {
  await using running = await start();
  const { router, receiver, backend } = running;
  const answer = fetch(`http://127.0.0.1:${router.port}${CHAT}?token=${MARK}query`, {
    method: "POST",
    headers: {
      ...CLIENT,
      "traceparent": TRACEPARENT,
      "x-request-id": "r-1",
      "x-backend": "dead",
    },
    body: JSON.stringify({ model: "chatter", input: `${MARK}payload` }),
  });
  const exchange = await HttpExchange.next(backend);
  await exchange.respond(200, `{"text":"${MARK}payload"}`);
  assert.equal((await answer).headers.get("x-served-backend"), "live");
  await (await answer).body?.cancel();
  await stop(running);

  const request = receiver.span(`POST ${CHAT}`);
  assert.deepEqual([request.traceId, request.parentSpanId], [CALLER.traceId, CALLER.spanId]);
  assert.deepEqual(request.attributes, {
    "http.request.method": "POST",
    "http.response.status_code": "200",
    "http.route": CHAT,
    "url.scheme": "http",
    "api_key_id": "console",
    "backend": "live",
    "client_address": "127.0.0.1",
    "model": "chatter",
    "request_id": "r-1",
    "stream": false,
  });
  const tries = receiver.spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
  assert.deepEqual(tries.map(({ name, failed }) => [name, failed]), [
    ["POST", true],
    ["POST", false],
  ]);
  const served = tries[1]?.spanId;
  assert.equal(exchange.headers.get("traceparent"), `00-${CALLER.traceId}-${served}-01`);
  assert.equal(exchange.headers.get("baggage"), undefined);
});

Deno.test("tracing: with nothing but OTEL_DENO and an endpoint set, both kinds of spans are exported", async () => {
  await using running = await start({ protobuf: true });
  const { router, receiver, backend } = running;
  using client = await openRaw({ port: router.port, target: TARGET, headers: CLIENT });
  using peer = await backend.nextSession();
  await client.sendText(`${MARK}payload`);
  await peer.readMessage();
  client[Symbol.dispose]();
  peer[Symbol.dispose]();
  await router.program.record("session ended");
  const answer = fetch(`http://127.0.0.1:${router.port}${CHAT}?token=${MARK}query`, {
    method: "POST",
    headers: CLIENT,
    body: JSON.stringify({ model: MODEL, input: `${MARK}payload` }),
  });
  await (await HttpExchange.next(backend)).respond(200, `{"text":"${MARK}payload"}`);
  assert.match(await (await answer).text(), /payload/);
  await stop(running);

  assert.deepEqual(receiver.spans, [], "nothing came in JSON");
  for (const name of ["realtime session", `POST ${CHAT}`]) {
    assert.ok(receiver.text.includes(name), name);
  }
});

/** A router with one backend that the test plays and one that is not there; with nothing allowed for traces. */
async function start({ protobuf = false } = {}): Promise<Running & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const dir = stack.use(await makeTempDir());
  const receiver = stack.use(OtlpReceiver.listen());
  const backend = stack.use(await FakeBackend.listen());
  const dead = await FakeBackend.listen();
  await dead[Symbol.asyncDispose]();
  const yaml = configuration(dir, { live: backend.port, dead: dead.port });
  const router = stack.use(
    await startRouterProcess(dir, {
      yaml,
      env: protobuf ? receiver.defaultEnv : receiver.env,
    }),
  );
  const held = stack.move();
  return { router, receiver, backend, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** Ends the router, which exports what it has, and looks through all of it. */
async function stop({ router, receiver }: Running): Promise<void> {
  const { code, stderr } = await router.program.end();
  assert.deepEqual([code, stderr], [0, ""]);
  assert.doesNotMatch(receiver.text, new RegExp(`${MARK}|${PATH_MARK}|https?://|wss?://`, "i"));
}

function configuration(dir: TempDir, ports: { readonly live: number; readonly dead: number }) {
  return `
${serverSection(dir)}
realtime: { enabled: true, backend_path: /${PATH_MARK}path }
api_keys:
  mode: blocking
  api_keys: [{ id: console, key: ${MARK}key }]
backends:
  - name: live
    url: "http://127.0.0.1:${ports.live}/${PATH_MARK}base"
    api_key: ${MARK}backend-key
    models: [${MODEL}, chatter]
    model_configs: [{ id: ${MODEL}, metadata: { capabilities: [audio] } }]
  - name: dead
    url: "http://127.0.0.1:${ports.dead}/${PATH_MARK}base"
    models: [chatter]
health_checks: { enabled: false }
logging: { level: trace }
`;
}

/** What a line of the log says besides when and where it was written. */
function fieldsOf(record: LogRecord): Record<string, unknown> {
  const { time: _time, level: _level, msg: _msg, module: _module, ...fields } = record;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function headersNamed(head: string, name: string): readonly string[] {
  return [...head.matchAll(new RegExp(`^${name}: *(.*?)\r$`, "gim"))].map(([, value = ""]) =>
    value
  );
}
