/** {@link EdgeConnection.endAfterAnswers} while something is under way. */

import assert from "node:assert/strict";
import { EdgeFixture, head, UPGRADE } from "../support/edge_fixture.ts";
import { fakeTimers } from "../support/fake_timers.ts";
import { settled } from "../support/settled.ts";

const GET = head("GET /a HTTP/1.1");
const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/** The server answers the one request, and the client has that answer and then the end. */
async function endsAnswered(fixture: EdgeFixture, ending: Promise<void>): Promise<void> {
  await fixture.answers(0, OK);
  fixture.connection.requestCompleted();
  await settled();
  await fixture.server(0).closeWrite();
  await ending;
  assert.equal(fixture.clientGot(), OK);
  assert.equal(fixture.client.otherEnd, "fin");
}

Deno.test("EdgeConnection.endAfterAnswers() waits for a request that was read and is yet to be handed on", async () => {
  using _timers = fakeTimers();
  const free = Promise.withResolvers<void>();
  const fixture = new EdgeFixture({
    connectNear: async (connect) => {
      await free.promise;
      return await connect();
    },
  });
  await fixture.sends(GET);
  const ending = fixture.connection.endAfterAnswers();
  await settled();
  assert.equal(fixture.client.otherEnd, undefined);
  free.resolve();
  await settled();
  assert.equal(fixture.serverGot(0), GET);
  await endsAnswered(fixture, ending);
  await fixture.client.closeWrite();
  await fixture.over;
});

Deno.test("EdgeConnection.endAfterAnswers() ends with a request that can never be handed on", async () => {
  const failed = Promise.withResolvers<never>();
  const fixture = new EdgeFixture({ connectNear: () => failed.promise });
  await fixture.sends(GET);
  const ending = fixture.connection.endAfterAnswers();
  failed.reject(new Error("no server"));
  await Promise.all([ending, fixture.over]);
});

Deno.test("EdgeConnection begins no session behind an answer that ends the connection", async () => {
  using _timers = fakeTimers();
  const fixture = new EdgeFixture();
  await fixture.sends(GET + UPGRADE);
  assert.equal(fixture.serverGot(0), GET);
  // As the application does with a refusal.
  const ending = fixture.connection.endAfterAnswers();
  await endsAnswered(fixture, ending);
  assert.equal(fixture.servers.length, 1);
  assert.throws(() => fixture.connection.leg, TypeError);
  await fixture.client.closeWrite();
  await fixture.over;
});
