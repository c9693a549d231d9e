/**
 * A browser that looks at the console of a router whose backend is the demo's.
 *
 * playwright-core reads its own files, the whole environment and facts about the system, and writes a profile
 * below the system's folder for temporary files: hence the permissions of `deno task test:console`.
 *
 * @module
 */

import type { BrowserContext, Locator, Page } from "playwright-core";
import { type DemoBackend, startDemoBackend } from "../../demo/mod.ts";
import type { TlsIdentity } from "../../src/wire/mod.ts";
import { noChromium, startChromium } from "../support/chromium.ts";
import { startTestRouter, type TestRouter } from "../support/test_router.ts";

/** How a fixture is made. */
export interface ConsoleFixtureOptions {
  /** More YAML of the router, whose console is enabled. @default {""} */
  readonly yaml?: string;
  /** Switches of the browser. @default {[]} */
  readonly browserArgs?: readonly string[];
  /** Certificate of the router, which the browser takes as it is. @default {undefined} plain HTTP */
  readonly tls?: TlsIdentity;
}

/** See the module. */
export interface ConsoleFixture extends AsyncDisposable {
  readonly backend: DemoBackend;
  readonly router: TestRouter;
  /** Pages of one person: what one stores the others see. */
  readonly context: BrowserContext;
  /** The address of the page. */
  readonly url: string;
  /** What pages wrote to their consoles as warnings and errors, and exceptions that nobody caught. */
  readonly complaints: string[];
  /** The origins that pages asked for something. */
  readonly origins: Set<string>;
  /** Opens the page in English, bright. @param path What follows `/console`. */
  open(path?: string): Promise<Page>;
}

/** Starts everything. */
export async function openConsole(options: ConsoleFixtureOptions = {}): Promise<ConsoleFixture> {
  const { yaml = "", browserArgs = [], tls } = options;
  await using started = new AsyncDisposableStack();
  const backend = started.use(await startDemoBackend());
  const router = started.use(
    await startTestRouter({
      backends: [new URL(backend.url).origin],
      yaml: `console: { enabled: true }\n${yaml}`,
      ...tls === undefined ? {} : { tls },
    }),
  );
  const { browser } = started.use(await startChromium(browserArgs));
  const context = await browser.newContext({
    locale: "en-GB",
    colorScheme: "light",
    ignoreHTTPSErrors: tls !== undefined,
  });
  started.defer(() => context.close());
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    complaints.push(`${message.type()}: ${message.text()}`);
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  const origins = new Set<string>();
  context.on("request", (request) => origins.add(new URL(request.url()).origin));
  const [admin] = router.router.adminAddresses;
  const origin = admin === undefined ? router.origin : `http://127.0.0.1:${admin.port}`;
  const url = `${origin}/console`;
  const running = started.move();
  return {
    backend,
    router,
    context,
    url,
    complaints,
    origins,
    async open(path = "") {
      const page = await context.newPage();
      await page.goto(url + path);
      return page;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** A table of the page by its title. */
export function tableOf(page: Page, title: string): Locator {
  return page.getByRole("region", { name: `${title}, table` });
}

/** A test that needs a browser; where there is none it is left out, and its name says so. */
export function browserTest(name: string, fn: () => Promise<void>): void {
  const leftOut = noChromium === undefined ? "" : ` (left out: ${noChromium})`;
  Deno.test({ name: name + leftOut, ignore: noChromium !== undefined, fn });
}
