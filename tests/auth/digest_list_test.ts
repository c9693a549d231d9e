import assert from "node:assert/strict";
import { digestFromHex, DigestList, sha256 } from "../../src/auth/digest_list.ts";

Deno.test("sha256() digests UTF-8", () => {
  const hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  assert.equal(sha256("abc").toHex(), hex);
  assert.deepEqual(digestFromHex(hex.toUpperCase())?.toHex(), hex);
});

Deno.test.each([[""], ["ab"], ["z".repeat(64)], ["a".repeat(63)], ["a".repeat(65)]])(
  "digestFromHex() refuses %j",
  (hex) => {
    assert.equal(digestFromHex(hex), null);
  },
);

Deno.test("DigestList.indexOf() finds each digest at its place", () => {
  const digests = Array.from({ length: 100 }, (_, index) => sha256(`key ${index}`));
  const list = new DigestList(digests);
  for (const [index, digest] of digests.entries()) assert.equal(list.indexOf(digest), index);
  assert.equal(list.indexOf(sha256("other")), -1);
  assert.equal(new DigestList([]).indexOf(sha256("other")), -1);
});

Deno.test("DigestList.indexOf() compares every byte", () => {
  const digest = sha256("key");
  const list = new DigestList([digest]);
  for (let index = 0; index < 32; index++) {
    const changed = Uint8Array.from(digest);
    changed[index] = (changed[index] ?? 0) ^ 0x80;
    assert.equal(list.indexOf(changed), -1);
  }
});

Deno.test("DigestList.indexOf() reads digests at any offset of a buffer", () => {
  const digest = sha256("key");
  const shifted = new Uint8Array(40);
  shifted.set(digest, 3);
  assert.equal(new DigestList([digest]).indexOf(shifted.subarray(3, 35)), 0);
});

Deno.test("DigestList refuses digests of another length", () => {
  assert.throws(() => new DigestList([new Uint8Array(31)]), RangeError);
  assert.throws(() => new DigestList([]).indexOf(new Uint8Array(33)), RangeError);
});
