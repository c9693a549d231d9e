/**
 * `curl`, asked for one request at a time.
 *
 * Needs run permission for it.
 *
 * @module
 */

import { INSTALLED } from "./installed.ts";
import { runCommand } from "./run_command.ts";

/** What curl shows of an answer. */
export interface CurlAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** The headers of an upgrade, for {@link curl}. */
export const UPGRADE: readonly string[] = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

/** Where a request goes, and with what. */
export interface CurlRequest {
  readonly url: string;
  readonly headers: readonly string[];
  /** More arguments: `["-X", "POST"]`. @default {[]} */
  readonly args?: readonly string[];
  /** Path of the authority that it shall trust. */
  readonly caPath: string | null;
}

/** The arguments of a request whose answer is shown with its head, byte by byte as it comes. */
export function curlArguments(request: CurlRequest): readonly string[] {
  return [
    ..."-sSN -i --http1.1 --max-time 20".split(" "),
    ...request.caPath === null ? [] : ["--cacert", request.caPath],
    ...request.headers.flatMap((line) => ["-H", line]),
    ...request.args ?? [],
    request.url,
  ];
}

/** Asks, and waits for the end of the answer. @throws {Error} When there is none. */
export async function curl(request: CurlRequest): Promise<CurlAnswer> {
  const { stdout, stderr } = await runCommand(INSTALLED.curl.path, {
    args: curlArguments(request),
  });
  const [head = "", body = ""] = stdout.split("\r\n\r\n", 2);
  const [statusLine = "", ...lines] = head.split("\r\n");
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
  if (status === undefined) throw new Error(`Cannot read curl's answer: ${stderr}`);
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return { status: Number(status), headers, body };
}
