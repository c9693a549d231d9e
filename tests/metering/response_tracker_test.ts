import assert from "node:assert/strict";
import { MAX_TRACKED_RESPONSES, ResponseTracker } from "../../src/metering/response_tracker.ts";

function trackerOf(count: number): ResponseTracker {
  const tracker = new ResponseTracker();
  for (let index = 0; index < count; index++) tracker.created(`r${index}`, index);
  return tracker;
}

Deno.test.each(
  [
    [0, 0, 0],
    [0, 250, 250],
    [10, 10.49, 0],
    [10, 10.5, 1],
    [10.7, 250.1, 239],
    [250, 10, 0],
  ] as const,
)("ResponseTracker: created at %d, done at %d takes %d ms", (createdMs, doneMs, expected) => {
  const tracker = new ResponseTracker();
  tracker.created("r", createdMs);
  assert.equal(tracker.size, 1);
  assert.equal(tracker.done("r", doneMs), expected);
  assert.equal(tracker.size, 0);
});

Deno.test("ResponseTracker.done() of an id that was never created is 0", () => {
  const tracker = trackerOf(2);
  assert.equal(tracker.done("r9", 1000), 0);
  assert.equal(tracker.size, 2);
});

Deno.test("ResponseTracker.done() stops a clock only once", () => {
  const tracker = trackerOf(1);
  assert.equal(tracker.done("r0", 100), 100);
  assert.equal(tracker.done("r0", 200), 0);
});

Deno.test("ResponseTracker tells responses that overlap apart", () => {
  const tracker = new ResponseTracker();
  tracker.created("a", 0);
  tracker.created("b", 30);
  assert.equal(tracker.done("a", 100), 100);
  assert.equal(tracker.done("b", 100), 70);
});

Deno.test("ResponseTracker.created() keeps the clock of a response that is created twice", () => {
  const tracker = new ResponseTracker();
  tracker.created("a", 10);
  tracker.created("a", 60);
  assert.equal(tracker.size, 1);
  assert.equal(tracker.done("a", 110), 100);
});

Deno.test("ResponseTracker.created() starts anew once the response is done", () => {
  const tracker = new ResponseTracker();
  tracker.created("a", 10);
  tracker.done("a", 20);
  tracker.created("a", 60);
  assert.equal(tracker.done("a", 110), 50);
});

Deno.test("ResponseTracker holds sixteen, and one more drops the oldest alone", () => {
  assert.equal(MAX_TRACKED_RESPONSES, 16);
  const tracker = trackerOf(17);
  assert.equal(tracker.size, 16);
  assert.equal(tracker.done("r0", 1000), 0);
  assert.equal(tracker.size, 16);
  for (let index = 1; index < 17; index++) {
    assert.equal(tracker.done(`r${index}`, 1000), 1000 - index);
  }
  assert.equal(tracker.size, 0);
});

Deno.test("ResponseTracker drops nothing for one of the sixteen that is created twice", () => {
  const tracker = trackerOf(16);
  tracker.created("r15", 500);
  assert.equal(tracker.size, 16);
  assert.equal(tracker.done("r0", 1000), 1000);
});

Deno.test("ResponseTracker makes room when a response is done", () => {
  const tracker = trackerOf(16);
  tracker.done("r7", 100);
  tracker.created("r16", 100);
  assert.equal(tracker.done("r0", 1000), 1000);
});

Deno.test.each([[undefined], [null], [7], [true], [{}], [["r"]]])(
  "ResponseTracker does not track the id %j",
  (id) => {
    const tracker = new ResponseTracker();
    tracker.created(id, 0);
    assert.equal(tracker.size, 0);
    assert.equal(tracker.done(id, 100), 0);
  },
);

Deno.test.each(["", "__proto__", "constructor", "한국어"])(
  "ResponseTracker tracks the id %j",
  (id) => {
    const tracker = new ResponseTracker();
    tracker.created(id, 0);
    assert.equal(tracker.done(id, 100), 100);
  },
);

Deno.test.each([256, 257, 200_000])("ResponseTracker tracks an id of %d characters", (length) => {
  const tracker = new ResponseTracker();
  tracker.created("x".repeat(length), 0);
  assert.equal(tracker.done("x".repeat(length), 100), 100);
});

Deno.test("ResponseTracker tells long ids apart by their last character", () => {
  const long = "x".repeat(100_000);
  const ids = [`${long}a`, `${long}b`, `${long}\ud800`, `${long}\ud801`];
  const tracker = new ResponseTracker();
  for (const [index, id] of ids.entries()) tracker.created(id, index);
  assert.equal(tracker.size, ids.length);
  for (const [index, id] of ids.entries()) assert.equal(tracker.done(id, 100), 100 - index);
});
