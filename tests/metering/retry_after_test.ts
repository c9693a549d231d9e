import assert from "node:assert/strict";
import { retryAfterMs } from "../../src/metering/retry_after.ts";

const NOW = Date.parse("2026-01-02T03:04:05Z");

Deno.test.each([
  { value: null, expected: undefined },
  { value: "", expected: undefined },
  { value: "0", expected: 0 },
  { value: "7", expected: 7_000 },
  { value: "999999999", expected: 999_999_999_000 },
  { value: "9999999999", expected: undefined },
  { value: "-7", expected: undefined },
  { value: "1.5", expected: undefined },
  { value: "7s", expected: undefined },
  { value: "soon", expected: undefined },
  { value: "2026", expected: 2_026_000 },
  { value: "2026-01-02", expected: undefined },
  { value: "Fri, 02 Jan 2026 03:04:35 GMT", expected: 30_000 },
  { value: "Fri, 02 Jan 2026 03:04:00 GMT", expected: 0 },
  { value: "Friday", expected: undefined },
])("retryAfterMs($value)", ({ value, expected }) => {
  assert.equal(retryAfterMs(value, { unixNowMs: NOW }), expected);
});
