/**
 * The realtime clients of the `openai` package through the router, plain and over TLS.
 *
 * Permissions: net, read and write below the folder for temporary files, run for Deno itself, env for the two
 * variables of npm `ws` and those of Deno's cache.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type DemoBackend, startDemoBackend } from "../../demo/mod.ts";
import { makeAuthority } from "../support/certificates.ts";
import { runProgram } from "../support/program.ts";
import { makeTempDir } from "../support/temp_dir.ts";
import { MODEL, startTestRouter, type TestRouter } from "../support/test_router.ts";
import type { OpenAiReport, OpenAiVariant } from "./programs/openai.ts";

const API_KEY = "sk-openai-test";
const LIMITED_KEY = "sk-openai-limited";
const KEYS = `
api_keys:
  api_keys:
    - { id: full, key: ${API_KEY} }
    - { id: limited, key: ${LIMITED_KEY}, allowed_models: [another] }
`;
const CLOSED_BY_BACKEND = { code: 4001, reason: "asked for by metadata" };

Deno.test("OpenAIRealtimeWS: has a text turn over a plain connection, at the alias without /v1", async () => {
  await using backend = await startDemoBackend({ speed: 50 });
  await using router = await startTestRouter({ backends: [originOf(backend)], yaml: KEYS });

  const report = await runOpenAi(router, {
    variant: "ws-plain",
    baseUrl: `https://127.0.0.1:${router.port}`,
  });

  assertTurn(report, backend);
  assert.equal(report.subprotocol, "");
  assert.deepEqual(report.refusals, [
    "Unexpected server response: 404",
    "Unexpected server response: 403",
  ]);
  await assertEnds(backend);
});

Deno.test("OpenAIRealtimeWS: has a text turn over TLS with a private authority", async () => {
  await using backend = await startDemoBackend({ speed: 50 });
  await using router = await startTlsRouter(backend);

  const report = await runOpenAi(router, {
    variant: "ws",
    baseUrl: `https://localhost:${router.port}/v1`,
    caPem: router.caPem,
  });

  assertTurn(report, backend);
  assert.equal(report.subprotocol, "");
  assert.deepEqual(report.refusals, [
    "Unexpected server response: 404",
    "Unexpected server response: 403",
  ]);
  await assertEnds(backend);
});

Deno.test("OpenAIRealtimeWebSocket: has a text turn, its key in a subprotocol ignored", async () => {
  await using backend = await startDemoBackend({ speed: 50 });
  await using router = await startTlsRouter(backend);

  const report = await runOpenAi(router, {
    variant: "native",
    baseUrl: `https://localhost:${router.port}/v1`,
    caPem: router.caPem,
  });

  assertTurn(report, backend);
  assert.equal(report.subprotocol, "realtime");
  // The limited key is not read, so that only the unknown model is refused.
  const [unknownModel, limitedKey] = report.refusals;
  assert.notEqual(unknownModel, "none");
  assert.equal(limitedKey, "none");
});

function originOf(backend: DemoBackend): string {
  return `http://127.0.0.1:${backend.port}`;
}

async function startTlsRouter(backend: DemoBackend) {
  const authority = await makeAuthority();
  const tls = await authority.issue({ names: ["localhost", "127.0.0.1"] });
  const router = await startTestRouter({ backends: [originOf(backend)], yaml: KEYS, tls });
  return { ...router, caPem: authority.caPem };
}

async function runOpenAi(
  router: TestRouter,
  options: {
    readonly variant: OpenAiVariant;
    readonly baseUrl: string;
    readonly caPem?: string;
  },
): Promise<OpenAiReport> {
  const { caPem, ...rest } = options;
  const refused = [
    { model: "of-nobody", apiKey: API_KEY },
    { model: MODEL, apiKey: LIMITED_KEY },
  ];
  await using dir = await makeTempDir();
  const trust = caPem === undefined ? undefined : await dir.write("ca.pem", caPem);
  const { code, stdout, stderr } = await runProgram({
    entry: "tests/e2e/programs/openai.ts",
    args: [JSON.stringify({ ...rest, model: MODEL, apiKey: API_KEY, refused })],
    permissions: [
      `--allow-net=127.0.0.1:${router.port},localhost:${router.port}`,
      "--allow-env",
    ],
    env: trust === undefined ? {} : { DENO_CERT: trust, NODE_EXTRA_CA_CERTS: trust },
  });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  return JSON.parse(stdout);
}

function assertTurn(report: OpenAiReport, backend: DemoBackend): void {
  const usage = backend.responses[0]?.response.usage;
  assert.ok(usage);
  assert.match(report.text, /\w+ \w+/);
  assert.deepEqual(report.usage, { input: usage.input_tokens, output: usage.output_tokens });
  assert.deepEqual(report.closed, { code: 1000, reason: "OK" });
  assert.deepEqual(report.closedByBackend, CLOSED_BY_BACKEND);
}

async function assertEnds(backend: DemoBackend): Promise<void> {
  const ends = await Promise.all(backend.upgrades.map(({ closed }) => closed));
  assert.deepEqual(ends, [{ code: 1000, reason: "OK" }, CLOSED_BY_BACKEND]);
}
