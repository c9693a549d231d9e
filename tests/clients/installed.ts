/**
 * The programs that run clients, each at the one place where it is looked for. One that is not there is no
 * failure: its tests are left out, and say why.
 *
 * Needs read permission for the paths that are asked about, run permission for those that are run.
 *
 * @module
 */

import { statSync } from "node:fs";

/** Paths of what is installed beside the project, from its root, and what installs it. */
export const INSTALLED = {
  python: { path: ".venv/bin/python", by: "pip install -r tests/clients/python/requirements.txt" },
  node: {
    path: "tests/clients/javascript/node_modules",
    by: "npm ci in tests/clients/javascript",
  },
  chromium: { path: "/usr/bin/chromium", by: "apt-get install chromium" },
  curl: { path: "/usr/bin/curl", by: "apt-get install curl" },
} as const;

/** Name of an entry of {@link INSTALLED}. */
export type InstalledName = keyof typeof INSTALLED;

/** Why it cannot be used here; null when it can. */
export function whyMissing(name: InstalledName): string | null {
  const { path, by } = INSTALLED[name];
  return statSync(path, { throwIfNoEntry: false }) === undefined ? `no ${path} (${by})` : null;
}
