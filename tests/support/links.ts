/**
 * Symbolic links. Needs run permission for Deno itself.
 *
 * @module
 */

import assert from "node:assert/strict";

/** Made by another process, since making a link needs permission for the whole disk. */
export async function makeLink(
  link: { readonly target: string; readonly path: string },
): Promise<void> {
  const code = `Deno.symlinkSync(${JSON.stringify(link.target)}, ${JSON.stringify(link.path)})`;
  const args = ["eval", "--no-config", "--no-lock", code];
  const { success } = await new Deno.Command(Deno.execPath(), { args }).output();
  assert.ok(success);
}
