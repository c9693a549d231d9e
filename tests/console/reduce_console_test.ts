import assert from "node:assert/strict";
import {
  type ConsoleAction,
  type ConsoleState,
  INITIAL_STATE,
} from "../../src/console/page/data/console_state.ts";
import {
  MAX_ENDED,
  MAX_RECORDS,
  MAX_SESSIONS,
  reduceConsole,
} from "../../src/console/page/data/reduce_console.ts";
import { ended, facts, record, running, statistics } from "./state_fixture.ts";

const after = (...actions: ConsoleAction[]) => reduceConsole(INITIAL_STATE, actions);
const started = (id: string, atMs = 0): ConsoleAction => ({
  kind: "started",
  session: facts(id),
  atMs,
});
const gone = (id: string): ConsoleAction => ({ kind: "ended", session: ended(id) });
const list = (ids: readonly string[], askedMs: number): ConsoleAction => ({
  kind: "sessions",
  sessions: ids.map((id) => running(id, 5)),
  askedMs,
  atMs: askedMs + 10,
});
const ids = ({ sessions }: ConsoleState) => [...sessions.keys()];

Deno.test("reduceConsole() lists a session from its start to its end", () => {
  const begun = after(started("a"), started("b"));
  assert.deepEqual(ids(begun), ["a", "b"]);
  const over = reduceConsole(begun, [gone("a")]);
  assert.deepEqual([ids(over), over.ended.map(({ id }) => id)], [["b"], ["a"]]);
  assert.deepEqual(ids(begun), ["a", "b"], "the state before stays as it was");
});

Deno.test("reduceConsole() shows the sessions that ended last first, across batches", () => {
  const state = reduceConsole(after(gone("a"), gone("b")), [gone("c")]);
  assert.deepEqual(state.ended.map(({ id }) => id), ["c", "b", "a"]);
});

Deno.test("reduceConsole() takes the counts of a list, and keeps when a session began", () => {
  const state = after(started("a", 1_000), list(["a"], 9_000));
  const session = state.sessions.get("a");
  assert.deepEqual([session?.backend_bytes, session?.state, session?.startedMs], [
    4,
    "open",
    1_000,
  ]);
});

Deno.test("reduceConsole() reckons from its age when a listed session began", () => {
  assert.equal(after(list(["a"], 9_000)).sessions.get("a")?.startedMs, 9_010 - 5_000);
});

Deno.test("reduceConsole() brings no session back that ended while the list was on its way", () => {
  assert.deepEqual(ids(after(gone("a"), list(["a"], 0))), []);
  assert.deepEqual(ids(after(gone("a"), started("a"))), [], "nor by an event out of order");
});

Deno.test("reduceConsole() drops what a list has not, unless it began after the question", () => {
  const state = after(started("old", 100), started("new", 900), list([], 500));
  assert.deepEqual(ids(state), ["new"]);
});

Deno.test("reduceConsole() marks a session that an operator ends, if it still runs", () => {
  const state = after(started("a"), { kind: "closing", id: "a" }, { kind: "closing", id: "b" });
  assert.deepEqual([...state.sessions.values()].map(({ state }) => state), ["closing"]);
});

Deno.test("reduceConsole() shows each record once, the newest first", () => {
  const state = after(
    { kind: "records", records: [record("2"), record("1")] },
    { kind: "record", record: record("2") },
    { kind: "record", record: record("3") },
  );
  const next = reduceConsole(state, [{ kind: "record", record: record("4") }]);
  assert.deepEqual(next.records.map(({ record_id }) => record_id), ["4", "3", "2", "1"]);
});

Deno.test("reduceConsole() leaves the lists that nothing comes to as they are", () => {
  const state = after(gone("a"), { kind: "record", record: record("1") });
  const next = reduceConsole(state, [started("b"), { kind: "record", record: record("1") }]);
  assert.equal(next.ended, state.ended);
  assert.equal(next.records, state.records);
});

Deno.test("reduceConsole() counts what was dropped and makes a sample of two statistics", () => {
  const state = after(
    { kind: "dropped", count: 2 },
    { kind: "dropped", count: 3 },
    { kind: "statistics", statistics: statistics(10), atMs: 1_000 },
    { kind: "statistics", statistics: statistics(12, { output: 10 }), atMs: 3_000 },
  );
  assert.deepEqual([state.dropped, state.samples.map(({ outputRate }) => outputRate)], [5, [5]]);
});

Deno.test("reduceConsole() forgets everything but how it stands with the router", () => {
  const link = { kind: "locked", scheme: "basic", rejected: false } as const;
  const state = after(
    started("a"),
    gone("b"),
    { kind: "record", record: record("1") },
    { kind: "statistics", statistics: statistics(10), atMs: 1_000 },
    { kind: "link", link },
    { kind: "forget" },
  );
  assert.deepEqual(state, { ...INITIAL_STATE, link });
});

Deno.test("reduceConsole() forgets what earlier batches brought, too", () => {
  const before = after(started("a"), gone("b"), { kind: "record", record: record("1") });
  assert.deepEqual(reduceConsole(before, [{ kind: "forget" }]), INITIAL_STATE);
});

Deno.test("reduceConsole() keeps every list within its bounds", () => {
  const many = Array.from({ length: 3_000 }, (_, index) => `${index}`);
  const state = after(
    ...many.map((id) => started(id)),
    ...many.map((id) => gone(`g${id}`)),
    ...many.map((id): ConsoleAction => ({ kind: "record", record: record(id) })),
  );
  const sizes = [state.sessions.size, state.ended.length, state.records.length];
  assert.deepEqual(sizes, [MAX_SESSIONS, MAX_ENDED, MAX_RECORDS]);
  assert.ok(state.endedIds.size <= 2_000);
  assert.equal(ids(state).at(-1), "2999", "the newest stay");
  assert.equal(state.records[0]?.record_id, "2999");
});
