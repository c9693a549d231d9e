/**
 * A browser that looks at the console of a router whose backend is the demo's.
 *
 * @module
 */

import type { BrowserContext, Page } from "playwright-core";
import { type DemoBackend, startDemoBackend } from "../../demo/mod.ts";
import { startChromium } from "../support/chromium.ts";
import { startTestRouter, type TestRouter } from "../support/test_router.ts";

/** How a fixture is made. */
export interface ConsoleFixtureOptions {
  /** More YAML of the router. `console` is enabled unless it says otherwise. @default {""} */
  readonly yaml?: string;
  /** Switches of the browser. @default {[]} */
  readonly browserArgs?: readonly string[];
  /** @default {4} */
  readonly backendSpeed?: number;
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
  /** Opens the page in English, bright. */
  open(path?: string): Promise<Page>;
}

/** Starts everything. */
export async function openConsole(options: ConsoleFixtureOptions = {}): Promise<ConsoleFixture> {
  const { yaml = "", browserArgs = [], backendSpeed = 4 } = options;
  await using started = new AsyncDisposableStack();
  const backend = started.use(await startDemoBackend({ speed: backendSpeed }));
  const router = started.use(
    await startTestRouter({
      backends: [backend.url.replace("/v1/realtime", "")],
      yaml: `${yaml.includes("console:") ? "" : "console: { enabled: true }\n"}${yaml}`,
    }),
  );
  const { browser } = started.use(await startChromium(browserArgs));
  const context = await browser.newContext({ locale: "en-GB", colorScheme: "light" });
  started.defer(() => context.close());
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    complaints.push(`${message.type()}: ${message.text()}`);
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  const url = `${router.origin}/console`;
  const running = started.move();
  return {
    backend,
    router,
    context,
    url,
    complaints,
    async open(path = "") {
      const page = await context.newPage();
      await page.goto(url + path);
      return page;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
