/** Who gets which model from which backend, and under which name (spec §3 rows 8 to 10, §4). */

import assert from "node:assert/strict";
import { CapturedLog } from "../support/captured_log.ts";
import { LiveBackend } from "../support/live_backend.ts";
import { startTestRouter, type TestRouter } from "../support/test_router.ts";
import { refusal, visit, type VisitOptions } from "../support/visit.ts";

const KEYS = [
  "api_keys:",
  "  mode: blocking",
  "  api_keys:",
  '    - { key: "key-of-all", id: all }',
  '    - { key: "key-of-b0", id: of-b0, allowed_backends: [b0] }',
  '    - { key: "key-of-b1", id: of-b1, allowed_backends: [b1] }',
  '    - { key: "key-of-neither", id: of-neither, allowed_backends: [b9] }',
  '    - { key: "key-of-open", id: of-open, allowed_models: [open-voice, open] }',
  '    - { key: "key-of-alias", id: of-alias, allowed_models: [secret] }',
].join("\n");

/** `b0` serves both models; `b1` only the first, and lists an alias of it as well. */
function backendsYaml(b0: LiveBackend, b1: LiveBackend): string {
  return [
    "backends:",
    `  - name: b0`,
    `    url: "${b0.url}"`,
    "    models: [open-voice, secret-voice]",
    "    model_configs:",
    "      - { id: open-voice, aliases: [open, 목소리], metadata: { capabilities: [audio] } }",
    "      - { id: secret-voice, aliases: [secret], metadata: { capabilities: [audio] } }",
    `  - { name: b1, url: "${b1.url}", models: [open-voice, open] }`,
  ].join("\n");
}

interface Setting extends AsyncDisposable {
  readonly router: TestRouter;
  readonly b0: LiveBackend;
  readonly b1: LiveBackend;
}

async function start(): Promise<Setting> {
  const stack = new AsyncDisposableStack();
  const b0 = stack.use(await LiveBackend.start("b0"));
  const b1 = stack.use(await LiveBackend.start("b1"));
  const yaml = [
    KEYS,
    backendsYaml(b0, b1),
    "circuit_breaker: { failure_threshold: 1 }",
  ].join("\n");
  const router = stack.use(await startTestRouter({ yaml }));
  return { router, b0, b1, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

function asking(key: string, query: string): Required<VisitOptions> {
  const headers = { authorization: `Bearer ${key}` };
  return { headers, target: `/v1/realtime?${query}` };
}

/** The query of the newest upgrade that a backend got. */
function queryOf(backend: LiveBackend): string {
  return /^GET \/v1\/realtime\?(\S*) /.exec(backend.upgrades.at(-1) ?? "")?.[1] ?? "";
}

const NAMES: readonly (readonly [sent: string, from: "b0" | "b1", got: string])[] = [
  ["model=secret-voice", "b0", "model=secret-voice"],
  ["model=secret", "b0", "model=secret-voice"],
  ["model=SECRET-Voice", "b0", "model=secret-voice"],
  ["model=secret-voice-2025-08-28", "b0", "model=secret-voice"],
  ["model=secret-voice-fp8", "b0", "model=secret-voice"],
  ["model=%73ecret%2Dvoice", "b0", "model=secret-voice"],
  ["%6dodel=secret", "b0", "model=secret-voice"],
  ["x=%20y&model=secret&z", "b0", "x=%20y&model=secret-voice&z"],
  ["model=secret&x=1&model=secret", "b0", "model=secret-voice&x=1"],
  // Listed as it stands, so that it is passed on as it stands, to those that list it.
  ["model=open", "b1", "model=open"],
];

Deno.test("model access: the backend gets a name that it lists, once, and the rest of the query as it was", async (t) => {
  await using setting = await start();
  for (const [sent, from, got] of NAMES) {
    await t.step(sent, async () => {
      assert.equal(await visit(setting.router, asking("key-of-all", sent)), from);
      assert.equal(queryOf(setting[from]), got);
    });
  }
});

Deno.test("model access: an alias in another script", async () => {
  await using setting = await start();
  const query = `model=${encodeURIComponent("목소리")}`;
  await visit(setting.router, asking("key-of-b0", query));
  assert.equal(queryOf(setting.b0), "model=open-voice");
});

/** Attempts of a key for `open-voice` and `open` to get `secret-voice`. */
const ATTEMPTS: readonly (readonly [query: string, status: number, code: string])[] = [
  ["model=secret-voice", 403, "model_not_allowed"],
  ["model=secret", 403, "model_not_allowed"],
  ["model=SECRET", 403, "model_not_allowed"],
  ["model=Secret-Voice-2025-08-28", 403, "model_not_allowed"],
  ["model=%73%65cret", 403, "model_not_allowed"],
  ["model=secret%2Dvoice", 403, "model_not_allowed"],
  ["%6Dodel=secret", 403, "model_not_allowed"],
  ["model=secret&model=secret", 403, "model_not_allowed"],
  ["model=open&model=secret", 400, "invalid_model_parameter"],
  ["model=secret&model=open", 400, "invalid_model_parameter"],
  ["model=open&%6dodel=secret", 400, "invalid_model_parameter"],
  ["model=open&model=Open", 400, "invalid_model_parameter"],
  ["MODEL=secret", 400, "missing_model"],
  ["model=open%00", 403, "model_not_allowed"],
  ["model=+open", 403, "model_not_allowed"],
  ["model=OPEN", 403, "model_not_allowed"],
  ["model=unknown", 403, "model_not_allowed"],
];

Deno.test("model access: no spelling of a model that the key may not use gets it, and nothing is dialled", async (t) => {
  await using setting = await start();
  const { router, b0, b1 } = setting;
  for (const [query, status, code] of ATTEMPTS) {
    await t.step(query, async () => {
      const answer = await refusal(router, asking("key-of-open", query));
      assert.deepEqual([answer.status, answer.code], [status, code]);
    });
  }
  assert.deepEqual([b0.connectionCount, b1.connectionCount], [0, 0]);
  assert.equal(router.router.permitsHeld(), 0);
});

Deno.test("model access: no second spelling of the parameter reaches the backend", async () => {
  await using setting = await start();
  const query = "MODEL=secret-voice&model=open-voice&%4dodel=secret&mode%4C=secret&x=1";
  for (const backend of ["b0", "b1"] as const) {
    const { headers, target } = asking("key-of-open", query);
    await visit(setting.router, { headers: { ...headers, "x-backend": backend }, target });
    assert.equal(queryOf(setting[backend]), "model=open-voice&x=1");
  }
});

Deno.test("model access: an allowed alias is allowed, though the model's own name is not", async () => {
  await using setting = await start();
  assert.equal(await visit(setting.router, asking("key-of-alias", "model=secret")), "b0");
  assert.equal(queryOf(setting.b0), "model=secret-voice");
  const answer = await refusal(setting.router, asking("key-of-alias", "model=secret-voice"));
  assert.equal(answer.code, "model_not_allowed");
});

interface Availability {
  readonly key: string;
  readonly model: string;
  /** The name of the backend that serves, or the refusal. */
  readonly both: string;
  /** The same while the circuit of `b0` is open. */
  readonly withoutB0: string;
}

const AVAILABILITY: readonly Availability[] = [
  {
    key: "key-of-b0",
    model: "open-voice",
    both: "b0",
    withoutB0: "503 no_available_backend",
  },
  { key: "key-of-b1", model: "open-voice", both: "b1", withoutB0: "b1" },
  {
    key: "key-of-b1",
    model: "secret-voice",
    both: "403 backend_not_allowed",
    withoutB0: "403 backend_not_allowed",
  },
  {
    key: "key-of-neither",
    model: "open-voice",
    both: "403 backend_not_allowed",
    withoutB0: "403 backend_not_allowed",
  },
  {
    key: "key-of-neither",
    model: "unknown",
    both: "404 model_not_found",
    withoutB0: "404 model_not_found",
  },
  {
    key: "key-of-all",
    model: "secret-voice",
    both: "b0",
    withoutB0: "503 no_available_backend",
  },
  {
    key: "key-of-all",
    model: "unknown",
    both: "404 model_not_found",
    withoutB0: "404 model_not_found",
  },
];

Deno.test("model access: 403 for the key, 503 for the moment, 404 for the model", async (t) => {
  await using setting = await start();
  const { router, b0 } = setting;
  const resultOf = async (row: Availability, expected: string) => {
    const options = asking(row.key, `model=${row.model}`);
    if (!/^\d/.test(expected)) return await visit(router, options);
    const { status, code, headers } = await refusal(router, options);
    assert.equal(headers.has("retry-after"), status === 503);
    return `${status} ${code}`;
  };
  for (const row of AVAILABILITY) {
    await t.step(`${row.key} asks for ${row.model}`, async () => {
      assert.equal(await resultOf(row, row.both), row.both);
    });
  }
  await b0.stop();
  assert.equal(await visit(router, asking("key-of-b0", "model=open-voice")), 1011);
  for (const row of AVAILABILITY) {
    await t.step(`${row.key} asks for ${row.model} while b0 is away`, async () => {
      assert.equal(await resultOf(row, row.withoutB0), row.withoutB0);
    });
  }
});

Deno.test("model access: x-backend widens nothing", async () => {
  await using setting = await start();
  const { headers, target } = asking("key-of-b1", "model=open-voice");
  const options = { headers: { ...headers, "x-backend": "b0" }, target };
  assert.equal(await visit(setting.router, options), "b1");
  assert.equal(setting.b0.connectionCount, 0);
});

Deno.test("model access: in permissive mode a caller without a valid key is anonymous, and the log says why", async (t) => {
  using log = await CapturedLog.start();
  await using backend = await LiveBackend.start("a");
  await using router = await startTestRouter({
    backends: [backend.url],
    yaml: [
      "api_keys:",
      "  mode: permissive",
      "  api_keys:",
      '    - { key: "key-that-is-good", id: good }',
      '    - { key: "key-that-is-off", id: "off", enabled: false }',
      '    - { key: "key-that-is-old", id: old, expires_at: "2020-01-01T00:00:00Z" }',
    ].join("\n"),
  });
  const rows = [
    ["Bearer key-that-is-good", []],
    [null, ["no_key"]],
    ["Bearer key-that-is-wrong", ["unknown_key"]],
    ["Bearer key-that-is-off", ["disabled_key"]],
    ["Bearer key-that-is-old", ["expired_key"]],
    ["Basic key-that-is-else", ["no_bearer_key"]],
  ] as const;
  for (const [authorization, reasons] of rows) {
    await t.step(String(authorization), async () => {
      log.lines.length = 0;
      assert.equal(await visit(router, { headers: { authorization } }), "a");
      const lines = log.find({ msg: "caller is anonymous" });
      assert.deepEqual(lines.map(({ level, reason }) => [level, reason]), [
        ...reasons.map((reason) => ["debug", reason]),
      ]);
      const [started] = log.find({ msg: "session started" });
      assert.ok(lines.every((line) => line["request_id"] === started?.["request_id"]));
      assert.ok(!JSON.stringify(log.lines).includes("key-that-is"));
    });
  }
});
