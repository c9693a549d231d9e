/**
 * The Deno permissions that a configuration needs, for `--print-permissions` (spec §14).
 *
 * @module
 */

import { dirname } from "node:path";
import { ConfigError } from "./issues.ts";
import type { Config } from "./schema/config.ts";

/** Permissions by kind; each list is sorted and has every entry once. */
export interface Permissions {
  /** `host:port`, bare hosts and `unix:` paths, or `true` for all. */
  readonly net: readonly string[] | true;
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Names of environment variables. */
  readonly env: readonly string[];
}

/** What {@link requiredPermissions} cannot see in the configuration itself. */
export interface PermissionOptions {
  /** Every file that the configuration was read from. */
  readonly configPaths: readonly string[];
  /** Variables that the files mention. @default {[]} */
  readonly variables?: readonly string[];
  /** Variables that the program reads by itself. @default {[]} */
  readonly env?: readonly string[];
  /** More network permissions, such as `unix:` paths; `true` = all. @default {[]} */
  readonly net?: readonly string[] | true;
}

/** The hop below TLS to backends is on loopback, on ports that the system chooses. */
const INNER_HOST = "127.0.0.1";

/** Exactly what the router needs to run with `config`. */
export function requiredPermissions(config: Config, options: PermissionOptions): Permissions {
  const { server, control_plane: hub } = config;
  const spool = hub.enabled ? [dirname(hub.spool_path)] : [];
  const folders = [server.runtime_dir, ...spool];
  const tls = server.tls === undefined ? [] : [server.tls.cert, server.tls.key];
  return {
    net: options.net === true ? true : sorted([...addresses(config), ...options.net ?? []]),
    read: sorted([...options.configPaths, ...tls, ...folders]),
    write: sorted(folders),
    env: sorted([...options.variables ?? [], ...options.env ?? []]),
  };
}

/**
 * The command-line flags for `permissions`; a kind that is not needed has none.
 *
 * @throws {ConfigError} A path has a comma. Deno separates by commas and knows no escape, so the flag would
 * permit something else: `/data,/` the whole disk.
 */
export function permissionFlags(permissions: Permissions): readonly string[] {
  const flag = (kind: keyof Permissions) => {
    const values = permissions[kind];
    if (values === true) return [`--allow-${kind}`];
    if (values.some((value) => value.includes(","))) {
      const message = `a path with a comma cannot be given to --allow-${kind}`;
      throw new ConfigError([{ path: "", message }]);
    }
    return values.length === 0 ? [] : [`--allow-${kind}=${values.join(",")}`];
  };
  return (["net", "read", "write", "env"] as const).flatMap(flag);
}

function addresses(config: Config): readonly string[] {
  const { server, admin, backends, control_plane: hub } = config;
  const bound = [...server.bind_address, ...admin.bind_address].map((address) => {
    const host = address.hostname.includes(":") ? `[${address.hostname}]` : address.hostname;
    return `${host}:${address.port}`;
  });
  const hubs = hub.enabled && hub.url !== undefined ? [hostAndPort(hub.url)] : [];
  return [INNER_HOST, ...bound, ...backends.map((backend) => hostAndPort(backend.url)), ...hubs];
}

function hostAndPort(text: string): string {
  const url = new URL(text);
  const secure = url.protocol === "https:" || url.protocol === "wss:";
  return `${url.hostname}:${url.port || (secure ? "443" : "80")}`;
}

function sorted(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}
