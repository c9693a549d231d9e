/** The overview in a real browser: sessions appear, are ended, and everything else is shown. */

import assert from "node:assert/strict";
import { noChromium } from "../support/chromium.ts";
import { NativeClient } from "../support/native_client.ts";
import { openConsole } from "./console_fixture.ts";

Deno.test({
  name: "console: a session appears, and the operator ends it after a question" + leftOut(),
  ignore: noChromium !== undefined,
  async fn() {
    await using fixture = await openConsole();
    const page = await fixture.open();
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByText("No session is running.").waitFor();
    await using client = await NativeClient.open(fixture.router.url);
    const row = page.getByRole("region", { name: "Running sessions" }).locator("tbody tr");
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
    await page.getByRole("region", { name: "Ended lately" }).getByText("completed").waitFor();
    assert.deepEqual(fixture.complaints, []);
  },
});

function leftOut(): string {
  return noChromium === undefined ? "" : ` (left out: ${noChromium})`;
}
