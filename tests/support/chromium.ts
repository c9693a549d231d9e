/**
 * A real browser: Debian's Chromium, driven by playwright-core.
 *
 * Needs read and run permission for {@link CHROMIUM}.
 *
 * @module
 */

import { type Browser, chromium } from "playwright-core";

/** Where Debian's package `chromium` has it. */
export const CHROMIUM = "/usr/bin/chromium";

/** Why there is no browser; undefined when there is one. */
export const noChromium: string | undefined = exists(CHROMIUM) ? undefined : `no ${CHROMIUM}`;

/** A browser that is closed at the end of its scope. */
export interface ChromiumBrowser extends AsyncDisposable {
  readonly browser: Browser;
}

/** Starts a browser without a window. @param args More switches. */
export async function startChromium(args: readonly string[] = []): Promise<ChromiumBrowser> {
  // Its sandbox cannot be had by root.
  const asRoot = Deno.uid() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [...asRoot, ...args],
    timeout: 30_000,
  });
  return { browser, [Symbol.asyncDispose]: () => browser.close() };
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
