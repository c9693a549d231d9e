/** Who sees the console's data: credentials, and what happens to them in a browser. */

import assert from "node:assert/strict";
import { browserTest, openConsole } from "./console_fixture.ts";

const SECRET = "correct-horse";

const METHODS = [
  { auth: `{ method: bearer_token, token: "${SECRET}" }`, label: "Token" },
  { auth: `{ method: api_key, api_key: "${SECRET}" }`, label: "API key" },
  {
    auth: `{ method: basic, username: operator, password: "${SECRET}" }`,
    label: "Password",
    username: "operator",
  },
];

for (const { auth, label, username } of METHODS) {
  browserTest(`console: ${label} is asked for, kept in memory only, and forgotten`, async () => {
    await using fixture = await openConsole({ yaml: `admin: { auth: ${auth} }` });
    const page = await fixture.open();
    const signIn = async (secret: string) => {
      if (username !== undefined) await page.getByLabel("User name").fill(username);
      await page.getByLabel(label).fill(secret);
      await page.getByRole("button", { name: "Sign in" }).click();
    };
    await signIn("wrong");
    await page.getByText("did not accept this credential").waitFor();
    await signIn("비밀");
    if (username === undefined) await page.getByText("a browser cannot send").waitFor();
    await signIn(SECRET);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByText("No session is running.").waitFor();
    assert.deepEqual(await fixture.context.storageState(), { cookies: [], origins: [] });
    assert.ok(!(await page.content()).includes(SECRET));
    await page.reload();
    await page.getByLabel(label).waitFor();
    await signIn(SECRET);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel(label).waitFor();
    assert.equal(await page.getByLabel(label).inputValue(), "");
    assert.equal(await page.getByText("did not accept").count(), 0);
    // Browsers note each 401 by themselves.
    const others = fixture.complaints.filter((text) => !text.includes("status of 401"));
    assert.deepEqual(others, []);
  });
}

browserTest("console: without a credential a page of another name is told what to do", async () => {
  await using fixture = await openConsole({
    browserArgs: ["--host-resolver-rules=MAP router.example 127.0.0.1"],
  });
  const page = await fixture.context.newPage();
  await page.goto(`http://router.example:${fixture.router.port}/console`);
  await page.getByText("The router does not let this page in").waitFor();
  await page.getByText("set admin.auth in the configuration").waitFor();
});

browserTest("console: nobody may embed the page", async () => {
  await using fixture = await openConsole();
  await using foreign = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () =>
      new Response(`<!doctype html><iframe src="${fixture.url}"></iframe>`, {
        headers: { "content-type": "text/html" },
      }),
  );
  const page = await fixture.context.newPage();
  await page.goto(`http://127.0.0.1:${foreign.addr.port}/`);
  assert.equal(await page.frames()[1]?.getByText("realtime-router console").count(), 0);
  assert.match(fixture.complaints.join("\n"), /frame-ancestors/);
});
