/**
 * Pages that talk to the router as a page would: with the browser's WebSocket, and nothing else.
 *
 * @module
 */

import type { Browser, Page } from "playwright-core";
import type { Account, Row } from "./errand.ts";

/** What a page does with a subprotocol and a router. */
export interface PageTask {
  readonly row: Row;
  readonly url: string;
  /** What it offers. @default {[]} */
  readonly protocols?: readonly string[];
}

/** What came of it. */
export interface PageAccount {
  readonly account: Account;
  /** The subprotocol that was chosen, empty for none. */
  readonly protocol: string;
  /** Why the connection failed, as the browser tells the developer and no page; empty when it did not. */
  readonly failure: string;
}

/** What it writes to the console then. */
const FAILURE = /^WebSocket connection to '.*' failed: (.*)$/;

const MODULES = ["dialogue.js", "web_socket.js"];

/** Opens a page. Needs to read the modules that run in it. */
export async function openPage(browser: Browser, address: string): Promise<RealtimePage> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(address);
  const script = await Promise.all(
    MODULES.map((name) => Deno.readTextFile(`tests/clients/javascript/${name}`)),
  );
  return new RealtimePage(page, withoutImports(script.join("\n")));
}

/** See the module. */
export class RealtimePage implements AsyncDisposable {
  readonly #page: Page;
  readonly #script: string;
  #console: string[] = [];

  /** @param script Declares `haveRow` and `openWebSocket`. */
  constructor(page: Page, script: string) {
    this.#page = page;
    this.#script = script;
    page.on("console", (message) => this.#console.push(message.text()));
  }

  /** Has the sessions of a row. */
  async have(task: PageTask): Promise<PageAccount> {
    this.#console = [];
    const code = `(async () => {
      ${this.#script}
      const { row, url, protocols } = ${JSON.stringify({ protocols: [], ...task })};
      let protocol = "";
      const account = await haveRow(row, () => {
        const line = openWebSocket(url, protocols);
        line.socket.onopen = () => protocol = line.socket.protocol;
        return line;
      });
      return { account, protocol };
    })()`;
    const told: Omit<PageAccount, "failure"> = await this.#page.evaluate(code);
    const failures = this.#console.flatMap((text) => FAILURE.exec(text)?.[1] ?? []);
    return { ...told, failure: failures.join(" ") };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#page.context().close();
  }
}

function withoutImports(module: string): string {
  return module.replaceAll(/^import .*$/gm, "").replaceAll(/^export /gm, "");
}
