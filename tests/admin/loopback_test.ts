import assert from "node:assert/strict";
import { isLoopbackAddress, isLoopbackHost } from "../../src/admin/loopback.ts";

Deno.test.each(
  [
    ["127.0.0.1", true],
    ["127.255.255.254", true],
    ["127.0.0.53", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["::FFFF:127.1.2.3", true],
    ["::ffff:7f00:1", true],
    ["::ffff:7f12:3456", true],
    ["128.0.0.1", false],
    ["126.255.255.255", false],
    ["192.0.2.1", false],
    ["::ffff:192.0.2.1", false],
    ["::ffff:c000:201", false],
    ["::ffff:7e00:1", false],
    ["::2", false],
    ["::", false],
    ["0.0.0.0", false],
    ["::127.0.0.1", false],
    ["64:ff9b::127.0.0.1", false],
    ["fe80::1%lo", false],
    ["127.0.0.1.example.com", false],
    ["x127.0.0.1", false],
    ["127.0.0", false],
    ["127.0.0.256", false],
    ["127.0.0.1\n", false],
    ["127.1", false],
    ["localhost", false],
    ["", false],
  ] as const,
)("isLoopbackAddress() of %j is %s", (address, expected) => {
  assert.equal(isLoopbackAddress(address), expected);
});

Deno.test.each(
  [
    ["localhost", true],
    ["LocalHost:8080", true],
    ["127.0.0.1", true],
    ["127.0.0.1:1", true],
    ["127.9.9.9:65535", true],
    ["[::1]", true],
    ["[::1]:8080", true],
    ["[0:0:0:0:0:0:0:1]:8080", true],
    ["[::ffff:127.0.0.1]:8080", true],
    [null, false],
    ["", false],
    ["::1", false],
    ["localhost.", false],
    ["localhost.example.com", false],
    ["evil.localhost", false],
    ["localhost:8080:1", false],
    ["localhost:", false],
    ["user@localhost", false],
    ["evil.example:8080", false],
    ["127.0.0.1.evil.example", false],
    ["2130706433", false],
    ["0x7f.1", false],
    ["127.1", false],
    ["0.0.0.0", false],
    ["[::]", false],
    ["[::ffff:192.0.2.1]", false],
    ["192.0.2.1", false],
    ["router.internal", false],
  ] as const,
)("isLoopbackHost() of %j is %s", (host, expected) => {
  assert.equal(isLoopbackHost(host), expected);
});
