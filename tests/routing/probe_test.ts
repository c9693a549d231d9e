/** Which address a probe asks, and what it says of a failure. */

import assert from "node:assert/strict";
import type { BackendConfig, HealthKind } from "../../src/routing/mod.ts";
import { backendConfig } from "./fixtures.ts";
import { ProbeFixture, statuses } from "./probe_fixture.ts";

/** A backend without a port and with a list of models, so that only its health is asked for. */
function config(name: string, changes: Partial<BackendConfig> = {}): BackendConfig {
  return backendConfig(name, { url: `http://${name}.test`, models: ["m"], ...changes });
}

interface EndpointRow {
  readonly name: string;
  readonly endpoint?: string;
  readonly byPath: Readonly<Record<string, number>>;
  readonly first: readonly string[];
  /** Asked one interval later. */
  readonly second: readonly string[];
  readonly expected: HealthKind;
}

const MODELS = "/v1/models";
const HEALTH = "/health";
const READY = "/v1/health/ready";

const ENDPOINTS: readonly EndpointRow[] = [
  {
    name: "models",
    byPath: { [MODELS]: 200 },
    first: [MODELS],
    second: [MODELS],
    expected: "ready",
  },
  {
    name: "health after a 404",
    byPath: { [HEALTH]: 200 },
    first: [MODELS, HEALTH],
    second: [HEALTH],
    expected: "ready",
  },
  {
    name: "ready after a 405 and a 404",
    byPath: { [MODELS]: 405, [READY]: 204 },
    first: [MODELS, HEALTH, READY],
    second: [READY],
    expected: "ready",
  },
  {
    name: "nothing there",
    byPath: {},
    first: [MODELS, HEALTH, READY],
    second: [MODELS, HEALTH, READY],
    expected: "unknown",
  },
  {
    name: "a failure that says that it is there",
    byPath: { [HEALTH]: 500, [READY]: 200 },
    first: [MODELS, HEALTH],
    second: [HEALTH],
    expected: "unknown",
  },
  {
    name: "a refusal, which is not an absence",
    byPath: { [MODELS]: 401, [HEALTH]: 200 },
    first: [MODELS],
    second: [MODELS],
    expected: "unknown",
  },
  {
    name: "a configured one, without which there is no other",
    endpoint: "/livez",
    byPath: { [MODELS]: 200 },
    first: ["/livez"],
    second: ["/livez"],
    expected: "unknown",
  },
  {
    name: "a configured one",
    endpoint: "/livez",
    byPath: { "/livez": 200 },
    first: ["/livez"],
    second: ["/livez"],
    expected: "ready",
  },
];

Deno.test.each(ENDPOINTS.map((row) => [row.name, row] as const))(
  "Prober finds the endpoint: %s",
  async (_name, { endpoint, byPath, first, second, expected }) => {
    const healthEndpoint = endpoint === undefined ? {} : { healthEndpoint: endpoint };
    await using fixture = new ProbeFixture([config("a", healthEndpoint)]);
    await fixture.start(statuses(byPath));
    assert.deepEqual(fixture.asked(), first.map((path) => `a.test${path}`));
    await fixture.pass(30_000);
    assert.deepEqual(fixture.asked(), second.map((path) => `a.test${path}`));
    assert.equal(fixture.health("a"), expected);
  },
);

Deno.test("Prober looks for another endpoint when the one it knows is gone, and keeps it through failures", async () => {
  await using fixture = new ProbeFixture([config("a")]);
  await fixture.start(statuses({ [HEALTH]: 200 }));
  fixture.asked();
  fixture.answering = () => new TypeError("fetch failed");
  await fixture.pass(30_000);
  fixture.answering = statuses({ [HEALTH]: 503 });
  await fixture.pass(30_000);
  assert.deepEqual(fixture.asked(), ["a.test/health", "a.test/health"]);
  fixture.answering = statuses({ [READY]: 200 });
  await fixture.pass(1_000);
  const all = ["a.test/health", "a.test/v1/models", "a.test/v1/health/ready"];
  assert.deepEqual(fixture.asked(), all);
  await fixture.pass(30_000);
  assert.deepEqual(fixture.asked(), ["a.test/v1/health/ready"]);
});

const HEALTH_OPTIONS = backendConfig("x").health;

Deno.test.each(
  [
    [
      "no connection",
      new TypeError("fetch failed", {
        cause: new Error(
          "error sending request for url (http://a.test/v1/models): client error (Connect): refused",
        ),
      }),
      "client error (Connect): refused",
    ],
    ["an error without a cause", new TypeError("Fetch failed: blocked"), "Fetch failed: blocked"],
    ["an error of many lines", new Error("one\r\n\ttwo"), "one two"],
    ["a long error", new Error("x".repeat(1_000)), "x".repeat(200)],
  ] as const,
)("Prober tells why a probe failed: %s", async (_name, error, reason) => {
  await using fixture = new ProbeFixture([
    config("a", { health: { ...HEALTH_OPTIONS, unhealthyThreshold: 1 } }),
  ]);
  await fixture.start(() => error);
  assert.deepEqual(fixture.changes, [{ backend: "a", from: "unknown", to: "down", reason }]);
});
