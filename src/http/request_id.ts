/**
 * Request ids (spec §10).
 *
 * @module
 */

const SANE = /^[A-Za-z0-9._:+/=@-]{1,128}$/;

/** The id of an HTTP request: the client's own if it is a sane token, else a new one. */
export function httpRequestId(sent: string | null): string {
  return sent !== null && SANE.test(sent) ? sent : crypto.randomUUID();
}
