/**
 * The other thread of {@link CoreDistance}: sleeps until it is wanted, then gives back what it is given.
 *
 * @module
 */

/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />

import { CELL, WANTED } from "./core_distance.ts";
import { pinThread } from "./libc.ts";

self.onmessage = ({ data: { core, cells } }: MessageEvent<PeerTask>) => {
  pinThread(core);
  self.postMessage("ready");
  for (;;) {
    Atomics.wait(cells, CELL.isWanted, WANTED.no);
    const wanted = Atomics.load(cells, CELL.isWanted);
    if (wanted === WANTED.never) return self.close();
    if ((Atomics.load(cells, CELL.turn) & 1) === 1) Atomics.add(cells, CELL.turn, 1);
  }
};

/** What the thread is told once. */
interface PeerTask {
  readonly core: number;
  readonly cells: Int32Array<SharedArrayBuffer>;
}
