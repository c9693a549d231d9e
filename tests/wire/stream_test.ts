import assert from "node:assert/strict";
import { classifyStreamError, DenoStream } from "../../src/wire/stream.ts";

Deno.test.each(
  [
    // TLS without close_notify: a careless peer, not a broken connection.
    [new Deno.errors.UnexpectedEof("tls close_notify missing"), "fin"],
    [new Deno.errors.ConnectionReset("Connection reset by peer"), "rst"],
    [new Deno.errors.ConnectionAborted("aborted"), "rst"],
    [new Deno.errors.BrokenPipe("Broken pipe"), "rst"],
    [new Deno.errors.TimedOut("timed out"), "rst"],
    [new Deno.errors.BadResource("Bad resource ID"), "killed"],
    [new Deno.errors.Interrupted("operation canceled"), "killed"],
    [new Error("anything else"), "rst"],
  ] as const,
)("classifyStreamError() of %s is %s", (error, end) => {
  assert.equal(classifyStreamError(error), end);
});

/** A connection that takes at most `most` bytes at a time, and fails when it has taken `capacity`. */
function slowConn(most: number, capacity = Infinity) {
  const taken: number[] = [];
  const write = (bytes: Uint8Array): Promise<number> => {
    if (taken.length >= capacity) return Promise.reject(new Deno.errors.BrokenPipe());
    const count = Math.min(most, bytes.length, capacity - taken.length);
    taken.push(...bytes.subarray(0, count));
    return Promise.resolve(count);
  };
  return { taken, conn: { write } as unknown as Deno.Conn };
}

Deno.test("DenoStream.write() goes on until all of the bytes are taken, in their order", async () => {
  const { taken, conn } = slowConn(3);
  assert.equal(await new DenoStream(conn).write(Uint8Array.of(1, 2, 3, 4, 5, 6, 7)), true);
  assert.deepEqual(taken, [1, 2, 3, 4, 5, 6, 7]);
});

Deno.test("DenoStream.write() is false, and no rejection, when the peer takes a part only", async () => {
  const { taken, conn } = slowConn(3, 4);
  assert.equal(await new DenoStream(conn).write(Uint8Array.of(1, 2, 3, 4, 5)), false);
  assert.deepEqual(taken, [1, 2, 3, 4]);
});
