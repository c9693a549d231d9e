import assert from "node:assert/strict";
import { parseBindAddress } from "../../src/config/bind_address.ts";

const GOOD: readonly (readonly [string, string, number])[] = [
  ["0.0.0.0:8080", "0.0.0.0", 8080],
  ["127.0.0.1:0", "127.0.0.1", 0],
  ["[::1]:8080", "::1", 8080],
  ["[::]:443", "::", 443],
  ["localhost:8080", "localhost", 8080],
  ["Router.Example:65535", "router.example", 65_535],
];

for (const [text, hostname, port] of GOOD) {
  Deno.test(`parseBindAddress: ${text} is ${hostname} and ${port}`, () => {
    assert.deepEqual(parseBindAddress(text), { ok: true, address: { hostname, port, text } });
  });
}

const BAD: readonly (readonly [string, string])[] = [
  ["", "an empty string"],
  [":8080", "a string without a host, write 0.0.0.0 for every IPv4 address"],
  ["localhost", "a string without a port"],
  ["localhost:", "a string without a port"],
  ["::1:8080", "an IPv6 address without brackets"],
  ["::1", "an IPv6 address without brackets"],
  ["localhost:65536", "a string with a port above 65535"],
  ["[::zz]:80", "a different string"],
  ["[1:2]:80", "a string with a broken IPv6 address"],
  ["[fe80::1%eth0]:80", "a different string"],
  ["256.0.0.1:80", "a string with a broken IPv4 address"],
  ["1.2.3:80", "a string with a broken IPv4 address"],
  ["*:80", "a different string"],
  ["http://localhost:80", "a URL: leave out the scheme"],
  ["local host:80", "a different string"],
  ["localhost:80\n", "a string without a port"],
];

for (const [text, problem] of BAD) {
  Deno.test(`parseBindAddress: ${JSON.stringify(text)} is refused`, () => {
    assert.deepEqual(parseBindAddress(text), { ok: false, problem: `found ${problem}` });
  });
}
