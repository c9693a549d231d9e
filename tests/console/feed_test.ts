import assert from "node:assert/strict";
import { AdminApi } from "../../src/console/page/data/admin_api.ts";
import type { ConsoleAction } from "../../src/console/page/data/console_state.ts";
import { actionOf, runFeed } from "../../src/console/page/data/feed.ts";
import { ended, facts, record, running, statistics } from "./state_fixture.ts";

type Answer = () => Response;

const LISTS: Readonly<Record<string, Answer>> = {
  "/admin/stats": () => Response.json(statistics(5)),
  "/admin/backends": () => Response.json({ backends: [] }),
  "/admin/sessions": () => Response.json({ sessions: [running("a")] }),
  "/admin/usage?limit=100": () => Response.json({ records: [record("1")] }),
};

function refusal(status: number, code: string, headers: Record<string, string> = {}): Answer {
  return () => Response.json({ error: { code, message: `${code}.` } }, { status, headers });
}

/** Runs a feed until it is over or would try again. */
async function runOnce(
  answers: Readonly<Record<string, Answer>>,
  options: { readonly credential?: AdminApi["credential"] } = {},
): Promise<readonly ConsoleAction[]> {
  const api = new AdminApi((input) => {
    const answer = answers[String(input)];
    return answer === undefined
      ? Promise.reject(new TypeError("Failed to fetch"))
      : Promise.resolve(answer());
  });
  api.credential = options.credential ?? null;
  const actions: ConsoleAction[] = [];
  const end = new AbortController();
  await runFeed({
    api,
    dispatch: (action) => {
      actions.push(action);
      if (action.kind === "link" && action.link.kind === "waiting") end.abort();
    },
    isVisible: () => true,
  }, end.signal);
  return actions;
}

const links = (actions: readonly ConsoleAction[]) =>
  actions.flatMap((action) => action.kind === "link" ? [action.link] : []);

Deno.test("runFeed() asks for the lists first, then tells what has happened since", async () => {
  const stream = ": connected\n\nevent: session_started\ndata: " + JSON.stringify(facts("b")) +
    "\n\nevent: session_ended\ndata: " + JSON.stringify(ended("a")) + "\n\n";
  const actions = await runOnce({ ...LISTS, "/admin/events": () => new Response(stream) });
  assert.deepEqual(actions.map(({ kind }) => kind), [
    "link",
    "records",
    "statistics",
    "backends",
    "sessions",
    "link",
    "started",
    "ended",
    "link",
  ]);
  assert.deepEqual(links(actions).map(({ kind }) => kind), ["connecting", "live", "waiting"]);
});

Deno.test("runFeed() ends where a credential is asked for, and says whether one was wrong", async () => {
  const answers = {
    "/admin/events": refusal(401, "missing_api_key", { "www-authenticate": 'Basic realm="x"' }),
  };
  const locked = (rejected: boolean) => ({ kind: "locked", scheme: "basic", rejected });
  assert.deepEqual(links(await runOnce(answers)).at(-1), locked(false));
  const credential = { scheme: "basic", username: "u", secret: "s" } as const;
  assert.deepEqual(links(await runOnce(answers, { credential })).at(-1), locked(true));
});

Deno.test("runFeed() ends where the page is forbidden, with the router's words", async () => {
  const actions = await runOnce({ "/admin/events": refusal(403, "admin_not_allowed") });
  assert.deepEqual(links(actions).at(-1), {
    kind: "forbidden",
    code: "admin_not_allowed",
    message: "admin_not_allowed.",
  });
});

Deno.test("runFeed() waits to try again after any other failure", async () => {
  const stream = () => new Response("event: session_started\ndata: no JSON\n\n");
  const cases: readonly (readonly [Readonly<Record<string, Answer>>, string])[] = [
    [{}, ""],
    [{ "/admin/events": refusal(503, "connection_limit_reached") }, "connection_limit_reached."],
    [{ ...LISTS, "/admin/events": stream }, ""],
    [
      { "/admin/events": stream, "/admin/usage?limit=100": refusal(500, "internal_error") },
      "internal_error.",
    ],
  ];
  for (const [answers, reason] of cases) {
    assert.deepEqual(links(await runOnce(answers)).at(-1), { kind: "waiting", reason });
  }
});

Deno.test("runFeed() is over as soon as it is aborted, and tells nothing more", async () => {
  const end = new AbortController();
  const told: ConsoleAction[] = [];
  const api = new AdminApi((_input, init) => {
    const { promise, reject } = Promise.withResolvers<Response>();
    init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    queueMicrotask(() => end.abort());
    return promise;
  });
  const dispatch = (action: ConsoleAction) => void told.push(action);
  await runFeed({ api, dispatch, isVisible: () => true }, end.signal);
  assert.deepEqual(links(told), [{ kind: "connecting" }]);
});

Deno.test("actionOf() knows the events of the router, and passes others over", () => {
  const data = (value: unknown) => JSON.stringify(value);
  assert.deepEqual(actionOf({ name: "session_started", data: data(facts("a")) }, 7), {
    kind: "started",
    session: facts("a"),
    atMs: 7,
  });
  assert.deepEqual(actionOf({ name: "session_ended", data: data(ended("a")) }, 7), {
    kind: "ended",
    session: ended("a"),
  });
  assert.deepEqual(actionOf({ name: "usage_record", data: data(record("1")) }, 7), {
    kind: "record",
    record: record("1"),
  });
  assert.deepEqual(actionOf({ name: "dropped", data: data({ count: 3 }) }, 7), {
    kind: "dropped",
    count: 3,
  });
  assert.equal(actionOf({ name: "message", data: "{}" }, 7), null);
});
