import assert from "node:assert/strict";
import { AllowedHosts } from "../../src/origin/mod.ts";

Deno.test.each(
  [
    [[], "anything.test", true],
    [[], null, true],
    [[], "not a host", true],
    [["router.test"], "router.test", true],
    [["router.test"], "ROUTER.test:8080", true],
    [["Router.Test"], "router.test", true],
    [["router.test"], null, false],
    [["router.test"], "", false],
    [["router.test"], "evil.test", false],
    [["router.test"], "router.test.evil.test", false],
    [["router.test"], "evilrouter.test", false],
    [["router.test"], "a.router.test", false],
    [["router.test"], "router.test, evil.test", false],
    [["router.test"], "user@router.test", false],
    [["router.test"], "router.test/", false],
    [["router.test:8080"], "router.test:8080", true],
    [["router.test:8080"], "router.test:8081", false],
    [["router.test:8080"], "router.test", false],
    [["router.test:443"], "router.test", true],
    [["router.test:443"], "router.test:8443", false],
    [["router.test:1", "router.test:2"], "router.test:2", true],
    [["router.test:1", "router.test"], "router.test:3", true],
    [["*.example.com"], "a.example.com", true],
    [["*.example.com"], "a.b.example.com:8080", true],
    [["*.example.com"], "example.com", false],
    [["*.example.com"], "evilexample.com", false],
    [["*.example.com"], "a.example.com.evil.test", false],
    [["*.example.com:8080"], "a.example.com:8080", true],
    [["*.example.com:8080"], "a.example.com", false],
    [["127.0.0.1"], "127.0.0.1:8080", true],
    [["127.0.0.1"], "127.0.0.2", false],
    [["127.0.0.1"], "localhost", false],
    [["[::1]"], "[::1]:8080", true],
    [["::1"], "[0:0:0:0:0:0:0:1]:8080", true],
    [["[::1]:8080"], "[::1]:8081", false],
  ] as const,
)("AllowedHosts of %j, Host %j: %s", (entries, host, allowed) => {
  const hosts = new AllowedHosts(entries);
  assert.deepEqual(hosts.problems, []);
  const error = hosts.check(host);
  assert.equal(error === null, allowed);
  if (error !== null) assert.deepEqual([error.code, error.status], ["host_not_allowed", 403]);
});

Deno.test.each([
  ["*"],
  ["*."],
  [""],
  ["http://router.test"],
  ["router.test/"],
  ["a.*.test"],
  ["router.test:*"],
  ["router.test:0"],
  ["*.127.0.0.1"],
  ["*.[::1]"],
  ["::zz"],
])("AllowedHosts reports %j and still refuses other hosts", (entry) => {
  const hosts = new AllowedHosts([entry]);
  assert.deepEqual(hosts.problems.map(({ index }) => index), [0]);
  assert.equal(hosts.check("router.test")?.code, "host_not_allowed");
});
