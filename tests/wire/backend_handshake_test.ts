import assert from "node:assert/strict";
import {
  acceptKey,
  checkHandshakeAnswer,
  type DialTarget,
  handshakeRequest,
  switchingProtocols,
} from "../../src/wire/backend_handshake.ts";
import { DialFailure } from "../../src/wire/dial_failure.ts";
import { parseRequestHead } from "../../src/wire/request_head.ts";
import { readResponseHead } from "../../src/wire/response_head.ts";
import { memoryPair } from "../support/memory_stream.ts";

/** Key and answer of RFC 6455 §1.3. */
const KEY = "dGhlIHNhbXBsZSBub25jZQ==";
const ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

const TARGET: DialTarget = {
  secure: false,
  hostname: "backend.test",
  port: 8000,
  hostHeader: "backend.test:8000",
  path: "/v1/realtime?model=m",
  headers: [["user-agent", "realtime-router/1"], ["authorization", "Bearer k"]],
};

Deno.test("acceptKey() gives the answer of RFC 6455's example", () => {
  assert.equal(acceptKey(KEY), ACCEPT);
});

Deno.test("handshakeRequest() writes one strict request and offers nothing", () => {
  const head = parseRequestHead(handshakeRequest(TARGET, KEY));
  assert.ok(!("fault" in head));
  assert.equal(head.method, "GET");
  assert.equal(head.target, TARGET.path);
  assert.equal(head.version, "1.1");
  assert.equal(head.wantsWebSocket, true);
  assert.deepEqual(head.headers, [
    ["Host", "backend.test:8000"],
    ["Upgrade", "websocket"],
    ["Connection", "Upgrade"],
    ["Sec-WebSocket-Key", KEY],
    ["Sec-WebSocket-Version", "13"],
    ["user-agent", "realtime-router/1"],
    ["authorization", "Bearer k"],
  ]);
});

Deno.test.each(
  [
    ["a line break in the path", { path: "/a\r\nX: y" }],
    ["a space in the path", { path: "/a b" }],
    ["a line feed in the path", { path: "/a\n" }],
    ["an empty path", { path: "" }],
    ["a character over 127 in the path", { path: "/é" }],
    ["a line break in the host", { hostHeader: "a\r\nX: y" }],
    ["an empty host", { hostHeader: "" }],
    ["a line break in a header's value", { headers: [["x", "a\r\nY: z"]] }],
    ["a carriage return in a header's value", { headers: [["x", "a\rb"]] }],
    ["a zero byte in a header's value", { headers: [["x", "\0"]] }],
    ["a character over 255 in a header's value", { headers: [["x", "끝"]] }],
    ["a colon in a header's name", { headers: [["x:y", "z"]] }],
    ["a line break in a header's name", { headers: [["x\r\ny", "z"]] }],
    ["an empty header's name", { headers: [["", "z"]] }],
  ] as const satisfies readonly (readonly [string, Partial<DialTarget>])[],
)("handshakeRequest() refuses %s", (_what, changes) => {
  assert.throws(() => handshakeRequest({ ...TARGET, ...changes }, KEY), TypeError);
});

Deno.test("handshakeRequest() does not repeat a refused header's value, which may be a secret", () => {
  const headers = [["authorization", "Bearer secret\r\n"]] as const;
  assert.throws(
    () => handshakeRequest({ ...TARGET, headers }, KEY),
    (error) => error instanceof TypeError && !error.message.includes("secret"),
  );
});

/** Checks an answer: null when it is accepted, else the failure. */
async function check(lines: readonly string[], status = "101 Switching Protocols") {
  const [ours, backend] = memoryPair();
  const text = [`HTTP/1.1 ${status}`, ...lines, "", ""].join("\r\n");
  await backend.write(new TextEncoder().encode(text));
  const head = await readResponseHead(ours);
  assert.ok(!("fault" in head));
  try {
    checkHandshakeAnswer(head, KEY);
    return null;
  } catch (error) {
    assert.ok(error instanceof DialFailure);
    return error;
  }
}

const UPGRADE = "Upgrade: websocket";
const CONNECTION = "Connection: Upgrade";
const ACCEPTED = `Sec-WebSocket-Accept: ${ACCEPT}`;

Deno.test.each(
  [
    [[UPGRADE, CONNECTION, ACCEPTED]],
    [["upgrade: WebSocket", "connection: keep-alive, upgrade", ACCEPTED]],
    [[UPGRADE, "Connection: keep-alive", "Connection: Upgrade", ACCEPTED, "Server: x"]],
  ] as const,
)("checkHandshakeAnswer() accepts %j", async (lines) => {
  assert.equal(await check(lines), null);
});

Deno.test.each(
  [
    ["no Upgrade", [CONNECTION, ACCEPTED]],
    ["another Upgrade", ["Upgrade: h2c", CONNECTION, ACCEPTED]],
    ["two Upgrades", [UPGRADE, UPGRADE, CONNECTION, ACCEPTED]],
    ["no Connection", [UPGRADE, ACCEPTED]],
    ["another Connection", [UPGRADE, "Connection: close", ACCEPTED]],
    ["no answer to the key", [UPGRADE, CONNECTION]],
    ["an answer to another key", [UPGRADE, CONNECTION, "Sec-WebSocket-Accept: AAAA"]],
    ["an answer in another case", [UPGRADE, CONNECTION, ACCEPTED.toLowerCase()]],
    ["two answers to the key", [UPGRADE, CONNECTION, ACCEPTED, ACCEPTED]],
    ["an extension", [
      UPGRADE,
      CONNECTION,
      ACCEPTED,
      "Sec-WebSocket-Extensions: permessage-deflate",
    ]],
    ["extensions on two lines", [
      UPGRADE,
      CONNECTION,
      ACCEPTED,
      "Sec-WebSocket-Extensions: a",
      "Sec-WebSocket-Extensions: b",
    ]],
    ["a subprotocol", [UPGRADE, CONNECTION, ACCEPTED, "Sec-WebSocket-Protocol: realtime"]],
  ] as const,
)("checkHandshakeAnswer() refuses %s", async (_what, lines) => {
  const failure = await check(lines);
  assert.equal(failure?.kind, "handshake");
  assert.equal(failure?.status, undefined);
});

Deno.test.each(
  [["200 OK", 200], ["301 Moved", 301], ["401 Unauthorized", 401], ["503 Busy", 503]] as const,
)("checkHandshakeAnswer() refuses the status %s and keeps it", async (status, expected) => {
  const failure = await check([UPGRADE, CONNECTION, ACCEPTED], status);
  assert.equal(failure?.kind, "status");
  assert.equal(failure?.status, expected);
});

Deno.test("switchingProtocols() is an answer that passes the check, and no more", async () => {
  const [ours, backend] = memoryPair();
  await backend.write(switchingProtocols(KEY));
  const head = await readResponseHead(ours);
  assert.ok(!("fault" in head));
  checkHandshakeAnswer(head, KEY);
  assert.equal(head.bytes.length, head.headBytes);
});
