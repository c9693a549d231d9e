import assert from "node:assert/strict";
import { RouterError } from "../../src/http/mod.ts";
import { checkHandshake, offersRealtime } from "../../src/realtime/handshake.ts";

const GOOD = {
  "upgrade": "websocket",
  "connection": "Upgrade",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  "sec-websocket-version": "13",
};

interface Change {
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly httpVersion?: "1.0" | "1.1" | undefined;
}

/** Checks the good handshake with some changes: null, or the refusal. */
function check(change: Change): RouterError | null {
  const headers = new Headers();
  for (const [name, value] of Object.entries({ ...GOOD, ...change.headers })) {
    if (value !== null) headers.set(name, value);
  }
  const httpVersion = "httpVersion" in change ? change.httpVersion : "1.1";
  try {
    checkHandshake({ headers, httpVersion });
    return null;
  } catch (error) {
    assert.ok(error instanceof RouterError);
    return error;
  }
}

function changed(name: string, value: string | null): Change {
  return { headers: { [name]: value } };
}

Deno.test.each(
  [
    ["the plainest handshake", {}],
    ["an Upgrade in another case", changed("upgrade", "WebSocket")],
    ["an Upgrade among others", changed("upgrade", "h2c,websocket")],
    ["a Connection among others", changed("connection", "keep-alive, UPGRADE")],
    ["a key of zeros", changed("sec-websocket-key", "AAAAAAAAAAAAAAAAAAAAAA==")],
    ["a key of ones", changed("sec-websocket-key", "/////////////////////w==")],
    ["the key of RFC 6455 §4.1", changed("sec-websocket-key", "AQIDBAUGBwgJCgsMDQ4PEC==")],
    ["an extension", changed("sec-websocket-extensions", "permessage-deflate")],
    ["no Host", changed("host", null)],
  ] as const,
)("checkHandshake() accepts %s", (_what, change) => {
  assert.equal(check(change), null);
});

const BROKEN: readonly (readonly [what: string, change: Change, code: string])[] = [
  ["no Upgrade", changed("upgrade", null), "upgrade_required"],
  ["an empty Upgrade", changed("upgrade", ""), "upgrade_required"],
  ["Upgrade: h2c", changed("upgrade", "h2c"), "upgrade_required"],
  ["Upgrade: websockets", changed("upgrade", "websockets"), "upgrade_required"],
  ["an Upgrade with a no-break space", changed("upgrade", "\xa0websocket"), "upgrade_required"],
  ["a no-break space in a list", changed("upgrade", "websocket\xa0, x"), "upgrade_required"],
  [
    "no Upgrade over HTTP/1.0",
    { ...changed("upgrade", null), httpVersion: "1.0" },
    "upgrade_required",
  ],
  ["HTTP/1.0", { httpVersion: "1.0" }, "invalid_handshake"],
  ["a body", { httpVersion: undefined }, "invalid_handshake"],
  ["no Connection", changed("connection", null), "invalid_handshake"],
  ["Connection: keep-alive", changed("connection", "keep-alive"), "invalid_handshake"],
  ["Connection: upgraded", changed("connection", "upgraded"), "invalid_handshake"],
  [
    "a Connection with a no-break space",
    changed("connection", "upgrade\xa0, x"),
    "invalid_handshake",
  ],
  ["no key", changed("sec-websocket-key", null), "invalid_handshake"],
  ["an empty key", changed("sec-websocket-key", ""), "invalid_handshake"],
  ["a key of 15 bytes", changed("sec-websocket-key", "AAAAAAAAAAAAAAAAAAAA"), "invalid_handshake"],
  [
    "a key of 17 bytes",
    changed("sec-websocket-key", "AAAAAAAAAAAAAAAAAAAAAAA="),
    "invalid_handshake",
  ],
  [
    "a key without padding",
    changed("sec-websocket-key", "AAAAAAAAAAAAAAAAAAAAAA"),
    "invalid_handshake",
  ],
  [
    "a key that is not base64",
    changed("sec-websocket-key", "AAAAAAAAAAAAAAAAAAAA-A=="),
    "invalid_handshake",
  ],
  [
    "two keys",
    changed("sec-websocket-key", `${GOOD["sec-websocket-key"]}, x`),
    "invalid_handshake",
  ],
  ["no version", changed("sec-websocket-version", null), "upgrade_required"],
  ["version 8", changed("sec-websocket-version", "8"), "upgrade_required"],
  ["version 12", changed("sec-websocket-version", "12"), "upgrade_required"],
  ["version 013", changed("sec-websocket-version", "013"), "upgrade_required"],
  ["two versions", changed("sec-websocket-version", "13, 8"), "upgrade_required"],
  [
    "a bad key and a bad version",
    { headers: { "sec-websocket-key": "x", "sec-websocket-version": "8" } },
    "invalid_handshake",
  ],
];

Deno.test.each(BROKEN)("checkHandshake() refuses %s", (_what, change, code) => {
  const error = check(change);
  assert.equal(error?.code, code);
  assert.equal(error?.status, code === "upgrade_required" ? 426 : 400);
  if (code !== "upgrade_required") return;
  assert.equal(error?.headers["upgrade"], "websocket");
  assert.equal(error?.headers["sec-websocket-version"], "13");
});

/** Lines of `Sec-WebSocket-Protocol`. */
function offered(...lines: readonly string[]): Headers {
  const headers = new Headers();
  for (const line of lines) headers.append("sec-websocket-protocol", line);
  return headers;
}

Deno.test.each(
  [
    [[], false],
    [[""], false],
    [["realtime"], true],
    [["realtime, openai-insecure-api-key.K"], true],
    [["realtime,openai-insecure-api-key.K"], true],
    [["openai-insecure-api-key.K,openai-beta.realtime-v1,realtime"], true],
    [["openai-insecure-api-key.K", "realtime"], true],
    [["realtime", "openai-insecure-api-key.K"], true],
    [["openai-insecure-api-key.realtime"], false],
    [["realtime2"], false],
    [["Realtime"], false],
    [["openai-beta.realtime-v1"], false],
  ] as const,
)("offersRealtime() of the lines %j is %s", (lines, expected) => {
  assert.equal(offersRealtime(offered(...lines)), expected);
});
