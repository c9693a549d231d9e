import assert from "node:assert/strict";
import fc from "fast-check";
import { encodeLatin1, MAX_HEAD_BYTES } from "../../src/wire/request_head.ts";
import {
  readResponseHead,
  type ResponseFault,
  type ResponseHead,
  singleHeader,
} from "../../src/wire/response_head.ts";
import { memoryPair } from "../support/memory_stream.ts";

/** Reads the head of an answer that comes in pieces, cut at the given places, before the server's FIN. */
async function read(
  text: string,
  cuts: readonly number[] = [],
): Promise<ResponseHead | ResponseFault> {
  const [ours, server] = memoryPair();
  const bytes = encodeLatin1(text);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
  let at = 0;
  for (const end of ends.toSorted((a, b) => a - b)) {
    await server.write(bytes.subarray(at, end));
    at = end;
  }
  await server.closeWrite();
  return await readResponseHead(ours);
}

async function accepted(text: string, cuts: readonly number[] = []): Promise<ResponseHead> {
  const head = await read(text, cuts);
  assert.ok(!("fault" in head), "fault" in head ? head.fault : "");
  return head;
}

async function fault(text: string): Promise<string> {
  const head = await read(text);
  assert.ok("fault" in head, "it was accepted");
  return head.fault;
}

const ANSWER = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nX-Y:  z \r\n\r\n";

Deno.test("readResponseHead() reads a head, names in lower case, and keeps every byte", async () => {
  const head = await accepted(`${ANSWER}rest`);
  assert.equal(head.status, 101);
  assert.deepEqual(head.headers, [["upgrade", "websocket"], ["x-y", "z"]]);
  assert.equal(head.headBytes, ANSWER.length);
  assert.deepEqual([...head.bytes], [...encodeLatin1(`${ANSWER}rest`)]);
});

Deno.test("readResponseHead() reads the same in whatever pieces the answer comes", async () => {
  const interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("HTTP/1.1 100 Continue\r\n\r\n", interim), { maxLength: 3 }),
      fc.string({ maxLength: 40 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, "")),
      fc.array(fc.nat(), { maxLength: 20 }),
      async (interims, rest, cuts) => {
        const head = await accepted(interims.join("") + ANSWER + rest, cuts);
        assert.equal(head.status, 101);
        assert.equal(head.headBytes, ANSWER.length);
        const text = new TextDecoder().decode(head.bytes);
        assert.ok((ANSWER + rest).startsWith(text) && text.startsWith(ANSWER));
      },
    ),
  );
});

Deno.test.each(
  [
    ["HTTP/1.1 200 OK\r\n\r\n", 200],
    ["HTTP/1.0 404 Not Found\r\n\r\n", 404],
    ["HTTP/1.1 503\r\n\r\n", 503],
    ["HTTP/1.1 503 \r\n\r\n", 503],
    ["HTTP/1.1 301 Wéiterleitung\r\n\r\n", 301],
    ["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", 200],
    ["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 101 x\r\n\r\n", 101],
  ] as const,
)("readResponseHead() of %j has the status %d", async (text, status) => {
  assert.equal((await accepted(text)).status, status);
});

Deno.test.each(
  [
    ["SSH-2.0-OpenSSH\r\n\r\n"],
    ["HTTP/2 200\r\n\r\n"],
    ["HTTP/1.1 099 x\r\n\r\n"],
    ["HTTP/1.1 20 x\r\n\r\n"],
    ["HTTP/1.1 2000 x\r\n\r\n"],
    ["HTTP/1.1  200 x\r\n\r\n"],
    ["http/1.1 200 x\r\n\r\n"],
    ["\r\n\r\n"],
    ["HTTP/1.1 200 x\nA: b\r\n\r\n"],
  ] as const,
)("readResponseHead() of %j is no answer", async (text) => {
  assert.equal(await fault(text), "not an HTTP/1.x answer");
});

Deno.test.each(
  [
    ["a bare line feed", "A: b\nC: d"],
    ["a bare carriage return", "A: b\rC: d"],
    ["a folded line", "A: b\r\n c"],
    ["a space before the colon", "A : b"],
    ["a zero byte", "A: \0"],
    ["no colon", "A"],
  ] as const,
)("readResponseHead() refuses %s", async (_what, lines) => {
  assert.equal(
    await fault(`HTTP/1.1 101 x\r\n${lines}\r\n\r\n`),
    "malformed header line in the answer",
  );
});

Deno.test("readResponseHead() refuses a head of more than 16 KiB and reads no more of it", async () => {
  const [ours, server] = memoryPair();
  await server.write(encodeLatin1(`HTTP/1.1 200 x\r\nA: ${"b".repeat(2 * MAX_HEAD_BYTES)}`));
  assert.deepEqual(await readResponseHead(ours), { fault: "response head is too large" });
  assert.ok(ours.waitingBytes > 0);
});

Deno.test("readResponseHead() takes a head of exactly 16 KiB", async () => {
  const start = "HTTP/1.1 200 x\r\nA: ";
  const text = `${start}${"b".repeat(MAX_HEAD_BYTES - start.length - 4)}\r\n\r\n`;
  assert.equal((await accepted(text)).headBytes, MAX_HEAD_BYTES);
});

Deno.test("readResponseHead() bounds many interim answers one by one", async () => {
  const head = await accepted("HTTP/1.1 100 Continue\r\n\r\n".repeat(2000) + ANSWER);
  assert.equal(head.status, 101);
});

Deno.test("readResponseHead() says how a connection ended before its answer", async () => {
  assert.match(await fault("HTTP/1.1 200 OK\r\n"), /\(fin\)/);
  const [ours, server] = memoryPair();
  const head = readResponseHead(ours);
  server.reset();
  assert.deepEqual(await head, { fault: "connection ended (rst) before an answer" });
});

Deno.test("singleHeader() tells none, one and several apart", async () => {
  const head = await accepted("HTTP/1.1 200 x\r\nA: 1\r\nB: 2\r\na: 3\r\n\r\n");
  assert.equal(singleHeader(head, "c"), undefined);
  assert.equal(singleHeader(head, "b"), "2");
  assert.equal(singleHeader(head, "a"), null);
});
