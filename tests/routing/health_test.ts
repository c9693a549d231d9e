import assert from "node:assert/strict";
import {
  BackendHealth,
  type HealthKind,
  type HealthOptions,
  probeResultOf,
} from "../../src/routing/mod.ts";

const OPTIONS: HealthOptions = {
  enabled: true,
  intervalMs: 30_000,
  unhealthyThreshold: 3,
  healthyThreshold: 2,
  warmupCheckIntervalMs: 1_000,
  maxWarmupDurationMs: 300_000,
};

/** One probe a second: `+` is 2xx, `w` 503, `-` a failure. */
function after(probes: string, changes: Partial<HealthOptions> = {}): BackendHealth {
  const health = new BackendHealth({ ...OPTIONS, ...changes });
  [...probes].forEach((probe, index) => {
    const status = { "+": 200, "w": 503, "-": 500 }[probe] ?? 0;
    health.record(probeResultOf(status), index * 1_000);
  });
  return health;
}

const ROWS: readonly (readonly [string, HealthKind, boolean])[] = [
  ["", "unknown", true],
  ["-", "unknown", true],
  ["--", "unknown", true],
  ["---", "down", false],
  ["+", "ready", true],
  ["--+", "ready", true],
  ["--+--", "ready", true],
  ["+---", "down", false],
  ["---+", "down", false],
  ["---++", "ready", true],
  ["---+-+", "down", false],
  ["---+-++", "ready", true],
  ["---+w+", "down", false],
  ["---++--", "ready", true],
  ["w", "warming_up", false],
  ["+w", "warming_up", false],
  ["w+", "ready", true],
  ["wwwwww", "warming_up", false],
  ["--w", "warming_up", false],
  ["--w--", "warming_up", false],
  ["--w---", "down", false],
  ["w-w-w-", "warming_up", false],
  ["---w", "down", false],
  ["---ww+", "down", false],
];

Deno.test.each(ROWS)("BackendHealth after %j is %s, routable %s", (probes, kind, routable) => {
  const health = after(probes);
  assert.equal(health.state(probes.length * 1_000).kind, kind);
  assert.equal(health.routable, routable);
});

Deno.test("BackendHealth takes a warm-up that lasts too long for down", () => {
  const health = after("www");
  assert.equal(health.state(299_999).kind, "warming_up");
  assert.equal(health.state(300_000).kind, "down");
  assert.equal(health.routable, false);
  health.record({ kind: "ready" }, 300_001);
  assert.equal(health.routable, false);
  health.record({ kind: "ready" }, 300_002);
  assert.equal(health.routable, true);
});

Deno.test("BackendHealth measures each warm-up by itself", () => {
  const health = after("w+");
  health.record({ kind: "warming_up" }, 299_000);
  assert.equal(health.state(598_999).kind, "warming_up");
  assert.equal(health.state(599_000).kind, "down");
});

Deno.test.each(
  [
    ["", 5, 5],
    ["+", 5, 30_000],
    ["-", 5, 30_000],
    ["---", 2_001, 32_000],
    ["w", 5, 1_000],
    ["ww", 1_001, 2_000],
    ["w+", 1_001, 31_000],
    ["w", 300_000, 30_000],
  ] as const,
)("BackendHealth after %j, at %d ms, is probed next at %d ms", (probes, nowMs, expected) => {
  assert.equal(after(probes).nextProbeAtMs(nowMs), expected);
});

Deno.test("BackendHealth without checks is routable and never probed", () => {
  const health = after("-----", { enabled: false });
  assert.equal(health.state(0).kind, "unknown");
  assert.equal(health.routable, true);
  assert.equal(health.nextProbeAtMs(0), Infinity);
});

Deno.test("BackendHealth.configure() keeps the state, or forgets it when checks are turned off", () => {
  const health = after("---");
  health.configure({ ...OPTIONS, healthyThreshold: 1 });
  assert.equal(health.routable, false);
  health.configure({ ...OPTIONS, enabled: false });
  assert.equal(health.routable, true);
});

Deno.test("BackendHealth.lastFailure tells why, until a success", () => {
  const health = after("-");
  assert.equal(health.lastFailure, "HTTP status 500");
  health.record({ kind: "failed", reason: "connection refused" }, 1);
  assert.equal(health.lastFailure, "connection refused");
  health.record({ kind: "warming_up" }, 2);
  assert.equal(health.lastFailure, "HTTP status 503");
  health.record({ kind: "ready" }, 3);
  assert.equal(health.lastFailure, null);
});

Deno.test.each(
  [
    [200, "ready"],
    [204, "ready"],
    [299, "ready"],
    [300, "failed"],
    [301, "failed"],
    [401, "failed"],
    [404, "failed"],
    [500, "failed"],
    [502, "failed"],
    [503, "warming_up"],
    [504, "failed"],
    [199, "failed"],
  ] as const,
)("probeResultOf(%d) is %s", (status, kind) => {
  assert.equal(probeResultOf(status).kind, kind);
});
