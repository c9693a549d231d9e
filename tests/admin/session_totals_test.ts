import assert from "node:assert/strict";
import { SessionTotals } from "../../src/admin/mod.ts";

const NONE = {
  completed: 0,
  backend_connect_failed: 0,
  idle_timeout: 0,
  max_duration: 0,
  client_abort: 0,
  backend_abort: 0,
};

Deno.test("SessionTotals counts a session as active until it is let go of, once", () => {
  const totals = new SessionTotals();
  assert.deepEqual(totals.snapshot(), {
    active_sessions: 0,
    sessions_total: NONE,
    handshake_rejections_total: {},
  });
  const one = totals.opened();
  const other = totals.opened();
  assert.equal(totals.snapshot().active_sessions, 2);
  one[Symbol.dispose]();
  one[Symbol.dispose]();
  assert.equal(totals.snapshot().active_sessions, 1);
  other[Symbol.dispose]();
  assert.equal(totals.snapshot().active_sessions, 0);
});

Deno.test("SessionTotals counts ends by their outcome, and gives figures that stay as they are", () => {
  const totals = new SessionTotals();
  totals.ended("completed");
  totals.ended("idle_timeout");
  const before = totals.snapshot();
  totals.ended("completed");
  assert.deepEqual(before.sessions_total, { ...NONE, completed: 1, idle_timeout: 1 });
  assert.deepEqual(totals.snapshot().sessions_total, { ...NONE, completed: 2, idle_timeout: 1 });
});

Deno.test("SessionTotals counts refusals by their code, and leaves out what never occurred", () => {
  const totals = new SessionTotals();
  totals.rejected("origin_not_allowed");
  const before = totals.snapshot();
  totals.rejected("origin_not_allowed");
  totals.rejected("missing_model");
  assert.deepEqual(before.handshake_rejections_total, { origin_not_allowed: 1 });
  assert.deepEqual(totals.snapshot().handshake_rejections_total, {
    origin_not_allowed: 2,
    missing_model: 1,
  });
});
