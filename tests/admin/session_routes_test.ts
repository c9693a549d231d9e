import assert from "node:assert/strict";
import type { AdminSession } from "../../src/admin/mod.ts";
import { AdminFixture, UNIX_NOW_MS } from "./admin_fixture.ts";

/** A session that remembers how it was ended. */
function sessionOf(id: string, options: { readonly startedAtMs?: number } = {}) {
  const endings: unknown[] = [];
  const running: AdminSession = {
    facts: {
      id,
      model: "voice",
      backend: "one",
      keyId: null,
      clientAddress: "192.0.2.7",
      startedAtMs: options.startedAtMs ?? UNIX_NOW_MS - 1_500,
    },
    session: {
      state: "open",
      relayed: { clientMessages: 1, clientBytes: 20, backendMessages: 3, backendBytes: 400 },
      end: (ending) => endings.push(ending),
    },
  };
  return { running, endings };
}

function setUp(...sessions: readonly ReturnType<typeof sessionOf>[]) {
  const byId = new Map(sessions.map(({ running }) => [running.facts.id, running]));
  return new AdminFixture({
    sessions: { get: (id) => byId.get(id), [Symbol.iterator]: () => byId.values() },
  });
}

Deno.test("GET /admin/sessions lists what is known of each, newest first", async () => {
  const old = sessionOf("old");
  const young = sessionOf("young", { startedAtMs: UNIX_NOW_MS });
  const admin = setUp(old, young);
  const common = {
    model: "voice",
    backend: "one",
    api_key_id: null,
    client_address: "192.0.2.7",
    state: "open",
    client_messages: 1,
    client_bytes: 20,
    backend_messages: 3,
    backend_bytes: 400,
  };
  assert.deepEqual(await admin.json("/admin/sessions"), [200, {
    sessions: [
      { id: "young", started_at: "2027-01-01T00:00:00.000Z", age_seconds: 0, ...common },
      { id: "old", started_at: "2026-12-31T23:59:58.500Z", age_seconds: 1.5, ...common },
    ],
  }]);
});

Deno.test("GET /admin/sessions without sessions is an empty list", async () => {
  assert.deepEqual(await setUp().json("/admin/sessions"), [200, { sessions: [] }]);
});

Deno.test("GET /admin/sessions never shows a negative age", async () => {
  const admin = setUp(sessionOf("a", { startedAtMs: UNIX_NOW_MS + 60_000 }));
  const { sessions: [session] } = await (await admin.fetch("/admin/sessions")).json();
  assert.equal(session.age_seconds, 0);
});

Deno.test("DELETE /admin/sessions/{id} ends that session for the operator and says so in the log", async () => {
  const one = sessionOf("one");
  const other = sessionOf("other");
  const admin = setUp(one, other);
  assert.deepEqual(await admin.json("/admin/sessions/one", { method: "DELETE" }), [
    202,
    { id: "one", state: "closing" },
  ]);
  assert.deepEqual(one.endings, [{ kind: "operator" }]);
  assert.deepEqual(other.endings, []);
  assert.deepEqual(admin.logged, [["session ended by operator", { request_id: "one" }]]);
});

Deno.test.each(["unknown", "ONE", "%ff", "%00"].map((id) => ({ id })))(
  "DELETE /admin/sessions/$id answers 404",
  async ({ id }) => {
    const one = sessionOf("one");
    const admin = setUp(one);
    const refusal = await admin.refusal(`/admin/sessions/${id}`, { method: "DELETE" });
    assert.deepEqual(refusal, [404, "not_found", null]);
    assert.deepEqual(one.endings, []);
    assert.deepEqual(admin.logged, []);
  },
);
