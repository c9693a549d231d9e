import assert from "node:assert/strict";
import { clientAddress } from "../../src/router/client_address.ts";

const PEER = "10.0.0.1";

Deno.test.each(
  [
    ["192.0.2.1", "192.0.2.1"],
    ["203.0.113.9, 192.0.2.1", "192.0.2.1"],
    ["203.0.113.9,192.0.2.1", "192.0.2.1"],
    ["evil, 2001:db8::1", "2001:db8::1"],
    ["[2001:db8::1]:4711", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["2001:db8::4711", "2001:db8::4711"],
    ["192.0.2.1:4711", "192.0.2.1"],
    ["[evil]:1", PEER],
    ["192.0.2.1, unknown", PEER],
    ["192.0.2.1, ", PEER],
    ["", PEER],
    ["_hidden", PEER],
    ["192.0.2.1 evil", PEER],
    ["a".repeat(65), PEER],
    ['"192.0.2.1"', PEER],
  ] as const,
)("clientAddress() behind a trusted proxy that wrote %j is %s", (forwardedFor, expected) => {
  assert.equal(clientAddress(PEER, { forwardedFor, trustProxy: true }), expected);
  assert.equal(clientAddress(PEER, { forwardedFor, trustProxy: false }), PEER);
});

Deno.test("clientAddress() without the header is the connection's", () => {
  assert.equal(clientAddress(PEER, { forwardedFor: null, trustProxy: true }), PEER);
});
