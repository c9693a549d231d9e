import assert from "node:assert/strict";
import { DiskSync, type SyncableFile } from "../../src/metering/disk_sync.ts";
import { settled } from "../support/settled.ts";

/** A file whose syncs end when the test says so. */
class FakeFile implements SyncableFile {
  readonly syncs: PromiseWithResolvers<void>[] = [];
  closed = false;

  syncData(): Promise<void> {
    const sync = Promise.withResolvers<void>();
    this.syncs.push(sync);
    return sync.promise;
  }

  close(): void {
    this.closed = true;
  }
}

Deno.test("DiskSync.sync() calls while one runs share the next, which starts after it", async () => {
  const file = new FakeFile();
  const disk = new DiskSync(file);
  const ended: string[] = [];
  const track = (name: string) => void disk.sync().then(() => ended.push(name));
  track("first");
  await settled();
  track("second");
  track("third");
  await settled();
  assert.equal(file.syncs.length, 1);
  file.syncs[0]?.resolve();
  await settled();
  assert.deepEqual(ended, ["first"]);
  assert.equal(file.syncs.length, 2);
  file.syncs[1]?.resolve();
  await settled();
  assert.deepEqual(ended, ["first", "second", "third"]);
  assert.equal(file.syncs.length, 2);
});

Deno.test("DiskSync.sync() rejects for those whose sync failed, and for no later one", async () => {
  const file = new FakeFile();
  const disk = new DiskSync(file);
  const first = assert.rejects(disk.sync(), /disk on fire/);
  await settled();
  const second = disk.sync();
  file.syncs[0]?.reject(new Error("disk on fire"));
  await first;
  await settled();
  file.syncs[1]?.resolve();
  await second;
});

Deno.test("DiskSync.close() waits for what runs and what was asked for", async () => {
  const file = new FakeFile();
  const disk = new DiskSync(file);
  void disk.sync();
  await settled();
  const second = assert.rejects(disk.sync(), /disk on fire/);
  const closing = disk.close();
  file.syncs[0]?.resolve();
  await settled();
  assert.equal(file.closed, false);
  file.syncs[1]?.reject(new Error("disk on fire"));
  await closing;
  await second;
  assert.equal(file.closed, true);
});

Deno.test("DiskSync.close() without any sync closes at once", async () => {
  const file = new FakeFile();
  await new DiskSync(file).close();
  assert.equal(file.closed, true);
  assert.equal(file.syncs.length, 0);
});
