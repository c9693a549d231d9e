import assert from "node:assert/strict";
import { parseOrigin } from "../../src/origin/mod.ts";

const PARSED: [string, { scheme: string; host: string; port: number | null; authority: string }][] =
  [
    ["https://console.example.com", {
      scheme: "https",
      host: "console.example.com",
      port: null,
      authority: "console.example.com",
    }],
    ["HTTPS://Console.Example.COM", {
      scheme: "https",
      host: "console.example.com",
      port: null,
      authority: "console.example.com",
    }],
    ["https://a.test:443", { scheme: "https", host: "a.test", port: null, authority: "a.test" }],
    ["http://a.test:80", { scheme: "http", host: "a.test", port: null, authority: "a.test" }],
    ["http://a.test:443", { scheme: "http", host: "a.test", port: 443, authority: "a.test:443" }],
    ["https://a.test:80", { scheme: "https", host: "a.test", port: 80, authority: "a.test:80" }],
    ["http://localhost:5173", {
      scheme: "http",
      host: "localhost",
      port: 5173,
      authority: "localhost:5173",
    }],
    ["http://127.0.0.1:65535", {
      scheme: "http",
      host: "127.0.0.1",
      port: 65535,
      authority: "127.0.0.1:65535",
    }],
    ["http://[::1]:8080", {
      scheme: "http",
      host: "[::1]",
      port: 8080,
      authority: "[::1]:8080",
    }],
    ["http://[0:0:0:0:0:0:0:1]", {
      scheme: "http",
      host: "[::1]",
      port: null,
      authority: "[::1]",
    }],
    ["http://[2001:DB8::A]", {
      scheme: "http",
      host: "[2001:db8::a]",
      port: null,
      authority: "[2001:db8::a]",
    }],
    ["http://xn--bcher-kva.example", {
      scheme: "http",
      host: "xn--bcher-kva.example",
      port: null,
      authority: "xn--bcher-kva.example",
    }],
    ["http://my_host", { scheme: "http", host: "my_host", port: null, authority: "my_host" }],
    ["http://example.com.", {
      scheme: "http",
      host: "example.com.",
      port: null,
      authority: "example.com.",
    }],
    ["tauri://localhost", {
      scheme: "tauri",
      host: "localhost",
      port: null,
      authority: "localhost",
    }],
    ["tauri://localhost:80", {
      scheme: "tauri",
      host: "localhost",
      port: 80,
      authority: "localhost:80",
    }],
    ["chrome-extension://abcdefghijklmnop", {
      scheme: "chrome-extension",
      host: "abcdefghijklmnop",
      port: null,
      authority: "abcdefghijklmnop",
    }],
  ];

Deno.test.each(PARSED)("parseOrigin() reads %s", (value, expected) => {
  assert.deepEqual(parseOrigin(value), expected);
});

const REFUSED: string[] = [
  "",
  " ",
  "null",
  "NULL",
  "undefined",
  "*",
  "https://",
  "https:///",
  "https://a.test/",
  "https://a.test/path",
  "https://a.test?x",
  "https://a.test#x",
  "https://a.test\\@b.test",
  "https://user@a.test",
  "https://user:pass@a.test",
  "https://console.example.com@evil.test",
  "http://localhost:5173@evil.test",
  "https:a.test",
  "https:/a.test",
  "//a.test",
  "a.test",
  "a.test:443",
  "://a.test",
  "1http://a.test",
  "file://",
  "data:text/html,x",
  "blob:https://a.test/uuid",
  " https://a.test",
  "https://a.test ",
  "https://a.test\t",
  "https://a.test\n",
  "https://a .test",
  "https://a.test, https://a.test",
  "https://a.test,https://b.test",
  "https://a.test https://b.test",
  "https://a.test:",
  "https://a.test:0",
  "https://a.test:0443",
  "https://a.test:65536",
  "https://a.test:99999",
  "https://a.test:443:443",
  "https://a.test:+443",
  "https://a.test:4e2",
  "https://a.test:*",
  "https://*",
  "https://*.a.test",
  "https://.a.test",
  "https://a..test",
  "https://-a.test",
  "https://a-.test",
  "https://.",
  "https://a.test%00",
  "https://a%2etest",
  "https://bücher.example",
  "https://a.test\u0000",
  "https://::1",
  "https://[::1",
  "https://::1]",
  "https://[::1]x",
  "https://[::1%25eth0]",
  "https://[gggg::1]",
  "https://[]",
  "https://[1:2:3]",
  "http://127.1",
  "http://2130706433",
  "http://0x7f000001",
  "http://0x7f.0.0.1",
  "http://127.0.0.01",
  "http://256.0.0.1",
  "http://1.2.3.4.5",
  `https://${"a".repeat(64)}.test`,
  `https://${"a.".repeat(150)}test`,
  `${"a".repeat(65)}://a.test`,
];

Deno.test.each(REFUSED.map((value) => [value] as const))(
  "parseOrigin() refuses %j",
  (value) => {
    assert.equal(parseOrigin(value), null);
  },
);

Deno.test("parseOrigin() refuses what Headers makes of two Origin lines", () => {
  const headers = new Headers();
  headers.append("origin", "https://a.test");
  headers.append("origin", "https://a.test");
  assert.equal(parseOrigin(headers.get("origin") ?? ""), null);
});

Deno.test("parseOrigin() answers a huge value at once", () => {
  assert.equal(parseOrigin("https://" + "a".repeat(1_000_000)), null);
});
