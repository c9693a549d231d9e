/**
 * The addresses of this machine. Needs the permission `--allow-sys=networkInterfaces`.
 *
 * @module
 */

/** This machine's addresses that are no loopback ones, as far as they may be asked for. */
export function ownAddresses(): readonly string[] {
  const { state } = Deno.permissions.querySync({ name: "sys", kind: "networkInterfaces" });
  if (state !== "granted") return [];
  return Deno.networkInterfaces()
    .map(({ address }) => address)
    .filter((address) => !/^(127\.|::1$|fe80:)/i.test(address));
}
