import assert from "node:assert/strict";
import { type BreakerOptions, type BreakerSlot, CircuitBreaker } from "../../src/routing/mod.ts";

const OPTIONS: BreakerOptions = {
  enabled: true,
  failureThreshold: 3,
  failureRateThreshold: 0.5,
  minimumRequests: 10,
  timeoutMs: 60_000,
  halfOpenMaxRequests: 3,
  halfOpenSuccessThreshold: 2,
};

function breaker(changes: Partial<BreakerOptions> = {}): CircuitBreaker {
  return new CircuitBreaker({ ...OPTIONS, ...changes });
}

function slot(circuit: CircuitBreaker, nowMs: number): BreakerSlot {
  const taken = circuit.acquire(nowMs);
  assert.ok(taken !== null);
  return taken;
}

function fail(circuit: CircuitBreaker, nowMs: number, times = 1): void {
  for (let index = 0; index < times; index++) slot(circuit, nowMs).failure(nowMs);
}

function succeed(circuit: CircuitBreaker, nowMs: number, times = 1): void {
  for (let index = 0; index < times; index++) slot(circuit, nowMs).success(nowMs);
}

function opened(nowMs = 0, changes: Partial<BreakerOptions> = {}): CircuitBreaker {
  const circuit = breaker(changes);
  fail(circuit, nowMs, 3);
  return circuit;
}

Deno.test("CircuitBreaker opens at the threshold of failures in a row, and refuses at once", () => {
  const circuit = breaker();
  fail(circuit, 0, 2);
  assert.deepEqual(circuit.state(0), { kind: "closed", consecutiveFailures: 2 });
  assert.equal(circuit.admits(0), true);
  fail(circuit, 10);
  assert.deepEqual(circuit.state(10), { kind: "open", untilMs: 60_010 });
  assert.equal(circuit.admits(10), false);
  assert.equal(circuit.acquire(10), null);
});

Deno.test("CircuitBreaker starts counting again after a success", () => {
  const circuit = breaker({ minimumRequests: 1_000 });
  for (let round = 0; round < 20; round++) {
    fail(circuit, 0, 2);
    succeed(circuit, 0);
  }
  assert.deepEqual(circuit.state(0), { kind: "closed", consecutiveFailures: 0 });
});

Deno.test("CircuitBreaker opens at the failure rate once enough requests were seen", () => {
  const circuit = breaker({ failureThreshold: 100 });
  succeed(circuit, 0, 5);
  fail(circuit, 0, 4);
  assert.equal(circuit.state(0).kind, "closed");
  fail(circuit, 0);
  assert.equal(circuit.state(0).kind, "open");
});

Deno.test("CircuitBreaker opens at the failure rate with the request that makes them enough, a success too", () => {
  const circuit = breaker({ failureThreshold: 100 });
  fail(circuit, 0, 5);
  succeed(circuit, 0, 4);
  assert.equal(circuit.state(0).kind, "closed");
  succeed(circuit, 0);
  assert.deepEqual(circuit.state(0), { kind: "open", untilMs: 60_000 });
});

Deno.test("CircuitBreaker does not open below the failure rate", () => {
  const circuit = breaker({ failureThreshold: 100 });
  succeed(circuit, 0, 11);
  fail(circuit, 0, 10);
  assert.equal(circuit.state(0).kind, "closed");
});

Deno.test("CircuitBreaker judges the rate by the last 60 s only", () => {
  const circuit = breaker({ failureThreshold: 100 });
  fail(circuit, 0, 9);
  fail(circuit, 60_000, 9);
  assert.equal(circuit.state(60_000).kind, "closed");
  fail(circuit, 119_999);
  assert.equal(circuit.state(119_999).kind, "open");
});

Deno.test("CircuitBreaker is half-open exactly after its timeout", () => {
  const circuit = opened();
  assert.equal(circuit.admits(59_999), false);
  assert.equal(circuit.retryAfterMs(59_000), 1_000);
  assert.equal(circuit.admits(60_000), true);
  assert.equal(circuit.retryAfterMs(60_000), 0);
  assert.deepEqual(circuit.state(60_000), { kind: "half_open", inFlight: 0, successes: 0 });
});

Deno.test("CircuitBreaker half-open admits so many at a time, and more as they end", () => {
  const circuit = opened(0, { halfOpenSuccessThreshold: 100 });
  const slots = [60_000, 60_000, 60_000].map((nowMs) => slot(circuit, nowMs));
  assert.equal(circuit.admits(60_000), false);
  assert.equal(circuit.acquire(60_000), null);
  slots[0]?.success(60_001);
  assert.deepEqual(circuit.state(60_001), { kind: "half_open", inFlight: 2, successes: 1 });
  slots[1]?.release();
  slot(circuit, 60_001);
  slot(circuit, 60_001);
  assert.equal(circuit.admits(60_001), false);
});

Deno.test("CircuitBreaker half-open closes after enough successes", () => {
  const circuit = opened();
  succeed(circuit, 60_000);
  assert.equal(circuit.state(60_000).kind, "half_open");
  succeed(circuit, 60_000);
  assert.deepEqual(circuit.state(60_000), { kind: "closed", consecutiveFailures: 0 });
  fail(circuit, 60_000, 2);
  assert.equal(circuit.state(60_000).kind, "closed");
});

Deno.test("CircuitBreaker half-open is opened again by one failure, for a whole timeout", () => {
  const circuit = opened();
  const [first, second] = [slot(circuit, 60_000), slot(circuit, 60_000)];
  succeed(circuit, 60_000);
  first.failure(61_000);
  assert.deepEqual(circuit.state(61_000), { kind: "open", untilMs: 121_000 });
  second.success(61_001);
  assert.equal(circuit.state(120_999).kind, "open");
  assert.deepEqual(circuit.state(121_000), { kind: "half_open", inFlight: 0, successes: 0 });
});

Deno.test("CircuitBreaker half-open gets slots back that were released or disposed of", () => {
  const circuit = opened(0, { halfOpenMaxRequests: 1 });
  for (let index = 0; index < 5; index++) {
    slot(circuit, 60_000).release();
    using taken = slot(circuit, 60_000);
    assert.ok(taken);
    assert.equal(circuit.acquire(60_000), null);
  }
  assert.deepEqual(circuit.state(60_000), { kind: "half_open", inFlight: 0, successes: 0 });
});

Deno.test("CircuitBreaker closed counts neither released nor disposed slots", () => {
  const circuit = breaker({ minimumRequests: 1, failureThreshold: 2 });
  fail(circuit, 0, 0);
  slot(circuit, 0).release();
  slot(circuit, 0)[Symbol.dispose]();
  assert.deepEqual(circuit.state(0), { kind: "closed", consecutiveFailures: 0 });
});

Deno.test.each(
  [
    ["failure", "failure"],
    ["failure", "success"],
    ["success", "failure"],
    ["release", "failure"],
    ["release", "success"],
  ] as const,
)("BreakerSlot counts once: %s, then %s", (first, then) => {
  const circuit = opened(0, { halfOpenSuccessThreshold: 100, failureThreshold: 3 });
  const taken = slot(circuit, 60_000);
  const other = slot(circuit, 60_000);
  taken[first](60_000);
  const after = circuit.state(60_000);
  taken[then](60_000);
  taken[Symbol.dispose]();
  assert.deepEqual(circuit.state(60_000), after);
  other.release();
});

Deno.test("BreakerSlot of an earlier state does not count in a later one", () => {
  const circuit = breaker();
  const late = [slot(circuit, 0), slot(circuit, 0), slot(circuit, 0)];
  fail(circuit, 0, 3);
  // Open: neither closes it nor prolongs it.
  late[0]?.success(1_000);
  late[1]?.failure(2_000);
  assert.deepEqual(circuit.state(2_000), { kind: "open", untilMs: 60_000 });
  // Half-open: does not open it again, nor frees a place that was never taken.
  assert.equal(circuit.state(60_000).kind, "half_open");
  late[2]?.failure(60_000);
  assert.deepEqual(circuit.state(60_000), { kind: "half_open", inFlight: 0, successes: 0 });
});

Deno.test("CircuitBreaker.reset() closes the circuit and forgets what it counted", () => {
  const circuit = opened();
  circuit.reset();
  assert.equal(circuit.admits(1), true);
  fail(circuit, 1, 2);
  const late = slot(circuit, 1);
  circuit.reset();
  late.failure(1);
  assert.deepEqual(circuit.state(1), { kind: "closed", consecutiveFailures: 0 });
});

Deno.test("CircuitBreaker.reset() forgets the rate", () => {
  const circuit = breaker({ failureThreshold: 100 });
  fail(circuit, 0, 9);
  circuit.reset();
  fail(circuit, 0, 9);
  assert.equal(circuit.state(0).kind, "closed");
});

Deno.test("CircuitBreaker that is disabled admits everything and counts nothing", () => {
  const circuit = breaker({ enabled: false });
  fail(circuit, 0, 100);
  assert.deepEqual(circuit.state(0), { kind: "closed", consecutiveFailures: 0 });
});

Deno.test("CircuitBreaker.configure() keeps the state, or closes it when turned off", () => {
  const circuit = opened();
  circuit.configure({ ...OPTIONS, halfOpenMaxRequests: 1 });
  assert.equal(circuit.state(1).kind, "open");
  slot(circuit, 60_000);
  assert.equal(circuit.admits(60_000), false);
  circuit.configure({ ...OPTIONS, enabled: false });
  assert.equal(circuit.admits(60_000), true);
});
