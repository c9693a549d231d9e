import assert from "node:assert/strict";
import type { Ending } from "../../src/realtime/mod.ts";
import { Sessions } from "../../src/realtime/sessions.ts";
import { settled } from "../support/settled.ts";
import { SessionFixture } from "./session_fixture.ts";

function facts(id: string) {
  return { id, model: "m", backend: "b", keyId: null, clientAddress: "192.0.2.1", startedAtMs: 0 };
}

Deno.test("Sessions holds what was added until it is disposed of", () => {
  const sessions = new Sessions();
  const { session } = new SessionFixture();
  const one = sessions.add({ facts: facts("one"), session });
  const two = sessions.add({ facts: facts("two"), session });
  assert.equal(sessions.size, 2);
  assert.deepEqual(Array.from(sessions, ({ facts }) => facts.id), ["one", "two"]);
  assert.equal(sessions.get("two")?.session, session);
  one[Symbol.dispose]();
  one[Symbol.dispose]();
  assert.equal(sessions.size, 1);
  assert.equal(sessions.get("one"), undefined);
  two[Symbol.dispose]();
  assert.equal(sessions.size, 0);
});

Deno.test("Sessions.whenEmpty() resolves at once when none runs, else with the last one", async () => {
  const sessions = new Sessions();
  await sessions.whenEmpty();
  const { session } = new SessionFixture();
  const one = sessions.add({ facts: facts("one"), session });
  const two = sessions.add({ facts: facts("two"), session });
  let waiters = 0;
  void sessions.whenEmpty().then(() => waiters++);
  void sessions.whenEmpty().then(() => waiters++);
  one[Symbol.dispose]();
  await settled();
  assert.equal(waiters, 0);
  two[Symbol.dispose]();
  await settled();
  assert.equal(waiters, 2);
  using _three = sessions.add({ facts: facts("three"), session });
  void sessions.whenEmpty().then(() => waiters++);
  await settled();
  assert.equal(waiters, 2);
});

Deno.test("Sessions.endAll() ends every session", async () => {
  const sessions = new Sessions();
  const fixtures = [new SessionFixture(), new SessionFixture()];
  const ending: Ending = { kind: "operator" };
  for (const [index, fixture] of fixtures.entries()) {
    sessions.add({ facts: facts(`s${index}`), session: fixture.session });
    await fixture.openBoth();
  }
  sessions.endAll(ending);
  for (const fixture of fixtures) {
    await fixture.closeBoth();
    assert.equal((await fixture.report).ending, ending);
  }
});
