/**
 * One session from beginning to end, with a `LiveBackend` behind the router.
 *
 * @module
 */

import { openRaw, type RawResponse, requestRaw, upgradeRequest } from "./raw_client.ts";
import { OPCODE, readCloseBody, textOf } from "./raw_peer.ts";
import type { TestRouter } from "./test_router.ts";

/** What a visitor asks for. */
export interface VisitOptions {
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly target?: string;
}

/**
 * Opens a session and ends it. Resolves, when nothing of it is left, to the name of the backend that
 * served it, or to the code of the close frame that came instead.
 */
export async function visit(
  { port, router }: TestRouter,
  options: VisitOptions = {},
): Promise<string | number | null> {
  using client = await openRaw({ port, ...options });
  const first = await client.readMessage();
  const failed = first?.opcode === OPCODE.close;
  await client.sendClose(1000);
  if (!failed) await client.readClose();
  await client.readRest();
  client[Symbol.dispose]();
  await router.sessions.whenEmpty();
  return failed ? readCloseBody(first.payload).code : textOf(first);
}

/** Visits one after the other; how many had which result. */
export async function tallyVisits(
  router: TestRouter,
  count: number,
): Promise<Readonly<Record<string, number>>> {
  const tally: Record<string, number> = {};
  for (let index = 0; index < count; index++) {
    const result = String(await visit(router));
    tally[result] = (tally[result] ?? 0) + 1;
  }
  return tally;
}

/** An upgrade that is refused. */
export async function refusal(
  { port }: TestRouter,
  options: VisitOptions = {},
): Promise<RawResponse & { readonly code: string }> {
  const response = await requestRaw(port, upgradeRequest({ port, ...options }));
  const { error } = JSON.parse(response.body);
  return { ...response, code: error.code };
}
