import assert from "node:assert/strict";
import { AdminApi, AdminError } from "../../src/console/page/data/admin_api.ts";

/** An API whose requests are written down and answered alike. */
function setUp(answer: () => Response) {
  const requests: { readonly path: string; readonly init: RequestInit | undefined }[] = [];
  const api = new AdminApi((input, init) => {
    requests.push({ path: String(input), init });
    return Promise.resolve(answer());
  });
  return { api, requests };
}

const SIGNAL = new AbortController().signal;

Deno.test("AdminApi sends the credential in a header, and lets the browser send and keep none", async () => {
  const { api, requests } = setUp(() => Response.json({ backends: [] }));
  await api.backends(SIGNAL);
  api.credential = { scheme: "bearer_token", secret: "t" };
  await api.backends(SIGNAL);
  assert.deepEqual(requests.map(({ init }) => init?.headers), [{}, { authorization: "Bearer t" }]);
  for (const { init } of requests) {
    assert.deepEqual([init?.credentials, init?.cache], ["omit", "no-store"]);
  }
});

Deno.test("AdminApi ends a session by its id, and does not mind that it has ended", async () => {
  const refused = { error: { code: "not_found", message: "No such session is running" } };
  const { api, requests } = setUp(() => Response.json(refused, { status: 404 }));
  await api.endSession("a/b");
  assert.deepEqual([requests[0]?.path, requests[0]?.init?.method], [
    "/admin/sessions/a%2Fb",
    "DELETE",
  ]);
  await assert.rejects(api.resetCircuit("b c"), { name: "AdminError", status: 404 });
  assert.equal(requests[1]?.path, "/admin/backends/b%20c/circuit/reset");
});

Deno.test("AdminApi tells a refusal with its code, and one without a body by its status", async () => {
  const error = { code: "invalid_api_key", message: "Admin routes need the credential" };
  const headers = { "www-authenticate": 'ApiKey realm="admin"' };
  const { api } = setUp(() => Response.json({ error }, { status: 401, headers }));
  await assert.rejects(api.statistics(SIGNAL), (thrown) => {
    assert.ok(thrown instanceof AdminError);
    const { status, code, message, scheme } = thrown;
    assert.deepEqual([status, { code, message }, scheme], [401, error, "api_key"]);
    return true;
  });
  const other = setUp(() => new Response("<html>", { status: 502 }));
  await assert.rejects(other.api.sessions(SIGNAL), {
    status: 502,
    code: "",
    message: "The router answered 502",
  });
});
