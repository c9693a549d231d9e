/**
 * The files of the page. They are imported as text, so that they need no permission and are part of what
 * `deno compile` makes. `deno task console:build` makes those in `built`.
 *
 * @module
 */

import css from "./built/console.css" with { type: "text" };
import js from "./built/console.js" with { type: "text" };
import microphone from "./built/microphone.js" with { type: "text" };
import icon from "./page/icon.svg" with { type: "text" };
import html from "./page/index.html" with { type: "text" };

/** A file and where it is served. */
export interface ConsoleAsset {
  readonly path: string;
  readonly contentType: string;
  readonly text: string;
}

const JAVASCRIPT = "text/javascript; charset=utf-8";

/** All files of the page, the page itself first. */
export const consoleAssets: readonly ConsoleAsset[] = [
  { path: "/console", contentType: "text/html; charset=utf-8", text: html },
  { path: "/console/console.js", contentType: JAVASCRIPT, text: js },
  { path: "/console/console.css", contentType: "text/css; charset=utf-8", text: css },
  // An audio worklet must be a file of its own.
  { path: "/console/microphone.js", contentType: JAVASCRIPT, text: microphone },
  { path: "/console/icon.svg", contentType: "image/svg+xml", text: icon },
];
