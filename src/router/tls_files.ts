/**
 * The files of `server.tls`.
 *
 * @module
 */

import { type Config, unreadableReason } from "../config/mod.ts";
import type { TlsIdentity } from "../wire/mod.ts";

/**
 * Reads certificate and key; undefined without the section.
 *
 * @throws {Error} When one cannot be read. The message names the field and the file.
 */
export async function readTlsIdentity(
  { server: { tls } }: Config,
  readTextFile: (path: string) => Promise<string>,
): Promise<TlsIdentity | undefined> {
  if (tls === undefined) return undefined;
  const read = async (name: "cert" | "key") => {
    try {
      return await readTextFile(tls[name]);
    } catch (error) {
      const message = `server.tls.${name}: ${tls[name]}: ${unreadableReason(error)}`;
      throw new Error(message, { cause: error });
    }
  };
  return { cert: await read("cert"), key: await read("key") };
}
