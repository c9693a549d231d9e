import assert from "node:assert/strict";
import fc from "fast-check";
import {
  encodeLatin1,
  findHeadEnd,
  hasToken,
  type HeadFault,
  parseRequestHead,
  type RequestHead,
  serializeRequestHead,
  withConnectionClose,
} from "../../src/wire/request_head.ts";

/** Parses the lines of a head. */
function parse(...lines: readonly string[]): RequestHead | HeadFault {
  return parseRequestHead(encodeLatin1([...lines, "", ""].join("\r\n")));
}

function accepted(...lines: readonly string[]): RequestHead {
  const head = parse(...lines);
  assert.ok(!("fault" in head), "fault" in head ? head.fault : "");
  return head;
}

const REFUSED: readonly (readonly [what: string, lines: readonly string[]])[] = [
  ["the target *", ["OPTIONS * HTTP/1.1", "Host: a"]],
  ["an authority as target", ["CONNECT a:80 HTTP/1.1", "Host: a:80"]],
  ["a Host with a path", ["GET /health HTTP/1.1", "Host: h/metrics"]],
  ["a Host with a query", ["GET /health HTTP/1.1", "Host: h?model=evil&x="]],
  ["a Host with a path and a query", ["GET /v1/models HTTP/1.1", "Host: h/metrics?"]],
  ["a Host with a fragment", ["GET / HTTP/1.1", "Host: h#"]],
  ["a Host with userinfo", ["GET / HTTP/1.1", "Host: u@h"]],
  ["a Host with a backslash", ["GET / HTTP/1.1", "Host: h\\metrics"]],
  ["a Host with a space", ["GET / HTTP/1.1", "Host: a b"]],
  ["a Host with a port over 65535", ["GET / HTTP/1.1", "Host: a:99999"]],
  ["a Host that is not percent-encoded", ["GET / HTTP/1.1", "Host: a%zz"]],
  ["a Host that is no address though it looks like one", ["GET / HTTP/1.1", "Host: 1.2.3.999"]],
  ["a Host with broken punycode", ["GET / HTTP/1.1", "Host: xn--a"]],
  ["a Host with two ports", ["GET / HTTP/1.1", "Host: a:1:2"]],
  ["a Host with an open bracket", ["GET / HTTP/1.1", "Host: [::1"]],
  ["a bare line feed", ["GET / HTTP/1.1", "Host: a\nX: y"]],
  ["a bare carriage return in a value", ["GET / HTTP/1.1", "Host: a", "X: y\rZ: z"]],
  ["a bare carriage return in the request line", ["GET /\r HTTP/1.1", "Host: a"]],
  ["a bare carriage return at a value's end", ["GET / HTTP/1.1", "Host: a\r"]],
  ["a folded line", ["GET / HTTP/1.1", "Host: a", "X: y", " z"]],
  ["a line folded with a tab", ["GET / HTTP/1.1", "Host: a", "X: y", "\tz"]],
  ["a space before the colon", ["GET / HTTP/1.1", "Host: a", "Content-Length : 5"]],
  ["a tab before the colon", ["GET / HTTP/1.1", "Host: a", "Transfer-Encoding\t: chunked"]],
  ["a header without a name", ["GET / HTTP/1.1", "Host: a", ": x"]],
  ["a line without a colon", ["GET / HTTP/1.1", "Host: a", "x"]],
  ["a zero byte in a value", ["GET / HTTP/1.1", "Host: a", "X: \0"]],
  ["a zero byte in a name", ["GET / HTTP/1.1", "Host: a", "X\0: y"]],
  ["a zero byte in the target", ["GET /\0 HTTP/1.1", "Host: a"]],
  ["a delete character", ["GET / HTTP/1.1", "Host: a", "X: \x7f"]],
  ["a name with a byte over 127", ["GET / HTTP/1.1", "Host: a", "Content-L\xe9ngth: 5"]],
  [
    "Content-Length and Transfer-Encoding",
    ["POST / HTTP/1.1", "Host: a", "Content-Length: 5", "Transfer-Encoding: chunked"],
  ],
  [
    "Transfer-Encoding and Content-Length, in any case",
    ["POST / HTTP/1.1", "Host: a", "TRANSFER-ENCODING: chunked", "content-length: 5"],
  ],
  [
    "two different lengths",
    ["POST / HTTP/1.1", "Host: a", "Content-Length: 5", "Content-Length: 6"],
  ],
  ["two equal lengths", ["POST / HTTP/1.1", "Host: a", "Content-Length: 5", "Content-Length: 5"]],
  ["a list of lengths", ["POST / HTTP/1.1", "Host: a", "Content-Length: 5, 5"]],
  ["a length with a sign", ["POST / HTTP/1.1", "Host: a", "Content-Length: +5"]],
  ["a negative length", ["POST / HTTP/1.1", "Host: a", "Content-Length: -5"]],
  ["a hexadecimal length", ["POST / HTTP/1.1", "Host: a", "Content-Length: 0x5"]],
  ["a fractional length", ["POST / HTTP/1.1", "Host: a", "Content-Length: 5.0"]],
  ["an empty length", ["POST / HTTP/1.1", "Host: a", "Content-Length:"]],
  ["a length with a space inside", ["POST / HTTP/1.1", "Host: a", "Content-Length: 1 0"]],
  ["a length with a no-break space", ["POST / HTTP/1.1", "Host: a", "Content-Length: 5\xa0"]],
  ["a huge length", ["POST / HTTP/1.1", "Host: a", "Content-Length: 9999999999999999"]],
  ["a length over 64 bits", ["POST / HTTP/1.1", "Host: a", "Content-Length: 18446744073709551617"]],
  ["an unknown coding", ["POST / HTTP/1.1", "Host: a", "Transfer-Encoding: gzip"]],
  ["two codings", ["POST / HTTP/1.1", "Host: a", "Transfer-Encoding: gzip, chunked"]],
  ["chunked twice", ["POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked, chunked"]],
  [
    "chunked on two lines",
    ["POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
  ],
  [
    "chunked and identity on two lines",
    ["POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
  ],
  ["an empty coding", ["POST / HTTP/1.1", "Host: a", "Transfer-Encoding:"]],
  ["a coding with a parameter", ["POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked;q=1"]],
  ["a coding with a vertical tab", [
    "POST / HTTP/1.1",
    "Host: a",
    "Transfer-Encoding: \x0bchunked",
  ]],
  ["a coding with a no-break space", [
    "POST / HTTP/1.1",
    "Host: a",
    "Transfer-Encoding: chunked\xa0",
  ]],
  ["chunked in HTTP/1.0", ["POST / HTTP/1.0", "Host: a", "Transfer-Encoding: chunked"]],
  ["two hosts", ["GET / HTTP/1.1", "Host: a", "Host: b"]],
  ["the same host twice", ["GET / HTTP/1.1", "Host: a", "host: a"]],
  ["two hosts in HTTP/1.0", ["GET / HTTP/1.0", "Host: a", "Host: b"]],
  ["no host", ["GET / HTTP/1.1", "X: y"]],
  ["no host with an absolute target", ["GET http://a/ HTTP/1.1", "X: y"]],
  ["HTTP/2.0", ["GET / HTTP/2.0", "Host: a"]],
  ["HTTP/1.2", ["GET / HTTP/1.2", "Host: a"]],
  ["HTTP/0.9", ["GET / HTTP/0.9", "Host: a"]],
  ["a request line of HTTP/0.9", ["GET /", "Host: a"]],
  ["the preface of HTTP/2", ["PRI * HTTP/2.0", ""]],
  ["a protocol in lower case", ["GET / http/1.1", "Host: a"]],
  ["another protocol", ["GET / RTSP/1.1", "Host: a"]],
  ["a version with more digits", ["GET / HTTP/1.10", "Host: a"]],
  ["two spaces before the target", ["GET  / HTTP/1.1", "Host: a"]],
  ["two spaces behind the target", ["GET /  HTTP/1.1", "Host: a"]],
  ["a space behind the version", ["GET / HTTP/1.1 ", "Host: a"]],
  ["a space before the method", [" GET / HTTP/1.1", "Host: a"]],
  ["a tab for a space", ["GET\t/ HTTP/1.1", "Host: a"]],
  ["a space in the target", ["GET /a b HTTP/1.1", "Host: a"]],
  ["a fragment", ["GET /a#b HTTP/1.1", "Host: a"]],
  ["a fragment in an absolute target", ["GET http://a/#b HTTP/1.1", "Host: a"]],
  ["a target with a byte over 127", ["GET /\xe9 HTTP/1.1", "Host: a"]],
  ["a quotation mark in the target", ['GET /"\x7f HTTP/1.1', "Host: a"]],
  ["no method", [" / HTTP/1.1", "Host: a"]],
  ["a method of 33 letters", [`${"A".repeat(33)} / HTTP/1.1`, "Host: a"]],
  ["a method with a colon", ["GE:T / HTTP/1.1", "Host: a"]],
  ["an authority for a target", ["CONNECT a.test:443 HTTP/1.1", "Host: a.test:443"]],
  ["a relative target", ["GET a/b HTTP/1.1", "Host: a"]],
  ["a target of another scheme", ["GET ftp://a/ HTTP/1.1", "Host: a"]],
  ["an absolute target without a host", ["GET http:///a HTTP/1.1", "Host: a"]],
  ["an absolute target with userinfo", ["GET http://u@a/ HTTP/1.1", "Host: a"]],
  ["a query for a target", ["GET ?a HTTP/1.1", "Host: a"]],
  ["nothing", [""]],
];

Deno.test.each(REFUSED)("parseRequestHead() refuses %s", (_what, lines) => {
  const head = parse(...lines);
  assert.ok("fault" in head, "it was accepted");
  assert.notEqual(head.fault, "");
});

Deno.test("parseRequestHead() reads a request", () => {
  assert.deepEqual(accepted("POST /a?b=%20&c='d' HTTP/1.1", "Host: h.test:80", "X-Y:  z\t", "E:"), {
    method: "POST",
    target: "/a?b=%20&c='d'",
    version: "1.1",
    headers: [["Host", "h.test:80"], ["X-Y", "z"], ["E", ""]],
    body: { kind: "length", bytes: 0 },
    wantsWebSocket: false,
  });
});

Deno.test.each(
  [
    ["GET", "/"],
    ["OPTIONS", "/"],
    ["A".repeat(32), "/"],
    ["M-SEARCH", "//host/.."],
    ["GET", "/a\"'{}|\\^`<>"],
  ] as const,
)("parseRequestHead() accepts the method %s and the target %s", (method, target) => {
  const head = accepted(`${method} ${target} HTTP/1.1`, "Host: a");
  assert.deepEqual([head.method, head.target], [method, target]);
});

Deno.test("parseRequestHead() accepts HTTP/1.0 with and without a host", () => {
  assert.equal(accepted("GET / HTTP/1.0").version, "1.0");
  assert.equal(accepted("GET / HTTP/1.0", "Host: a").version, "1.0");
});

Deno.test("parseRequestHead() keeps tabs within a value and bytes over 127", () => {
  const head = accepted("GET / HTTP/1.1", "Host: a", "X: a\tb", "Y: \x80\xa0\xe9\xff");
  assert.deepEqual(head.headers.slice(1), [["X", "a\tb"], ["Y", "\x80\xa0\xe9\xff"]]);
});

Deno.test.each(
  [
    ["http://b.test/p?q", "/p?q", "b.test"],
    ["HTTPS://b.test:8443/p", "/p", "b.test:8443"],
    ["http://b.test", "/", "b.test"],
    ["http://b.test?q=1", "/?q=1", "b.test"],
    ["http://[::1]:80/p", "/p", "[::1]:80"],
  ] as const,
)("parseRequestHead() with the target %s has the path %s and the host %s", (target, path, host) => {
  const head = accepted(`GET ${target} HTTP/1.1`, "X: y", "hOST: a.test", "Z: z");
  assert.equal(head.target, path);
  assert.deepEqual(head.headers, [["X", "y"], ["hOST", host], ["Z", "z"]]);
  const old = accepted(`GET ${target} HTTP/1.0`);
  assert.deepEqual(old.headers, [["host", host]]);
});

Deno.test.each(
  [
    [["Content-Length: 5"], { kind: "length", bytes: 5 }],
    [["content-length: 0"], { kind: "length", bytes: 0 }],
    [["Content-Length: 005"], { kind: "length", bytes: 5 }],
    [["Content-Length: 999999999999999"], { kind: "length", bytes: 999_999_999_999_999 }],
    [["Transfer-Encoding: chunked"], { kind: "chunked" }],
    [["transfer-encoding: Chunked \t"], { kind: "chunked" }],
    [[], { kind: "length", bytes: 0 }],
  ] as const,
)("parseRequestHead() with %j has the body %j", (lines, body) => {
  assert.deepEqual(accepted("POST / HTTP/1.1", "Host: a", ...lines).body, body);
});

Deno.test.each(
  [
    [["Upgrade: websocket"], true],
    [["upgrade: WebSocket"], true],
    [["Upgrade: h2c, websocket"], true],
    [["Upgrade: h2c,websocket"], true],
    [["Upgrade: h2c", "Upgrade: websocket"], true],
    [["Upgrade: h2c"], false],
    [["Upgrade: websocket2"], false],
    [["Upgrade: web socket"], false],
    [["Connection: upgrade, websocket"], false],
    [[], false],
  ] as const,
)("parseRequestHead() with %j wants a WebSocket: %s", (lines, expected) => {
  assert.equal(accepted("GET / HTTP/1.1", "Host: a", ...lines).wantsWebSocket, expected);
});

Deno.test.each(
  [
    ["upgrade", true],
    ["keep-alive, Upgrade", true],
    ["keep-alive,UPGRADE ,x", true],
    ["\tupgrade\t", true],
    ["upgraded", false],
    ["up grade", false],
    ["\xa0upgrade", false],
    ["upgrade\xa0, x", false],
    ["", false],
    [",,", false],
  ] as const,
)("hasToken(%j, upgrade) is %s", (list, expected) => {
  assert.equal(hasToken(list, "upgrade"), expected);
});

function endOf(text: string, from = 0): number | HeadFault | undefined {
  const bytes = encodeLatin1(text);
  return findHeadEnd(bytes, { from, length: bytes.length });
}

Deno.test.each(
  [
    ["", undefined],
    ["GET / HTTP/1.1\r\nHost: a\r\n", undefined],
    ["GET / HTTP/1.1\r\nHost: a\r\n\r", undefined],
    ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", 27],
    ["GET / HTTP/1.1\r\nHost: a\r\n\r\nrest\r\n\r\n", 27],
    ["a\r\r\n\r\n", 6],
  ] as const,
)("findHeadEnd(%j) is %s", (text, expected) => {
  assert.equal(endOf(text), expected);
});

Deno.test.each(
  [
    ["GET / HTTP/1.1\n"],
    ["\n"],
    ["GET / HTTP/1.1\r\nHost: a\n\n"],
    ["GET / HTTP/1.1\r\nHost: a\r\n\n"],
    ["GET / HTTP/1.1\r\nHost: a\n\r\n"],
  ] as const,
)("findHeadEnd(%j) finds a bare line feed", (text) => {
  assert.deepEqual(endOf(text), { fault: "line feed without carriage return" });
});

Deno.test("findHeadEnd() finds the same end however the head comes in", () => {
  const text = "GET / HTTP/1.1\r\nHost: a\r\n\r\nrest";
  for (let cut = 0; cut <= text.length; cut++) {
    const bytes = encodeLatin1(text);
    const first = findHeadEnd(bytes, { from: 0, length: cut });
    assert.equal(first, cut >= 27 ? 27 : undefined);
    if (first === undefined) assert.equal(endOf(text, cut), 27);
  }
});

Deno.test("serializeRequestHead() writes what parseRequestHead() reads the same way again", () => {
  const name = fc.stringMatching(/^X[!#$%&'*+.^_`|~0-9A-Za-z-]{0,20}$/);
  const value = fc.array(fc.integer({ min: 0x20, max: 0xff }), { maxLength: 30 })
    .map((codes) => String.fromCharCode(...codes).replaceAll("\x7f", "").trim());
  fc.assert(fc.property(fc.array(fc.tuple(name, value), { maxLength: 6 }), (headers) => {
    const lines = headers.map(([name, value]) => `${name}: ${value}`);
    const head = accepted("GET /p HTTP/1.1", "Host: a", ...lines);
    assert.deepEqual(parseRequestHead(serializeRequestHead(head)), head);
  }));
});

Deno.test.each(
  [
    [[], "close"],
    [["Connection: Upgrade"], "Upgrade, close"],
    [["Connection: keep-alive, Upgrade"], "keep-alive, Upgrade, close"],
    [["connection: a", "X: y", "Connection: b"], "a, b, close"],
    [["Connection:"], "close"],
  ] as const,
)("withConnectionClose() turns %j into %j", (lines, expected) => {
  const head = withConnectionClose(accepted("GET / HTTP/1.1", "Host: a", ...lines));
  const connections = head.headers.filter(([name]) => name.toLowerCase() === "connection");
  assert.deepEqual(connections, [["connection", expected]]);
});

Deno.test.each(
  [["h"], ["h.test:80"], ["h:"], ["[::1]"], ["[::1]:8080"], ["127.0.0.1:1"], ["a_b-c.d~e"], [
    "",
  ]] as const,
)("parseRequestHead() accepts the Host %j", (host) => {
  assert.deepEqual(accepted("GET / HTTP/1.1", `Host: ${host}`).headers, [["Host", host]]);
});
