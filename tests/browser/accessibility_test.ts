/** Every view by axe-core's rules, in both languages and both colour schemes, wide and narrow. */

import assert from "node:assert/strict";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { runVoiceTurn } from "../../demo/mod.ts";
import { NativeClient } from "../support/native_client.ts";
import { MODEL } from "../support/test_router.ts";
import { browserTest, openConsole, tableOf } from "./console_fixture.ts";

const LOOKS = [
  { colorScheme: "light", language: "en", width: 1_280 },
  { colorScheme: "dark", language: "ko", width: 1_280 },
  { colorScheme: "light", language: "ko", width: 390 },
  { colorScheme: "dark", language: "en", width: 390 },
] as const;

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly targets: readonly string[];
}

/** Runs in the page. */
async function violations(): Promise<readonly Violation[]> {
  const { axe } = globalThis as unknown as {
    axe: {
      run(): Promise<{
        violations: { id: string; impact: string; nodes: { target: string[]; html: string }[] }[];
      }>;
    };
  };
  const found = await axe.run();
  return found.violations.map(({ id, impact, nodes }) => ({
    id,
    impact,
    targets: nodes.map(({ target, html }) => `${target.join(" ")} ${html.slice(0, 120)}`),
  }));
}

/** What is wrong with the page as it stands, in every look. Also, that nothing of it sticks out. */
async function assertAccessible(page: Page, view: string): Promise<void> {
  await page.evaluate(axe.source);
  for (const { colorScheme, language, width } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const choice = page.locator("header select");
    // Behind an open dialog nothing can be chosen.
    if (await page.locator("dialog[open]").count() === 0) await choice.selectOption(language);
    const look = `${view}, ${colorScheme}, ${language}, ${width}`;
    assert.deepEqual(await page.evaluate(violations), [], look);
    const wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    assert.ok(Number(wider) <= 0, `${look}: ${wider} pixels too wide`);
  }
}

browserTest("console: axe finds no fault in the overview, with and without data", async () => {
  await using fixture = await openConsole();
  const page = await fixture.open();
  await page.getByText("No session is running.").waitFor();
  await assertAccessible(page, "empty overview");
  await using _client = await NativeClient.open(fixture.router.url);
  await runVoiceTurn(fixture.router.url, { model: MODEL, log: () => {}, answerS: 1 });
  await (await fetch(`${fixture.router.origin}/v1/realtime`)).body?.cancel();
  await page.locator("header select").selectOption("en");
  await tableOf(page, "Running sessions").locator("tbody tr").first().waitFor();
  await tableOf(page, "Refused upgrades").locator("tbody tr").first().waitFor();
  await tableOf(page, "Usage records").locator("tbody tr").first().waitFor();
  await assertAccessible(page, "overview");
  await page.locator("header select").selectOption("en");
  await tableOf(page, "Running sessions").getByRole("button").first().click();
  await page.getByRole("alertdialog").waitFor();
  await assertAccessible(page, "question");
});

browserTest("console: axe finds no fault in a talk", async () => {
  await using fixture = await openConsole();
  const page = await fixture.open("#talk");
  await page.getByRole("button", { name: "Connect" }).waitFor();
  await assertAccessible(page, "talk before");
  await page.locator("header select").selectOption("en");
  await page.getByRole("button", { name: "Connect" }).click();
  await page.getByRole("button", { name: "Send a sample tone" }).click();
  await page.getByText("completed").waitFor();
  await assertAccessible(page, "talk");
  await page.locator("header select").selectOption("en");
  await page.getByRole("button", { name: "Disconnect" }).click();
  await page.getByText("Closed with").waitFor();
  await assertAccessible(page, "talk after");
});

browserTest("console: axe finds no fault where one signs in, or may not talk", async () => {
  await using fixture = await openConsole({
    yaml: "admin: { auth: { method: basic, username: operator, password: secret } }\n" +
      "api_keys: { mode: blocking }",
  });
  const page = await fixture.open();
  await page.getByLabel("Password").waitFor();
  await assertAccessible(page, "sign-in");
  await page.goto(`${fixture.url}#talk`);
  await page.locator(".card").waitFor();
  await assertAccessible(page, "no talk");
});
