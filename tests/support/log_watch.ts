/**
 * Looks through every line that a router logs within a test, at the level that says most, for what must never
 * be in a log (spec §8, §13): payloads, keys, tokens, cookies, query strings beyond `model`.
 *
 * Every fixture that runs a router or a part of one hands its lines to {@link watchLine}; `deno task layout`
 * refuses other ways to run one. What must not be logged is known from the configuration, from what test
 * clients and backends send, and by its look. A test during which any of it was logged fails.
 *
 * @module
 */

import assert from "node:assert/strict";
import { setUpLogging } from "../../src/observability/mod.ts";

/** In every secret and payload that a test makes up for this. */
export const MARK = "MARK-";

/** A secret that is shorter would be found by chance. */
const MIN_SECRET_LENGTH = 6;
/** Shorter texts are in lines by chance, such as `ready`. */
const MIN_PAYLOAD_LENGTH = 12;
/** So much of a payload tells it from others. */
const PAYLOAD_START = 40;

/** What is known by its look. */
const PATTERNS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["a marked secret", new RegExp(MARK, "i")],
  ["a credential", /\b(?:bearer|basic) +[\w+/=.-]{6}/i],
  ["a key in a subprotocol", /openai-insecure-api-key/i],
  ["a cookie", /\bcookie\b/i],
  ["a private key or certificate", /-----BEGIN /],
  ["a query string", /[?&](?!model=)[\w.-]+=/],
  ["an encoded payload", /[\w+/]{80}/],
  // The names of realtime events, and the ids that the demo backend gives.
  [
    "a realtime event",
    /\b(?:session|conversation|response|(?:in|out)put_audio_buffer|rate_limits)\.[a-z]+\b/,
  ],
  ["an id of a backend", /\b(?:sess|conv|event|item|resp|call)_\d{4}/],
];

const secrets = new Set<string>();
const payloads = new Set<string>();
const leaks: string[] = [];
const listeners = new Set<(line: string) => void>();
let capturing: Promise<void> | undefined;

Deno.test.afterEach(() => assert.deepEqual(takeLeaks(), [], "the log has what must not be in it"));

/** Has all that this test file's routers log looked through. */
export function captureLogs(): Promise<void> {
  return capturing ??= setUpLogging({
    level: "trace",
    format: "json",
    write: (line) => {
      watchLine(line);
      for (const listener of listeners) listener(line);
    },
  });
}

/** Hears captured lines until it is disposed of. */
export function onLogLine(listener: (line: string) => void): Disposable {
  listeners.add(listener);
  return { [Symbol.dispose]: () => void listeners.delete(listener) };
}

/** Looks through a line of a log, or of what else a router writes. */
export function watchLine(line: string): void {
  const found = [
    ...PATTERNS.filter(([, pattern]) => pattern.test(line)).map(([what]) => what),
    ...[...secrets].filter((secret) => line.includes(secret)).map(() => "a secret"),
    ...[...payloads].filter((payload) => line.includes(payload)).map(() => "a payload"),
  ];
  if (found.length > 0) leaks.push(`${found.join(", ")}: ${line.trimEnd()}`);
}

/**
 * Keys, tokens and the like that are used from now on.
 *
 * @throws {TypeError} When one is so short that it may be in a line by chance.
 */
export function neverToBeLogged(...texts: readonly string[]): void {
  for (const text of texts) {
    if (text.length < MIN_SECRET_LENGTH) {
      throw new TypeError(`a secret of a test needs ${MIN_SECRET_LENGTH} characters: ${text}`);
    }
    secrets.add(text);
  }
}

/** A text that is sent within a session or request. */
export function payloadSent(text: string): void {
  if (text.length < MIN_PAYLOAD_LENGTH) return;
  // A copy: a part of a string would keep all of it in memory.
  payloads.add(text.slice(0, PAYLOAD_START).split("").join(""));
}

/** What was found since the last call, which then counts as seen. */
export function takeLeaks(): readonly string[] {
  return leaks.splice(0);
}
