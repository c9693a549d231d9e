/**
 * Every refusal, seen with curl: status, type and code in the body, and the headers that go
 * with it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { assertAllSettled, settle } from "./cell.ts";
import { curl, type CurlAnswer, curlArguments, type CurlRequest, UPGRADE } from "./curl.ts";
import { INSTALLED, whyMissing } from "./installed.ts";
import { type Mode, MODES } from "./mode.ts";
import { type Refusal, refusalConfig, REFUSALS } from "./refusals.ts";
import { type Stage, startStage } from "./stage.ts";

const missing = whyMissing("curl");
/** Comes when there are as many connections as sessions, and so many more. */
const CROWDED = "connection_limit_reached";
const CROWD = 1 + 1_024;
/** Refusals that come once a session is there. */
const FULL = "session_limit_reached";
const DRAINING = "draining";

for (const mode of MODES) {
  Deno.test({
    name: `curl, ${mode.name}${missing === null ? "" : `: not available here, ${missing}`}`,
    ignore: missing !== null,
    fn: (context) => testInMode(mode, context),
  });
}

async function testInMode(mode: Mode, context: Deno.TestContext): Promise<void> {
  await using stage = await startStage(mode, {
    server: "allowed_hosts: [127.0.0.1],",
    drainTimeout: "20s",
    realtime: "max_sessions: 1",
    yaml: (backendPort) => refusalConfig(backendPort, mode),
  });
  for (const refusal of REFUSALS) {
    if (refusal.needsKeys === true && !mode.blocking) continue;
    await context.step(refusal.code, async () => {
      let answer: CurlAnswer | undefined;
      for (let time = 0; time < (refusal.times ?? 1); time++) {
        answer = await curl(requestOf(refusal, stage));
      }
      check(answer, { code: refusal.code, mode });
    });
  }
  const another: Refusal = { code: FULL };
  // So many handshakes take longer than the first of the connections may be silent.
  const crowded = mode.tls ? [] : [CROWDED];
  if (!mode.tls) {
    using _crowd = await holdConnections(stage);
    await context.step(CROWDED, async () => {
      check(await curl(requestOf(another, stage)), { code: CROWDED, mode });
    });
  }
  await using session = await holdSession(stage);
  await context.step(FULL, async () => {
    check(await curl(requestOf(another, stage)), { code: FULL, mode });
  });
  stage.router.program.signal("SIGTERM");
  await stage.router.program.record("draining");
  await context.step(DRAINING, async () => {
    check(await curl(requestOf(another, stage)), { code: DRAINING, mode });
  });
  await session[Symbol.asyncDispose]();
  const codes = REFUSALS.filter(({ needsKeys = false }) => mode.blocking || !needsKeys)
    .map(({ code }) => code);
  assertAllSettled("curl", { mode: mode.name, rows: [...codes, ...crowded, FULL, DRAINING] });
  assert.equal((await stage.router.program.finished).code, 0);
}

function requestOf(refusal: Refusal, { origin, caPath }: Stage): CurlRequest {
  const { target = "/v1/realtime?model=demo-voice", key = "sk-full", args = [] } = refusal;
  const authorization = key === null ? [] : [`Authorization: Bearer ${key}`];
  const headers = [...refusal.headers ?? UPGRADE, ...authorization];
  return { url: `${origin}${target}`, headers, args, caPath };
}

function check(
  answer: CurlAnswer | undefined,
  { code, mode }: { readonly code: string; readonly mode: Mode },
): void {
  assert.ok(answer);
  const { status, headers, body } = answer;
  const { error } = JSON.parse(body);
  assert.equal(error.code, code);
  assert.notEqual(error.message, "");
  assert.match(headers.get("content-type") ?? "", /^application\/json/);
  assert.equal(headers.get("content-length"), String(new TextEncoder().encode(body).length));
  assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  const wait = headers.get("retry-after");
  if (wait !== null) assert.match(wait, /^[1-9]\d*$/);
  const extra = [
    ...["allow", "upgrade", "www-authenticate"].flatMap((name) =>
      headers.has(name) ? [`${name}: ${headers.get(name)}`] : []
    ),
    ...wait === null ? [] : ["retry-after"],
  ];
  const text = [`${status} ${error.type}`, ...extra].join("; ");
  settle({ client: "curl", row: code, mode: mode.name, text });
}

/** Connections that ask nothing, until they are disposed of. */
async function holdConnections({ origin }: Stage): Promise<Disposable> {
  const { hostname, port } = new URL(origin);
  const held = new DisposableStack();
  for (let count = 0; count < CROWD; count++) {
    held.use(await Deno.connect({ hostname, port: Number(port) }));
  }
  return held;
}

/** A session that lasts until it is disposed of. */
async function holdSession(stage: Stage): Promise<AsyncDisposable> {
  const child = new Deno.Command(INSTALLED.curl.path, {
    args: [...curlArguments(requestOf({ code: "" }, stage))],
    clearEnv: true,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await stage.router.program.record((record) =>
    record.msg === "session started" && record["backend"] === "demo"
  );
  return {
    async [Symbol.asyncDispose]() {
      try {
        child.kill("SIGKILL");
      } catch (error) {
        // It has been killed already.
        if (!(error instanceof TypeError)) throw error;
      }
      await child.status;
    },
  };
}
