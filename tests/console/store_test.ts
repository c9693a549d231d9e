import assert from "node:assert/strict";
import { Store } from "../../src/console/page/data/store.ts";

function setUp() {
  const timers: { ms: number; callback: () => void }[] = [];
  const batches: (readonly number[])[] = [];
  const store = new Store<number, number>(0, (sum, actions) => {
    batches.push(actions);
    return actions.reduce((total, action) => total + action, sum);
  }, { after: (ms, callback) => timers.push({ ms, callback }) });
  let looks = 0;
  const unsubscribe = store.subscribe(() => looks++);
  return { store, timers, batches, unsubscribe, looks: () => looks };
}

Deno.test("Store applies what comes within its time as one batch, in order", () => {
  const { store, timers, batches, looks } = setUp();
  store.dispatch(1);
  store.dispatch(2);
  assert.deepEqual([store.state, looks(), timers.map(({ ms }) => ms)], [0, 0, [250]]);
  timers[0]?.callback();
  assert.deepEqual([store.state, looks(), batches], [3, 1, [[1, 2]]]);
  store.dispatch(4);
  assert.equal(timers.length, 2);
});

Deno.test("Store applies a batch that is too long before its time", () => {
  const { store, timers, looks } = setUp();
  for (let i = 0; i < 1_000; i++) store.dispatch(1);
  assert.deepEqual([store.state, looks()], [1_000, 1]);
  timers[0]?.callback();
  assert.equal(looks(), 1, "nothing is left for the timer");
});

Deno.test("Store tells nobody who has gone", () => {
  const { store, unsubscribe, looks } = setUp();
  unsubscribe();
  store.dispatch(1);
  store.flush();
  assert.deepEqual([store.state, looks()], [1, 0]);
});
