/**
 * Checks that look at several values at once (spec §2). They read the tree and not the validated value, so
 * that a file with other mistakes gets all of its problems reported at once.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { parseBindAddress } from "./bind_address.ts";
import type { Issue } from "./issues.ts";
import { isMapping, listAt, textAt, valueAt } from "./tree.ts";

/** A list of key entries and where it stands: in the configuration file or in `api_keys_file`. */
export interface KeySource {
  readonly entries: readonly unknown[];
  /** Path of the list, as in `api_keys.api_keys`. */
  readonly path: string;
  readonly file?: string;
}

/** Checks of the configuration file alone. */
export function crossCheck(tree: unknown): readonly Issue[] {
  return [
    ...backendIssues(tree),
    ...addressIssues(tree),
    ...adminIssues(tree),
    ...controlPlaneIssues(tree),
  ];
}

/** Key ids and secrets are unique over all sources, and each key has exactly one form of its secret. */
export function crossCheckKeys(sources: readonly KeySource[]): readonly Issue[] {
  const issues: Issue[] = [];
  const ids = new Map<string, string>();
  const secrets = new Map<string, string>();

  for (const { entries, path, file } of sources) {
    entries.forEach((entry, index) => {
      if (!isMapping(entry)) return;
      const at = `${path}[${index}]`;
      const place = file === undefined ? at : `${file}: ${at}`;
      const add = (field: string, message: string) =>
        issues.push({ path: at + field, message, ...(file === undefined ? {} : { file }) });

      const forms = ["key", "key_sha256"].filter((field) => Object.hasOwn(entry, field)).length;
      if (forms !== 1) {
        const found = forms === 0 ? "neither" : "both";
        add("", `needs exactly one of key and key_sha256; found ${found}`);
      }
      const id = textAt(entry, ["id"]);
      const firstId = nearer(claim(ids, id, place), file);
      if (firstId !== undefined) add(".id", `must be unique; ${firstId} has the same id`);
      const field = Object.hasOwn(entry, "key") ? ".key" : ".key_sha256";
      const firstSecret = nearer(claim(secrets, secretDigest(entry), place), file);
      if (firstSecret !== undefined) add(field, `must be unique; ${firstSecret} is the same key`);
    });
  }
  return issues;
}

/** Model ids are unique within a list, and no alias stands for two of its entries. */
export function crossCheckModels(
  entries: readonly unknown[],
  path: string,
): readonly Issue[] {
  const issues: Issue[] = [];
  const ids = new Map<string, string>();
  entries.forEach((entry, index) => {
    const at = `${path}[${index}]`;
    const first = claim(ids, textAt(entry, ["id"]), at);
    if (first !== undefined) {
      issues.push({ path: `${at}.id`, message: `must be unique; ${first} has the same id` });
    }
  });
  const names = new Map(ids);
  entries.forEach((entry, index) => {
    const at = `${path}[${index}]`;
    listAt(entry, ["aliases"]).forEach((alias, aliasIndex) => {
      const first = claim(names, typeof alias === "string" ? alias : undefined, at);
      if (first === undefined || first === at) return;
      const message = `must stand for one model; it is a name of ${first} too`;
      issues.push({ path: `${at}.aliases[${aliasIndex}]`, message });
    });
  });
  return issues;
}

/** Notes that `place` uses `value`; answers who used it first, if somebody did. */
function claim(
  taken: Map<string, string>,
  value: string | undefined,
  place: string,
): string | undefined {
  if (value === undefined || value === "") return undefined;
  const first = taken.get(value);
  if (first === undefined) taken.set(value, place);
  return first;
}

/** A place in the same file is named without the file. */
function nearer(place: string | undefined, file: string | undefined): string | undefined {
  return file !== undefined && place?.startsWith(`${file}: `)
    ? place.slice(file.length + 2)
    : place;
}

function secretDigest(entry: unknown): string | undefined {
  const key = textAt(entry, ["key"]);
  if (key === undefined || key === "") return textAt(entry, ["key_sha256"])?.toLowerCase();
  return createHash("sha256").update(key).digest("hex");
}

function backendIssues(tree: unknown): readonly Issue[] {
  const issues: Issue[] = [];
  const names = new Map<string, string>();
  listAt(tree, ["backends"]).forEach((backend, index) => {
    const at = `backends[${index}]`;
    const first = claim(names, textAt(backend, ["name"]), at);
    if (first !== undefined) {
      issues.push({ path: `${at}.name`, message: `must be unique; ${first} has the same name` });
    }
    issues.push(...headerIssues(backend, at));
    issues.push(...crossCheckModels(listAt(backend, ["model_configs"]), `${at}.model_configs`));
  });
  return issues;
}

function headerIssues(backend: unknown, at: string): readonly Issue[] {
  const headers = valueAt(backend, ["headers"]);
  if (!isMapping(headers)) return [];
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const path = `${at}.headers`;
  const issues: Issue[] = [];
  if (new Set(names).size < names.length) {
    issues.push({ path, message: "must name each header once; upper and lower case are the same" });
  }
  if (names.includes("authorization") && textAt(backend, ["api_key"]) !== undefined) {
    issues.push({ path, message: "must not have authorization beside api_key, which sets it" });
  }
  return issues;
}

/** No address is listened on twice; port 0 is a different port each time. */
function addressIssues(tree: unknown): readonly Issue[] {
  const taken = new Map<string, string>();
  return (["server", "admin"] as const).flatMap((section) => {
    const value = valueAt(tree, [section, "bind_address"]);
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
    return texts.flatMap((text): Issue[] => {
      const result = typeof text === "string" ? parseBindAddress(text) : undefined;
      if (!result?.ok || result.address.port === 0) return [];
      const { hostname, port } = result.address;
      const path = `${section}.bind_address`;
      const first = claim(taken, `${hostname} ${port}`, path);
      return first === undefined
        ? []
        : [{ path, message: `must not repeat an address of ${first}` }];
    });
  });
}

const ADMIN_CREDENTIALS: Readonly<Record<string, readonly string[]>> = {
  bearer_token: ["token"],
  basic: ["username", "password"],
  api_key: ["api_key"],
};

function adminIssues(tree: unknown): readonly Issue[] {
  const method = textAt(tree, ["admin", "auth", "method"]) ?? "none";
  const needed = Object.hasOwn(ADMIN_CREDENTIALS, method) ? ADMIN_CREDENTIALS[method] : undefined;
  return (needed ?? [])
    .filter((field) => (valueAt(tree, ["admin", "auth", field]) ?? "") === "")
    .map((field) => ({
      path: `admin.auth.${field}`,
      message: `is required with method ${method}; found nothing or an empty string`,
    }));
}

function controlPlaneIssues(tree: unknown): readonly Issue[] {
  if (valueAt(tree, ["control_plane", "enabled"]) !== true) return [];
  return ["url", "token"]
    .filter((field) => valueAt(tree, ["control_plane", field]) === undefined)
    .map((field) => ({
      path: `control_plane.${field}`,
      message: "is required when control_plane is enabled",
    }));
}
