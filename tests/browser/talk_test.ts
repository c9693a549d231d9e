/** Talking to the demo backend from a real browser. */

import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { makeAuthority } from "../support/certificates.ts";
import { browserTest, type ConsoleFixture, openConsole, tableOf } from "./console_fixture.ts";

/** A microphone that hears a beep each second, and a person who allows it. */
const FAKE_MICROPHONE = [
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream",
];

async function connect(fixture: ConsoleFixture): Promise<Page> {
  const page = await fixture.open("#talk");
  await page.getByRole("button", { name: "Connect" }).click();
  await page.getByText("Connected", { exact: true }).waitFor();
  return page;
}

/** The newest turn, once it has ended in this way. */
async function endedTurn(page: Page, status: string): Promise<string> {
  const turn = page.locator("ol.turns > li").first();
  await turn.getByText(status, { exact: true }).waitFor();
  return await turn.innerText();
}

function eventRow(page: Page, type: string): Locator {
  return tableOf(page, "Events").locator("tr", { has: page.getByText(type, { exact: true }) });
}

browserTest("talk: a whole turn by microphone, and the close code", async () => {
  await using fixture = await openConsole({ browserArgs: FAKE_MICROPHONE });
  const page = await connect(fixture);
  await page.getByRole("button", { name: "Start speaking" }).click();
  // Pieces of 100 ms go out while one speaks.
  await eventRow(page, "input_audio_buffer.append").getByRole("cell", { name: /^([5-9]|\d\d+)$/ })
    .waitFor();
  await page.getByRole("button", { name: "Stop speaking" }).click();
  const turn = await endedTurn(page, "completed");
  assert.match(turn, /^You speech\s+Model Hello from the demo voice/);
  assert.match(turn, /To first audio\s*\d+ ms/);
  assert.match(turn, /Turn length\s*[\d,.]+ m?s/);
  assert.match(turn, /Audio\s*3 s/);
  const [response] = fixture.backend.responses;
  const heardTokens = response?.response.usage?.input_token_details?.audio_tokens ?? 0;
  assert.ok(heardTokens >= 5, `the backend heard ${heardTokens} tokens`);
  await page.getByRole("button", { name: "Disconnect" }).click();
  await page.getByText(/Closed with\s*1000/).waitFor();
  assert.deepEqual(fixture.complaints, []);
});

browserTest("talk: the sample tone and text work without a microphone", async () => {
  await using fixture = await openConsole();
  const page = await connect(fixture);
  await page.getByRole("button", { name: "Send a sample tone" }).click();
  assert.match(await endedTurn(page, "completed"), /^You sample tone\s+Model Hello/);
  await page.getByLabel("Write something").fill("What is a router?");
  await page.keyboard.press("Enter");
  await page.locator("ol.turns > li", { hasText: "What is a router?" }).waitFor();
  assert.match(await endedTurn(page, "completed"), /^You What is a router\?\s+Model Hello/);
  assert.equal(await page.locator("ol.turns > li").count(), 2);
  assert.equal(await eventRow(page, "response.done").count(), 2);
  assert.deepEqual(fixture.complaints, []);
});

browserTest("talk: over TLS the page's policy lets it reach its own wss", async () => {
  const authority = await makeAuthority();
  const tls = await authority.issue({ names: ["127.0.0.1"] });
  await using fixture = await openConsole({ tls });
  const page = await connect(fixture);
  await page.getByRole("button", { name: "Send a sample tone" }).click();
  await endedTurn(page, "completed");
  assert.match(page.url(), /^https:/);
  assert.deepEqual(fixture.complaints, []);
});

browserTest("talk: the backend finds the end of a turn when asked to", async () => {
  await using fixture = await openConsole();
  const page = await fixture.open("#talk");
  await page.getByLabel("A turn ends").selectOption({ label: "when the backend hears it" });
  await page.getByRole("button", { name: "Connect" }).click();
  await page.getByRole("button", { name: "Send a sample tone" }).click();
  assert.match(
    await endedTurn(page, "completed"),
    /^You speech, as the backend heard it\s+Model Hello/,
  );
  assert.equal(await eventRow(page, "response.create").count(), 0);
  assert.equal(await eventRow(page, "input_audio_buffer.speech_stopped").count(), 1);
});

browserTest("talk: an answer is interrupted, and the backend told how much was heard", async () => {
  await using fixture = await openConsole();
  const page = await connect(fixture);
  await page.getByRole("button", { name: "Send a sample tone" }).click();
  await eventRow(page, "response.output_audio.delta").waitFor();
  await page.getByRole("button", { name: "Interrupt" }).click();
  await endedTurn(page, "cancelled");
  await eventRow(page, "conversation.item.truncated").waitFor();
  assert.equal(await page.getByRole("alert").count(), 0);
});

browserTest("talk: the operator's close is seen with its code and reason", async () => {
  await using fixture = await openConsole();
  const page = await connect(fixture);
  await page.getByRole("link", { name: "Overview" }).click();
  const button = tableOf(page, "Running sessions").getByRole("button", { name: "End session" });
  await button.click();
  await page.getByRole("alertdialog").getByRole("button", { name: "End session" }).click();
  await button.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Talk" }).click();
  await page.getByText(/Closed with\s*1001, “closed by operator”/).waitFor();
});

browserTest("talk: in blocking mode the page explains what a browser cannot do", async () => {
  await using fixture = await openConsole({ yaml: "api_keys: { mode: blocking }" });
  const page = await fixture.open("#talk");
  await page.getByText("A browser cannot send one with a WebSocket").waitFor();
  assert.equal(await page.getByRole("button", { name: "Connect" }).count(), 0);
});

browserTest("talk: on the operators' listener the page says where sessions are", async () => {
  await using fixture = await openConsole({ yaml: 'admin: { bind_address: "127.0.0.1:0" }' });
  const elsewhere = await fetch(`${fixture.router.origin}/console`);
  assert.deepEqual([elsewhere.status, (await elsewhere.json()).error.code], [404, "not_found"]);
  const page = await fixture.open("#talk");
  await page.getByText("on the operators' own listener").waitFor();
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByText("No session is running.").waitFor();
});

browserTest("talk: a connection that nobody answers is told, and where reasons are", async () => {
  await using gone = await openConsole();
  const page = await connect(gone);
  await page.getByRole("button", { name: "Disconnect" }).click();
  await page.getByText("Closed with").waitFor();
  await gone.router.router.close();
  await page.getByRole("button", { name: "Connect" }).click();
  await page.getByText("A browser does not tell why").waitFor();
});

browserTest("talk: the reason of a refusal is told where the router gives one", async () => {
  await using fixture = await openConsole({ yaml: "realtime: { enabled: false }" });
  const page = await fixture.open("#talk");
  await page.getByRole("button", { name: "Connect" }).click();
  await page.getByText("The router refuses sessions: not_found: Unknown path").waitFor();
});
