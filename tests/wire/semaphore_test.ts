import assert from "node:assert/strict";
import { Semaphore } from "../../src/wire/semaphore.ts";
import { settled } from "../support/settled.ts";

Deno.test("Semaphore.acquire() gives at most its permits, then one for each that comes back, in order", async () => {
  const semaphore = new Semaphore(2);
  const order: number[] = [];
  const permits: Disposable[] = [];
  for (let index = 0; index < 5; index++) {
    void semaphore.acquire().then((permit) => {
      order.push(index);
      permits.push(permit);
    });
  }
  await settled();
  assert.deepEqual(order, [0, 1]);
  permits[1]?.[Symbol.dispose]();
  await settled();
  assert.deepEqual(order, [0, 1, 2]);
  permits[0]?.[Symbol.dispose]();
  permits[2]?.[Symbol.dispose]();
  await settled();
  assert.deepEqual(order, [0, 1, 2, 3, 4]);
});

Deno.test("Semaphore permits come back once, however often they are disposed of", async () => {
  const semaphore = new Semaphore(1);
  const permit = await semaphore.acquire();
  permit[Symbol.dispose]();
  permit[Symbol.dispose]();
  using _held = await semaphore.acquire();
  let second = false;
  void semaphore.acquire().then(() => second = true);
  await settled();
  assert.equal(second, false);
});

Deno.test("Semaphore does not let a newcomer pass a waiter", async () => {
  const semaphore = new Semaphore(1);
  const held = await semaphore.acquire();
  const order: string[] = [];
  void semaphore.acquire().then(() => order.push("waiter"));
  held[Symbol.dispose]();
  void semaphore.acquire().then(() => order.push("newcomer"));
  await settled();
  assert.deepEqual(order, ["waiter"]);
});
