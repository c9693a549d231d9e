import assert from "node:assert/strict";
import { AdminFixture } from "./admin_fixture.ts";
import { usageRecord } from "./usage_record.ts";

function setUp() {
  const limits: number[] = [];
  const admin = new AdminFixture({
    recentUsage: (limit) => {
      limits.push(limit);
      return [usageRecord(2), usageRecord(1)];
    },
  });
  return { admin, limits };
}

Deno.test.each(
  [["", 100], ["?limit=1", 1], ["?limit=1000", 1000], ["?limit=42&other=x", 42]] as const,
)("GET /admin/usage%s asks for %d records and shows them as they are", async (query, limit) => {
  const { admin, limits } = setUp();
  assert.deepEqual(await admin.json(`/admin/usage${query}`), [200, {
    records: [usageRecord(2), usageRecord(1)],
  }]);
  assert.deepEqual(limits, [limit]);
});

Deno.test.each(
  ["", "0", "-1", "1001", "99999", "1e2", "1.5", "0x10", "007", "+1", "%201", "ten", "1&limit=1"]
    .map((limit) => ({ limit })),
)("GET /admin/usage?limit=$limit answers 400", async ({ limit }) => {
  const { admin, limits } = setUp();
  assert.deepEqual(await admin.refusal(`/admin/usage?limit=${limit}`), [
    400,
    "invalid_request",
    "limit",
  ]);
  assert.deepEqual(limits, []);
});
