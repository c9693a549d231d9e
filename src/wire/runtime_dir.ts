/**
 * The private folder of this process below `server.runtime_dir`, which holds the sockets of the dialer and
 * of the HTTP servers behind the edges.
 *
 * Whoever can put a socket there can pretend to be the dialer, so the runtime directory must be a real
 * directory of our own, and every process has a folder of mode 0700 in it.
 *
 * @module
 */

import { join } from "node:path";

/** The runtime directory cannot be trusted or used. The message names it and says why. */
export class RuntimeDirError extends Error {
  override readonly name = "RuntimeDirError";
}

/** The folder of this process. */
export interface RuntimeFolder {
  /** Where the dialer listens. */
  readonly socketPath: string;
  /** The path of another socket in it. */
  readonly pathOf: (name: InnerSocketName) => string;
  /** Removes the folder and what is in it. */
  remove(): Promise<void>;
}

/** What the kernel takes for the path of a Unix socket on Linux, less its final zero byte. */
const MAX_SOCKET_PATH_BYTES = 107;
const SOCKET_NAME = "dial.sock";
/** Sockets of the HTTP servers behind the edges, with names no longer than the dialer's. */
const INNER_SOCKETS = { main: "main.sock", admin: "admn.sock" } as const;
/** The listener that an edge serves: the main one, or that of `admin.bind_address`. */
export type InnerSocketName = keyof typeof INNER_SOCKETS;
/** A process whose permissions name its socket beforehand has this folder instead of a random one. */
const FIXED_NAME = "fixed";
const RANDOM_NAME = /^[0-9a-f]{16}$/;
/** A folder this young may belong to a process that does not listen yet. */
const MIN_STALE_AGE_MS = 60_000;
const MAX_SWEPT = 256;

/** The sockets of a process that runs with exact permissions, as `--print-permissions` names them. */
export function fixedSocketPaths(runtimeDir: string): readonly string[] {
  const names = [SOCKET_NAME, ...Object.values(INNER_SOCKETS)];
  return names.map((name) => `${normalize(runtimeDir)}/${FIXED_NAME}/${name}`);
}

/** Without a slash or a dot at its end, behind which a link would not be seen as one. */
function normalize(runtimeDir: string): string {
  return join(runtimeDir, ".").replace(/(?!^)[/\\]+$/, "");
}

/**
 * Makes the folder and listens on its socket. Folders left by processes that were killed are removed.
 *
 * @throws {RuntimeDirError} When the directory is a link, belongs to somebody else, can be written by
 * everybody, has too long a name, or cannot be made.
 */
export async function listenInRuntimeDir(
  configured: string,
): Promise<{ readonly folder: RuntimeFolder; readonly listener: Deno.UnixListener }> {
  const runtimeDir = normalize(configured);
  const random = crypto.getRandomValues(new Uint8Array(8)).toHex();
  assertShortEnough(`${runtimeDir}/${random}/${SOCKET_NAME}`);
  await makeRuntimeDir(runtimeDir);
  const folder = await makeFolder(runtimeDir, random);
  await assertSameOwner(runtimeDir, `${runtimeDir}/${random}`).catch(async (error) => {
    await folder.remove();
    throw error;
  });
  try {
    await sweep(runtimeDir);
    return { folder, listener: Deno.listen({ transport: "unix", path: folder.socketPath }) };
  } catch (error) {
    await folder.remove();
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    return await listenInFixedFolder(runtimeDir);
  }
}

/** Only the socket that `--print-permissions` named may be used, so there can be one process at a time. */
async function listenInFixedFolder(runtimeDir: string) {
  if (await isAlive(`${runtimeDir}/${FIXED_NAME}/${SOCKET_NAME}`)) {
    throw new RuntimeDirError(
      `${runtimeDir}/${FIXED_NAME} is in use by another router with exact permissions: ` +
        `give this one a server.runtime_dir of its own`,
    );
  }
  await removeFolder(`${runtimeDir}/${FIXED_NAME}`);
  const folder = await makeFolder(runtimeDir, FIXED_NAME);
  return { folder, listener: Deno.listen({ transport: "unix", path: folder.socketPath }) };
}

async function makeRuntimeDir(runtimeDir: string): Promise<void> {
  try {
    await Deno.mkdir(runtimeDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new RuntimeDirError(`cannot make the runtime directory ${runtimeDir}: ${reason(error)}`);
  }
  const info = await Deno.lstat(runtimeDir);
  if (info.isSymlink) throw new RuntimeDirError(`runtime directory ${runtimeDir} is a link`);
  if (!info.isDirectory) throw new RuntimeDirError(`${runtimeDir} is not a directory`);
  const mode = info.mode ?? 0;
  if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0) {
    throw new RuntimeDirError(`runtime directory ${runtimeDir} can be written by everybody`);
  }
}

/** What we make is ours, so a directory with another owner than a folder made in it is somebody else's. */
async function assertSameOwner(runtimeDir: string, made: string): Promise<void> {
  const [parent, child] = await Promise.all([Deno.lstat(runtimeDir), Deno.lstat(made)]);
  if (parent.uid !== child.uid) {
    throw new RuntimeDirError(`runtime directory ${runtimeDir} belongs to somebody else`);
  }
}

async function makeFolder(runtimeDir: string, name: string): Promise<RuntimeFolder> {
  const path = `${runtimeDir}/${name}`;
  try {
    await Deno.mkdir(path, { mode: 0o700 });
  } catch (error) {
    throw new RuntimeDirError(
      `cannot write to the runtime directory ${runtimeDir}: ${reason(error)}`,
    );
  }
  return {
    socketPath: `${path}/${SOCKET_NAME}`,
    pathOf: (name) => `${path}/${INNER_SOCKETS[name]}`,
    remove: () => removeFolder(path),
  };
}

async function removeFolder(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

async function sweep(runtimeDir: string): Promise<void> {
  let seen = 0;
  for await (const { name, isDirectory } of Deno.readDir(runtimeDir)) {
    if (++seen > MAX_SWEPT) return;
    if (!isDirectory || !RANDOM_NAME.test(name)) continue;
    const path = `${runtimeDir}/${name}`;
    const info = await Deno.lstat(path).catch(() => null);
    const ageMs = Date.now() - (info?.mtime?.getTime() ?? Date.now());
    if (ageMs < MIN_STALE_AGE_MS || await isAlive(`${path}/${SOCKET_NAME}`)) continue;
    await removeFolder(path);
  }
}

/** Whether a process listens there. What we may not ask is taken for alive. */
async function isAlive(socketPath: string): Promise<boolean> {
  try {
    (await Deno.connect({ transport: "unix", path: socketPath })).close();
    return true;
  } catch (error) {
    return !(error instanceof Deno.errors.ConnectionRefused ||
      error instanceof Deno.errors.NotFound);
  }
}

function assertShortEnough(path: string): void {
  const bytes = new TextEncoder().encode(path).length;
  if (bytes > MAX_SOCKET_PATH_BYTES) {
    throw new RuntimeDirError(
      `server.runtime_dir is too long: the socket path ${path} has ${bytes} bytes, ` +
        `${MAX_SOCKET_PATH_BYTES} are possible`,
    );
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
