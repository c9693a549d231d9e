/** The overview in a real browser: sessions appear, are ended, and everything else is shown. */

import assert from "node:assert/strict";
import { runVoiceTurn } from "../../demo/mod.ts";
import { NativeClient } from "../support/native_client.ts";
import { MODEL } from "../support/test_router.ts";
import { browserTest, openConsole, tableOf } from "./console_fixture.ts";

browserTest("console: a session appears, and the operator ends it after a question", async () => {
  await using fixture = await openConsole();
  const page = await fixture.open();
  await page.getByText("Live", { exact: true }).waitFor();
  await page.getByText("No session is running.").waitFor();
  await using client = await NativeClient.open(fixture.router.url);
  const row = tableOf(page, "Running sessions").locator("tbody tr");
  await row.waitFor();
  assert.equal(await row.count(), 1);
  assert.match(await row.innerText(), /demo-voice\s+b0\s+anonymous\s+127\.0\.0\.1/);
  await row.getByRole("button", { name: "End session" }).click();
  const dialog = page.getByRole("alertdialog", { name: "End this session?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.equal(fixture.router.router.sessions.size, 1);
  await row.getByRole("button", { name: "End session" }).click();
  await dialog.getByRole("button", { name: "End session" }).click();
  const { code, reason } = await client.ended;
  assert.deepEqual([code, reason], [1001, "closed by operator"]);
  await row.waitFor({ state: "detached" });
  await tableOf(page, "Ended lately").getByText("completed").waitFor();
  assert.deepEqual(fixture.complaints, []);
});

browserTest(
  "console: the dialog is used by keyboard alone, and Escape changes nothing",
  async () => {
    await using fixture = await openConsole();
    await using client = await NativeClient.open(fixture.router.url);
    const page = await fixture.open();
    const button = tableOf(page, "Running sessions").getByRole("button", { name: "End session" });
    await button.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("alertdialog");
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await button.evaluate((element) => element.matches(":focus")), true);
    assert.equal(fixture.router.router.sessions.size, 1);
    await page.keyboard.press("Enter");
    await dialog.waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.equal((await client.ended).code, 1001);
  },
);

browserTest(
  "console: outcomes, tokens, usage records and backends are shown, no content",
  async () => {
    await using fixture = await openConsole();
    const page = await fixture.open();
    await page.getByText("Live", { exact: true }).waitFor();
    await runVoiceTurn(fixture.router.url, { model: MODEL, log: () => {}, answerS: 1 });
    const usage = tableOf(page, "Usage records").locator("tbody tr");
    await usage.waitFor();
    assert.match(
      await usage.innerText(),
      /\/v1\/realtime\s+demo-voice\s+b0\s+anonymous\s+10\s+0\s+27/,
    );
    await tableOf(page, "Session outcomes").getByText("completed").waitFor();
    await tableOf(page, "Response outcomes").getByText("completed").waitFor();
    const backend = tableOf(page, "Backends").locator("tbody tr");
    assert.match(await backend.innerText(), /b0 generic\s+○ unknown\s+● closed/);
    const figure = (title: string) => page.locator("dt", { hasText: title }).locator("+ dd strong");
    await page.getByText("Tokens out").waitFor();
    assert.equal(await figure("Tokens out").innerText(), "27");
    // Two samples make the first point of every plot.
    await page.getByText("Figures come with the second sample.").first().waitFor({
      state: "detached",
    });
    assert.equal(await page.locator(".plot canvas").count(), 3);
    assert.ok(!(await page.content()).includes("Hello from the demo voice"));
    assert.deepEqual(fixture.complaints, []);
    assert.deepEqual([...fixture.origins], [fixture.router.origin]);
  },
);

browserTest("console: a refused origin is refused, and counted by its code", async () => {
  await using fixture = await openConsole();
  const page = await fixture.open();
  await page.getByText("No upgrade was refused.").waitFor();
  await using foreign = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } }),
  );
  const other = await fixture.context.newPage();
  await other.goto(`http://127.0.0.1:${foreign.addr.port}/`);
  const seen = await other.evaluate(async ([socketUrl, url]) => {
    const code = await new Promise<number>((resolve) => {
      new WebSocket(socketUrl, "realtime").onclose = (event) => resolve(event.code);
    });
    const read = (path: string) => fetch(new URL(path, url)).then(() => true, () => false);
    return { code, admin: await read("/admin/sessions"), console: await read("/console") };
  }, [fixture.router.url, fixture.url] as const);
  assert.deepEqual(seen, { code: 1006, admin: false, console: false });
  const refusals = tableOf(page, "Refused upgrades").locator("tbody tr");
  await refusals.waitFor();
  assert.match(await refusals.innerText(), /origin_not_allowed\s+1/);
  assert.equal(fixture.router.router.sessions.size, 0);
});

browserTest("console: a backend's open circuit is shown, and closed after a question", async () => {
  await using fixture = await openConsole({
    yaml: "circuit_breaker: { failure_threshold: 1 }\n" +
      `backends: [{ name: gone, url: "http://127.0.0.1:1", models: [${MODEL}], ` +
      `model_configs: [{ id: ${MODEL}, metadata: { capabilities: [audio] } }] }]`,
  });
  const client = await NativeClient.open(fixture.router.url);
  assert.equal((await client.ended).code, 1011);
  const page = await fixture.open();
  const backend = tableOf(page, "Backends").locator("tbody tr");
  await backend.getByText(/▲ open/).waitFor();
  assert.match(await backend.innerText(), /tries again in \d+s/);
  await backend.getByRole("button", { name: "Close circuit" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Close the circuit of gone?" });
  await dialog.getByRole("button", { name: "Close circuit" }).click();
  await backend.getByText(/● closed/).waitFor();
  await page.getByText("backend_connect_failed").first().waitFor();
});

browserTest("console: the page comes back by itself when the stream of events ends", async () => {
  await using fixture = await openConsole();
  const page = await fixture.open();
  await page.getByText("Live", { exact: true }).waitFor();
  // Nothing may reach the router for a while, as when it restarts.
  await page.route("**/admin/events", (route) => route.abort());
  await page.context().setOffline(true);
  await page.getByText("Connection lost, trying again").waitFor();
  await page.unroute("**/admin/events");
  await page.context().setOffline(false);
  await page.getByText("Live", { exact: true }).waitFor();
  await using _client = await NativeClient.open(fixture.router.url);
  await tableOf(page, "Running sessions").locator("tbody tr").waitFor();
});
