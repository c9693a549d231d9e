/**
 * Raw clients of the router.
 *
 * @module
 */

import { neverToBeLogged } from "./log_watch.ts";
import { connectNode } from "./node_conn.ts";
import { RawPeer } from "./raw_peer.ts";
import { credentialsIn } from "./request_credentials.ts";
import { MODEL } from "./test_router.ts";

/** A request to write. */
export interface UpgradeRequestOptions {
  readonly port: number;
  /** @default {`/v1/realtime?model=demo-voice`} */
  readonly target?: string;
  /** @default {"GET"} */
  readonly method?: string;
  /** Added, or replaced; null leaves a header out. Names in lower case. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Whether the peer can send a RST. @default {false} */
  readonly resettable?: boolean;
  /** Speaks TLS and trusts this authority. @default {undefined} plain TCP */
  readonly caPem?: string | undefined;
}

/** The key of RFC 6455's example. */
export const SAMPLE_KEY = "dGhlIHNhbXBsZSBub25jZQ==";

/** The text of an upgrade request. */
export function upgradeRequest(options: UpgradeRequestOptions): string {
  neverToBeLogged(...credentialsIn(options.headers ?? {}));
  const headers: Record<string, string | null> = {
    "host": `127.0.0.1:${options.port}`,
    "upgrade": "websocket",
    "connection": "Upgrade",
    "sec-websocket-key": SAMPLE_KEY,
    "sec-websocket-version": "13",
    ...options.headers,
  };
  const lines = Object.entries(headers)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  const target = options.target ?? `/v1/realtime?model=${MODEL}`;
  return `${options.method ?? "GET"} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** Connects and writes nothing yet. A `resettable` peer can send a RST; with `caPem` it speaks TLS. */
export async function connectRaw(
  port: number,
  options: { readonly resettable?: boolean; readonly caPem?: string | undefined } = {},
): Promise<RawPeer> {
  if (options.resettable || options.caPem !== undefined) {
    return new RawPeer(await connectNode(port, options.caPem), { masks: true });
  }
  const conn = await Deno.connect({ hostname: "127.0.0.1", port });
  conn.setNoDelay(true);
  return new RawPeer(conn, { masks: true });
}

/** Opens a session. @throws {Error} When the answer is not a 101. */
export async function openRaw(options: UpgradeRequestOptions): Promise<RawPeer> {
  const peer = await connectRaw(options.port, {
    resettable: options.resettable ?? false,
    caPem: options.caPem,
  });
  await peer.write(upgradeRequest(options));
  const head = await peer.readHead();
  if (head?.startsWith("HTTP/1.1 101 ")) return peer;
  peer[Symbol.dispose]();
  throw new Error(`no 101 but: ${head?.split("\r\n")[0]}`);
}

/** A whole response, read to the end of the connection. */
export interface RawResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends a request and reads its answer up to the connection's end, which it must bring about itself. */
export async function requestRaw(port: number, request: string): Promise<RawResponse> {
  using peer = await connectRaw(port);
  await peer.write(request);
  const text = new TextDecoder().decode(await peer.readRest());
  return parseResponse(text);
}

/** Splits a response. */
export function parseResponse(text: string): RawResponse {
  const end = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = new Map(lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  }));
  return { status: Number(statusLine.split(" ")[1]), headers, body: text.slice(end + 4) };
}
