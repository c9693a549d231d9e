/** HTTP through the edge: unharmed where it is well-formed, refused where two readers could differ. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { Edge, type EdgeOptions } from "../../src/wire/mod.ts";
import { makeAuthority } from "../support/certificates.ts";
import { FakeBackend } from "../support/fake_backend.ts";
import { connectRaw, parseResponse, requestRaw, upgradeRequest } from "../support/raw_client.ts";
import { encodeFrame, OPCODE, type RawPeer, textOf } from "../support/raw_peer.ts";
import { startTestRouter } from "../support/test_router.ts";

/** Answers with what it was asked: enough to see whether anything was lost, doubled or mixed up. */
async function handler(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const body = new Uint8Array(await request.arrayBuffer());
  if (url.pathname === "/events") {
    const events = ["one", "two", "three"].map((event) => `data: ${event}\n\n`);
    return new Response(ReadableStream.from(events.map((text) => new TextEncoder().encode(text))), {
      headers: { "content-type": "text/event-stream" },
    });
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body)).toHex();
  const text = `${request.method} ${url.pathname}${url.search} ${body.length} ${digest}`;
  return new Response(text, { status: url.pathname === "/teapot" ? 418 : 200 });
}

async function startEdge(options: Partial<EdgeOptions> = {}): Promise<Edge & AsyncDisposable> {
  const edge = await Edge.start({
    listen: [{ hostname: "127.0.0.1", port: 0 }],
    handler,
    renderRefusal: ({ code }) =>
      new TextEncoder().encode(
        `HTTP/1.1 400 Bad Request\r\nContent-Length: ${code.length}\r\nConnection: close\r\n\r\n${code}`,
      ),
    maxMessageBytes: 4 * 1024 * 1024,
    maxConnections: 200,
    now: () => performance.now(),
    onAcceptError: (error) => {
      throw error;
    },
    ...options,
  });
  return Object.assign(edge, { [Symbol.asyncDispose]: () => edge.close() });
}

interface GivenRequest {
  readonly method: string;
  readonly path: string;
  readonly bodyBytes: number;
}

const requests = fc.array(
  fc.record<GivenRequest>({
    method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "OPTIONS"),
    path: fc.constantFrom("/", "/a?b=c", "/teapot", "/events", "/%F0%9F%8E%A4?x=%20"),
    bodyBytes: fc.oneof(fc.constant(0), fc.nat(300), fc.nat(200_000)),
  }),
  { minLength: 1, maxLength: 6 },
);

function bytesOf(given: readonly GivenRequest[]): Uint8Array {
  const encoder = new TextEncoder();
  const parts = given.flatMap(({ method, path, bodyBytes }, index) => {
    const last = index === given.length - 1 ? "Connection: close\r\n" : "";
    const hasBody = method === "POST" || method === "PUT";
    const length = hasBody ? `Content-Length: ${bodyBytes}\r\n` : "";
    return [
      encoder.encode(`${method} ${path} HTTP/1.1\r\nHost: h\r\n${length}${last}\r\n`),
      new Uint8Array(hasBody ? bodyBytes : 0).fill(65 + index),
    ];
  });
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

/** Writes in pieces of the given sizes, over and over, and reads all answers. */
async function exchange(port: number, bytes: Uint8Array, sizes: readonly number[]) {
  using peer = await connectRaw(port);
  const reading = peer.readRest();
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length]!;
    await peer.write(bytes.subarray(at, at + size));
    at += size;
  }
  const text = new TextDecoder("latin1").decode(await reading);
  return text.replaceAll(/\r\ndate: [^\r]*/gi, "");
}

Deno.test("edge: random requests in random pieces are answered as by the server alone", async () => {
  await using edge = await startEdge();
  const alone = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
  const pieces = fc.array(
    fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1_000, max: 100_000 })),
    { minLength: 1, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(requests, pieces, async (given, sizes) => {
      const bytes = bytesOf(given);
      const coarse = bytes.length > 20_000 ? sizes.map((size) => size + 1_000) : sizes;
      const expected = await exchange(alone.addr.port, bytes, [bytes.length]);
      assert.equal(await exchange(edge.addresses[0]!.port, bytes, coarse), expected);
      assert.equal(expected.match(/HTTP\/1\.1 \d\d\d/g)?.length, given.length);
    }),
    { numRuns: 200 },
  );
  await alone.shutdown();
});

Deno.test("edge: a chunked body is answered, and the connection ends after its answer", async () => {
  await using edge = await startEdge();
  const response = await requestRaw(
    edge.addresses[0]!.port,
    "POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
  );
  assert.equal(response.status, 200);
  assert.match(response.body, /^POST \/c 5 /);
  assert.equal(response.headers.get("connection"), "close");
});

Deno.test("edge: a request before a hostile head is answered first, however long that takes", async () => {
  const gate = Promise.withResolvers<void>();
  await using edge = await startEdge({
    handler: async () => {
      await gate.promise;
      return new Response("late");
    },
  });
  using peer = await connectRaw(edge.addresses[0]!.port);
  await peer.write("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\n\n");
  gate.resolve();
  const text = new TextDecoder().decode(await peer.readRest());
  assert.match(text, /^HTTP\/1\.1 200 OK[^]*late[^]*HTTP\/1\.1 400 [^]*invalid_request$/);
});

Deno.test.each(["TCP", "TLS"])(
  "edge: a client that has half-closed still gets its answer over %s",
  async (over) => {
    const authority = await makeAuthority();
    const tls = over === "TLS" ? await authority.issue({ names: ["127.0.0.1"] }) : undefined;
    await using edge = await startEdge({
      handler: ({ method, url }) => new Response(`${method} ${url}`),
      ...tls === undefined ? {} : { tls },
    });
    const { port } = edge.addresses[0]!;
    using peer = await connectRaw(port, { caPem: tls === undefined ? undefined : authority.caPem });
    await peer.write("GET /half HTTP/1.1\r\nHost: h\r\n\r\n");
    await peer.conn.closeWrite?.();
    const answer = parseResponse(new TextDecoder().decode(await peer.readRest()));
    assert.match(answer.body, /^GET .*half$/);
  },
);

const HOSTILE_HEADS: Readonly<Record<string, string>> = {
  "line feeds alone": "GET / HTTP/1.1\nHost: h\n\n",
  "one bare line feed": "GET / HTTP/1.1\r\nHost: h\nX: y\r\n\r\n",
  "length and chunks": "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n" +
    "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "two lengths": "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
  "signed length": "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +3\r\n\r\nabc",
  "chunked and something else": "POST / HTTP/1.1\r\nHost: h\r\n" +
    "Transfer-Encoding: gzip, chunked\r\n\r\n",
  "folded header": "GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n",
  "space before the colon": "GET / HTTP/1.1\r\nHost: h\r\nContent-Length : 3\r\n\r\nabc",
  "HTTP/2 preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "no host": "GET / HTTP/1.1\r\n\r\n",
  "two hosts": "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
};

for (const [name, head] of Object.entries(HOSTILE_HEADS)) {
  Deno.test(`edge: refuses ${name}`, async () => {
    let asked = 0;
    await using edge = await startEdge({
      handler: (request) => {
        asked++;
        return handler(request);
      },
    });
    const response = await requestRaw(edge.addresses[0]!.port, head);
    assert.equal(response.status, 400);
    assert.equal(asked, 0);
  });
}

Deno.test("edge: a head of 16 KiB passes and a longer one is refused", async () => {
  await using router = await startTestRouter();
  const head = (bytes: number) => {
    const start = "GET /health HTTP/1.1\r\nHost: h\r\nConnection: close\r\nX: ";
    return `${start}${"x".repeat(bytes - start.length - 4)}\r\n\r\n`;
  };
  assert.equal((await requestRaw(router.port, head(16 * 1024))).status, 200);
  const refused = await requestRaw(router.port, head(16 * 1024 + 1));
  assert.equal(refused.status, 431);
  assert.equal(JSON.parse(refused.body).error.code, "request_header_too_large");
});

Deno.test("edge: a hundred header lines pass and more are refused, also of an upgrade", async () => {
  await using router = await startTestRouter();
  const head = (lines: number, first: readonly string[]) =>
    [...first, ...Array<string>(lines - first.length + 1).fill("X: y"), "", ""].join("\r\n");
  const plain = ["GET /health HTTP/1.1", "Host: h", "Connection: close"];
  const upgrade = [
    "GET /v1/realtime?model=none HTTP/1.1",
    "Host: h",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  for (const [first, status] of [[plain, 200], [upgrade, 404]] as const) {
    assert.equal((await requestRaw(router.port, head(100, first))).status, status);
    const refused = await requestRaw(router.port, head(101, first));
    assert.equal(refused.status, 431);
    assert.notEqual(refused.headers.get("x-request-id"), undefined);
    assert.equal(JSON.parse(refused.body).error.code, "request_header_too_large");
  }
});

Deno.test("edge: a head that takes too long is refused 408, an idle connection just ends", async () => {
  await using edge = await startEdge({ headTimeoutMs: 50, keepAliveMs: 60 });
  const { port } = edge.addresses[0]!;
  using slow = await connectRaw(port);
  await slow.write("GET / HT");
  assert.match(new TextDecoder().decode(await slow.readRest()), /request_timeout$/);
  using silent = await connectRaw(port);
  assert.equal((await silent.readRest()).length, 0);
  using idle = await connectRaw(port);
  await idle.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  assert.match(new TextDecoder().decode(await idle.readRest()), /^HTTP\/1\.1 200 [^]*GET \/ 0/);
});

Deno.test("edge: a TLS handshake that is not done in time ends, whether or not bytes come", async () => {
  const tls = await (await makeAuthority()).issue({ names: ["127.0.0.1"] });
  await using edge = await startEdge({ tls, handshakeTimeoutMs: 100 });
  const { port } = edge.addresses[0]!;
  using silent = await connectRaw(port);
  using slow = await connectRaw(port);
  // A record of a ClientHello that says it is long.
  await slow.write(Uint8Array.of(22, 3, 1, 2, 0, 1));
  for (const peer of [silent, slow]) await peer.readRest();
  assert.equal(edge.connectionCount, 0);
});

Deno.test("edge: a TLS client that speaks HTTP/2 only is told so by an alert", async () => {
  const authority = await makeAuthority();
  await using edge = await startEdge({ tls: await authority.issue({ names: ["127.0.0.1"] }) });
  const { port } = edge.addresses[0]!;
  for (let round = 0; round < 20; round++) {
    using conn = await Deno.connectTls({
      ...{ hostname: "127.0.0.1", port, caCerts: [authority.caPem] },
      alpnProtocols: ["h2"],
    });
    await assert.rejects(conn.handshake(), /NoApplicationProtocol/);
  }
  assert.equal(edge.connectionCount, 0);
});

Deno.test.each([
  { over: "TCP", asks: false },
  { over: "TCP", asks: true },
  { over: "TLS", asks: false },
  { over: "TLS", asks: true },
])(
  "edge: one connection too many is answered and closed, $over, has asked: $asks",
  async ({ over, asks }) => {
    const authority = await makeAuthority();
    const tls = over === "TLS" ? await authority.issue({ names: ["127.0.0.1"] }) : undefined;
    const caPem = tls === undefined ? undefined : authority.caPem;
    await using edge = await startEdge({ maxConnections: 2, ...tls === undefined ? {} : { tls } });
    const { port } = edge.addresses[0]!;
    const request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    using first = await connectRaw(port, { caPem });
    using second = await connectRaw(port, { caPem });
    for (const peer of [first, second]) await peer.write(request);
    for (const peer of [first, second]) assert.match(await peer.readHead() ?? "", / 200 /);
    for (let round = 0; round < 20; round++) {
      using third = await connectRaw(port, { caPem });
      if (asks) await third.write(request);
      assert.match(new TextDecoder().decode(await third.readRest()), /connection_limit_reached$/);
    }
    assert.equal(edge.connectionCount, 2);
  },
);

Deno.test("edge: of TLS connections over the limit 64 may be in their handshake, others are cut", async () => {
  const tls = await (await makeAuthority()).issue({ names: ["127.0.0.1"] });
  await using edge = await startEdge({ maxConnections: 2, tls });
  const { port } = edge.addresses[0]!;
  using peers = new DisposableStack();
  for (let count = 0; count < 66; count++) peers.use(await connectRaw(port));
  using over = await connectRaw(port);
  assert.equal((await over.readRest()).length, 0);
  assert.equal(edge.connectionCount, 0);
});

Deno.test("upgrade: pipelined behind a request, both are served", async () => {
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({ backends: [fake.url] });
  using peer = await connectRaw(router.port);
  await peer.write(
    `GET /health HTTP/1.1\r\nHost: h\r\n\r\n${upgradeRequest({ port: router.port })}`,
  );
  assert.match(await peer.readHead() ?? "", /^HTTP\/1\.1 200 /);
  assert.equal(new TextDecoder().decode(await peer.readBytes(15) ?? undefined), '{"status":"ok"}');
  assert.match(await peer.readHead() ?? "", /^HTTP\/1\.1 101 /);
  await assertEchoes(peer, fake);
});

Deno.test("upgrade: after a POST with a body on the same connection", async () => {
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({ backends: [fake.url] });
  using peer = await connectRaw(router.port);
  await peer.write("POST /nope HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello");
  const head = await peer.readHead() ?? "";
  assert.match(head, /^HTTP\/1\.1 404 /);
  await peer.readBytes(Number(/content-length: (\d+)/i.exec(head)?.[1]));
  await peer.write(upgradeRequest({ port: router.port }));
  assert.match(await peer.readHead() ?? "", /^HTTP\/1\.1 101 /);
  await assertEchoes(peer, fake);
});

Deno.test("upgrade: with a body it is a plain request", async () => {
  await using router = await startTestRouter();
  const bodies = [
    { headers: { "content-length": "4" }, body: "abcd" },
    { headers: { "transfer-encoding": "chunked" }, body: "0\r\n\r\n" },
  ];
  for (const { headers, body } of bodies) {
    for (const [method, code] of [["GET", "upgrade_required"], ["POST", "method_not_allowed"]]) {
      using peer = await connectRaw(router.port);
      await peer.write(upgradeRequest({ port: router.port, method: method!, headers }) + body);
      const head = await peer.readHead() ?? "";
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      const json = new TextDecoder().decode(await peer.readBytes(length) ?? undefined);
      assert.equal(JSON.parse(json).error.code, code);
    }
  }
});

Deno.test("upgrade: frames before the 101 cannot hide a message over the limit", async () => {
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({ backends: [fake.url] });
  using peer = await connectRaw(router.port);
  // A header that claims 12 MB, then payload that ends like a head and goes on like small frames.
  const header = encodeFrame({ opcode: OPCODE.binary, claimedLength: 12_000_000n }, {
    masked: true,
  });
  const request = new TextEncoder().encode(upgradeRequest({ port: router.port }));
  const trap = new TextEncoder().encode("xxxx\r\n\r\n");
  const small = encodeFrame({ opcode: OPCODE.binary, payload: "small" }, { masked: true });
  await peer.write(new Uint8Array([...request, ...header, ...trap, ...small]));
  assert.match(await peer.readHead() ?? "", /^HTTP\/1\.1 101 /);
  assert.equal((await peer.readClose())?.code, 1009);
});

Deno.test("upgrade: HTTP/1.0 is refused", async () => {
  await using router = await startTestRouter();
  const request = upgradeRequest({ port: router.port }).replace("HTTP/1.1", "HTTP/1.0");
  const response = await requestRaw(router.port, request);
  assert.equal(response.status, 400);
  assert.equal(JSON.parse(response.body).error.code, "invalid_handshake");
});

Deno.test("HEAD says how long the answer to GET is, and sends none of it", async () => {
  await using router = await startTestRouter();
  const ask = (method: string, path: string) =>
    requestRaw(router.port, `${method} ${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
  for (const path of ["/health", "/unknown"]) {
    const [get, head] = [await ask("GET", path), await ask("HEAD", path)];
    assert.notEqual(get.body, "");
    assert.deepEqual(
      [head.status, head.headers.get("content-length"), head.body],
      [get.status, String(get.body.length), ""],
    );
  }
});

async function assertEchoes(peer: RawPeer, fake: FakeBackend): Promise<void> {
  const backend = await fake.nextSession();
  await peer.sendText("there");
  assert.equal(textOf(await backend.readMessage()), "there");
  await backend.sendText("back");
  assert.equal(textOf(await peer.readMessage()), "back");
}
