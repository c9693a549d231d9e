import assert from "node:assert/strict";
import { type Delivery, EventBus, type Subscription } from "../../src/admin/event_bus.ts";
import { settled } from "../support/settled.ts";

function setUp(options: { readonly queueLimit?: number; readonly maxSubscribers?: number } = {}) {
  return new EventBus<number>({ queueLimit: 3, maxSubscribers: 2, ...options });
}

function subscribe(bus: EventBus<number>): Subscription<number> {
  const subscription = bus.subscribe();
  assert.ok(subscription !== null);
  return subscription;
}

function takeAll(subscription: Subscription<number>): readonly (number | string)[] {
  const taken: (number | string)[] = [];
  for (;;) {
    const delivery: Delivery<number> | undefined = subscription.take();
    if (delivery === undefined) return taken;
    taken.push(delivery.kind === "event" ? delivery.event : `dropped ${delivery.count}`);
  }
}

Deno.test("EventBus hands events to everybody who listens, in order, from then on", () => {
  const bus = setUp();
  bus.publish(0);
  const early = subscribe(bus);
  bus.publish(1);
  const late = subscribe(bus);
  bus.publish(2);
  assert.deepEqual(takeAll(early), [1, 2]);
  assert.deepEqual(takeAll(late), [2]);
  assert.deepEqual(takeAll(late), []);
});

Deno.test("EventBus drops the oldest events of who does not keep up, and says how many", () => {
  const bus = setUp({ queueLimit: 3 });
  const slow = subscribe(bus);
  const quick = subscribe(bus);
  for (let event = 1; event <= 3; event++) bus.publish(event);
  assert.deepEqual(takeAll(quick), [1, 2, 3]);
  for (let event = 4; event <= 6; event++) bus.publish(event);
  assert.deepEqual(takeAll(quick), [4, 5, 6]);
  assert.deepEqual(takeAll(slow), ["dropped 3", 4, 5, 6]);
  bus.publish(7);
  assert.deepEqual(takeAll(slow), [7]);
});

Deno.test("EventBus counts losses between two deliveries anew", () => {
  const bus = setUp({ queueLimit: 1 });
  const slow = subscribe(bus);
  bus.publish(1);
  bus.publish(2);
  assert.deepEqual(slow.take(), { kind: "dropped", count: 1 });
  bus.publish(3);
  bus.publish(4);
  assert.deepEqual(takeAll(slow), ["dropped 2", 4]);
});

Deno.test("EventBus allows so many subscribers, and another when one leaves", () => {
  const bus = setUp({ maxSubscribers: 2 });
  const first = subscribe(bus);
  subscribe(bus);
  assert.equal(bus.subscribe(), null);
  assert.equal(bus.subscriberCount, 2);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  assert.equal(bus.subscriberCount, 1);
  subscribe(bus);
  assert.equal(bus.subscribe(), null);
});

Deno.test("EventBus that is closed has ended every subscription and gives none", async () => {
  const bus = setUp();
  const subscription = subscribe(bus);
  bus.publish(1);
  bus.close();
  bus.close();
  assert.equal(subscription.ended, true);
  assert.deepEqual(takeAll(subscription), []);
  await subscription.ready();
  assert.equal(bus.subscribe(), null);
  assert.equal(bus.subscriberCount, 0);
  bus.publish(2);
  assert.deepEqual(takeAll(subscription), []);
});

Deno.test.each(
  [
    ["an event", (bus: EventBus<number>) => bus.publish(1)],
    ["the end of the bus", (bus: EventBus<number>) => bus.close()],
    [
      "its own end",
      (_: EventBus<number>, own: Subscription<number>) => own[Symbol.dispose](),
    ],
  ] as const,
)("Subscription.ready() waits for %s", async (_name, happen) => {
  const bus = setUp();
  const subscription = subscribe(bus);
  let ready = false;
  const waiting = subscription.ready().then(() => ready = true);
  await settled();
  assert.equal(ready, false);
  happen(bus, subscription);
  await waiting;
  assert.equal(ready, true);
});

Deno.test("Subscription.ready() resolves at once while something waits", async () => {
  const bus = setUp();
  const subscription = subscribe(bus);
  bus.publish(1);
  await subscription.ready();
  await subscription.ready();
  assert.deepEqual(takeAll(subscription), [1]);
});
