/**
 * Request heads (RFC 9112 §2–§6), read more strictly than the HTTP server behind the edge reads
 * them: whatever two readers could understand differently is refused here.
 *
 * @module
 */

import { decodeLatin1, parseHeaderLine, trimBlanks } from "./header_line.ts";

/** The most bytes of one head, its final empty line included. */
export const MAX_HEAD_BYTES = 16 * 1024;
/**
 * The most header lines of one head. The server behind the edge takes 128, the edge's own among them, and
 * answers more with a 400 of its own that has no body.
 */
export const MAX_HEADER_LINES = 100;

/** A request head that holds to the grammar. */
export interface RequestHead {
  readonly method: string;
  /** Origin-form (`/path?query`). */
  readonly target: string;
  readonly version: "1.0" | "1.1";
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** How the body ends (RFC 9112 §6.3). */
  readonly body: { readonly kind: "length"; readonly bytes: number } | { readonly kind: "chunked" };
  /** Whether an `Upgrade` header names `websocket`. */
  readonly wantsWebSocket: boolean;
}

/** Why a head is refused; `message` may be shown to the client. */
export interface HeadFault {
  readonly fault: string;
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Finds the end of a head.
 *
 * @returns The index after its empty line, `undefined` while that has not come, or the fault of a
 * line feed without its carriage return, which other readers take for the end of a line.
 */
export function findHeadEnd(
  bytes: Uint8Array,
  options: { readonly from: number; readonly length: number },
): number | HeadFault | undefined {
  for (let at = options.from; at < options.length; at++) {
    if (bytes[at] !== LF) continue;
    if (bytes[at - 1] !== CR) return { fault: "line feed without carriage return" };
    if (at >= 3 && bytes[at - 2] === LF) return at + 1;
  }
  return undefined;
}

const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) ([\x21\x22\x24-\x7e]+) HTTP\/(1\.[01])$/;
/** RFC 3986 §3.2 without userinfo. The server behind the edge makes a URL of it: nothing else may get in. */
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;
const ABSOLUTE_TARGET = /^https?:\/\/([^/?#@]+)([/?][^#]*)?$/i;

/** Reads a complete head, from its request line to its empty line. */
export function parseRequestHead(bytes: Uint8Array): RequestHead | HeadFault {
  const lines = decodeLatin1(bytes.subarray(0, bytes.length - 4)).split("\r\n");
  const requestLine = REQUEST_LINE.exec(lines[0]!);
  if (requestLine === null) return { fault: "malformed request line, or not HTTP/1.x" };
  const headers: [string, string][] = [];
  for (const line of lines.slice(1)) {
    const header = parseHeaderLine(line);
    if (header === undefined) return { fault: "malformed header line" };
    headers.push(header);
  }
  const version = requestLine[3] as "1.0" | "1.1";
  const hosts = headerValues(headers, "host");
  if (hosts.length > 1 || (hosts.length === 0 && version === "1.1")) {
    return { fault: "exactly one Host header is required" };
  }
  const method = requestLine[1]!;
  // Its target is an authority (RFC 9112 §3.2.3), and the server behind the edge has only a bare 400 for it.
  if (method === "CONNECT") return { fault: "this is no proxy" };
  const target = originForm(requestLine[2]!, headers);
  if (target === undefined) return { fault: "request target is not a path" };
  if (!headerValues(headers, "host").every(isHost)) {
    return { fault: "malformed Host header" };
  }
  const body = bodyOf(headers, version);
  if ("fault" in body) return body;
  const wantsWebSocket = headerValues(headers, "upgrade").some((value) =>
    hasToken(value, "websocket")
  );
  return { method, target, version, headers, body, wantsWebSocket };
}

/** An empty one is allowed: RFC 9112 §3.2. Of the others a URL can be made, for that is what happens next. */
function isHost(host: string): boolean {
  return host === "" || (HOST.test(host) && URL.canParse(`http://${host}/`));
}

/** Writes a head as it goes to the HTTP server. */
export function serializeRequestHead(head: RequestHead): Uint8Array {
  const lines = head.headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return encodeLatin1(`${head.method} ${head.target} HTTP/${head.version}\r\n${lines}\r\n`);
}

/** The head with `Connection: close` added, which makes the server end the connection after its answer. */
export function withConnectionClose(head: RequestHead): RequestHead {
  const tokens = headerValues(head.headers, "connection").filter((value) => value !== "");
  const others = head.headers.filter(([name]) => name.toLowerCase() !== "connection");
  return { ...head, headers: [...others, ["connection", [...tokens, "close"].join(", ")]] };
}

/** The head with `headers` instead of those of the same names. */
export function withHeaders(head: RequestHead, headers: RequestHead["headers"]): RequestHead {
  const names = new Set(headers.map(([name]) => name));
  const others = head.headers.filter(([name]) => !names.has(name.toLowerCase()));
  return { ...head, headers: [...others, ...headers] };
}

/**
 * The head without its wish to upgrade, whatever to. The HTTP server answers an upgrade that has a body, or a
 * length of 0, with an empty 400 of its own; without the wish it is a plain request, which the application
 * answers. Clients that offer HTTP/2 in every request mean it so (RFC 9110 §7.8: a server may ignore an offer).
 */
export function withoutUpgrade(head: RequestHead): RequestHead {
  const headers = head.headers.flatMap(([name, value]): RequestHead["headers"] => {
    const key = name.toLowerCase();
    if (key === "upgrade") return [];
    if (key !== "connection") return [[name, value]];
    const others = value.split(",").filter((token) => token.trim().toLowerCase() !== "upgrade");
    return others.length === 0 ? [] : [[name, others.join(",")]];
  });
  return { ...head, headers, wantsWebSocket: false };
}

/** The head of a request without a body, without the length of 0 at which the HTTP server refuses an upgrade, too. */
export function withoutLength(head: RequestHead): RequestHead {
  const headers = head.headers.filter(([name]) => name.toLowerCase() !== "content-length");
  return { ...head, headers };
}

/** Whether a comma-separated list holds `token`, whatever its case. */
export function hasToken(list: string, token: string): boolean {
  return list.split(",").some((item) => trimBlanks(item).toLowerCase() === token);
}

/** Turns each character into the byte of its code, as HTTP heads are sent. */
export function encodeLatin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

function headerValues(headers: RequestHead["headers"], name: string): string[] {
  return headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
}

/** RFC 9112 §3.2.2: an absolute target wins over `Host`, so both are made to say the same. */
function originForm(target: string, headers: [string, string][]): string | undefined {
  if (target.startsWith("/")) return target;
  const absolute = ABSOLUTE_TARGET.exec(target);
  if (absolute === null) return undefined;
  const host = headers.find(([name]) => name.toLowerCase() === "host");
  if (host === undefined) headers.push(["host", absolute[1]!]);
  else host[1] = absolute[1]!;
  const path = absolute[2] ?? "/";
  return path.startsWith("?") ? `/${path}` : path;
}

function bodyOf(
  headers: RequestHead["headers"],
  version: RequestHead["version"],
): RequestHead["body"] | HeadFault {
  const lengths = headerValues(headers, "content-length");
  const codings = headerValues(headers, "transfer-encoding");
  if (codings.length > 0) {
    if (lengths.length > 0) return { fault: "both Content-Length and Transfer-Encoding" };
    if (version === "1.0" || codings.length > 1 || codings[0]!.toLowerCase() !== "chunked") {
      return { fault: "unsupported Transfer-Encoding" };
    }
    return { kind: "chunked" };
  }
  if (lengths.length === 0) return { kind: "length", bytes: 0 };
  if (lengths.length > 1 || !/^\d{1,15}$/.test(lengths[0]!)) {
    return { fault: "malformed Content-Length" };
  }
  return { kind: "length", bytes: Number(lengths[0]) };
}
