/**
 * The control plane against a hub over real HTTP, with a spool on disk and a clock under the test's control.
 *
 * Needs net, and to read and write the folder of {@link RUNTIME_DIR}.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import {
  type ControlPlane,
  type ControlPlaneSettings,
  startControlPlane,
} from "../../src/metering/mod.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { TestHub } from "../support/hub.ts";
import { RecordingLog } from "../support/recording_log.ts";
import { settled } from "../support/settled.ts";
import { readSpool } from "../support/spool_rows.ts";
import { RUNTIME_DIR } from "../support/test_router.ts";
import { usageRecords } from "../support/usage_records.ts";

const COMMIT_MS = 20;
const FLUSH_MS = 5_000;
const REFRESH_MS = 60_000;
const WAITS = "usage records wait for the hub";
const ids = (from: number, to: number) => usageRecords(from, to).map(({ record_id }) => record_id);

/** A control plane with all that tests look at. */
interface Setting {
  readonly plane: ControlPlane;
  readonly clock: FakeClock;
  readonly log: RecordingLog;
  readonly counts: { delivered: number; deadLettered: number; dropped: number };
  readonly record: (from: number, to: number) => void;
  /** Lets time pass until records are committed and the next batch is on its way. */
  readonly send: () => Promise<void>;
  /** Resolves when that many records have been delivered since the start. */
  readonly delivered: (count: number) => Promise<void>;
}

async function start(
  settings: Pick<ControlPlaneSettings, "url" | "spoolPath"> & Partial<ControlPlaneSettings>,
): Promise<Setting> {
  const clock = new FakeClock();
  const log = new RecordingLog();
  const counts = { delivered: 0, deadLettered: 0, dropped: 0 };
  const waiters = new Set<() => void>();
  const add = (name: keyof typeof counts) => (count: number) => {
    counts[name] += count;
    waiters.forEach((tell) => tell());
  };
  const plane = await startControlPlane({
    token: "hub-token",
    routerId: "router-1",
    flushIntervalMs: FLUSH_MS,
    batchSize: 10,
    spoolMaxRecords: 1_000,
    credentialsRefreshMs: REFRESH_MS,
    ...settings,
  }, {
    log,
    clock,
    random: () => 0,
    observer: {
      delivered: add("delivered"),
      deadLettered: add("deadLettered"),
      dropped: add("dropped"),
    },
  });
  return {
    plane,
    clock,
    log,
    counts,
    record: (from, to) => usageRecords(from, to).forEach((record) => plane.sink.record(record)),
    send: async () => {
      clock.advance(COMMIT_MS);
      await settled();
      clock.advance(FLUSH_MS);
    },
    delivered: (count) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const tell = () => counts.delivered >= count && resolve();
      waiters.add(tell);
      tell();
      return promise;
    },
  };
}

/** Runs a test with a hub and the path of a spool that is not there yet. */
async function withHub(run: (hub: TestHub, spoolPath: string) => Promise<void>): Promise<void> {
  await Deno.mkdir(RUNTIME_DIR, { recursive: true, mode: 0o700 });
  const dir = await Deno.makeTempDir({ dir: RUNTIME_DIR, prefix: "hub-" });
  await using hub = await TestHub.start();
  try {
    await run(hub, join(dir, "data", "usage.db"));
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("records reach the hub as they are, with router, batch and token, and leave the spool", async () => {
  await withHub(async (hub, spoolPath) => {
    const { plane, record, send, delivered, counts } = await start({ url: hub.url, spoolPath });
    record(1, 4);
    assert.equal(plane.pending, 3);
    await send();
    await delivered(3);
    assert.deepEqual([...hub.records.values()].map((text) => JSON.parse(text)), usageRecords(1, 4));
    const [batch] = hub.batches;
    assert.equal(batch?.routerId, "router-1");
    assert.equal(batch?.headers["authorization"], "Bearer hub-token");
    assert.equal(batch?.headers["content-type"], "application/json");
    assert.equal(plane.pending, 0);
    await plane.close();
    assert.deepEqual(counts, { delivered: 3, deadLettered: 0, dropped: 0 });
    assert.deepEqual(readSpool(spoolPath), { records: [], deadLetters: [] });
  });
});

Deno.test("records made while the hub is down wait, outlive the process and are sent by the next", async () => {
  await withHub(async (hub, spoolPath) => {
    await hub.down();
    const first = await start({ url: hub.url, spoolPath });
    first.record(1, 26);
    const waits = first.log.next(WAITS);
    await first.send();
    await waits;
    assert.equal(first.plane.pending, 25);
    await first.plane.close();
    assert.equal(first.log.texts.at(-1), "warn usage records stay in the spool");
    assert.equal(readSpool(spoolPath).records.length, 25);

    await hub.up();
    const second = await start({ url: hub.url, spoolPath });
    assert.equal(second.plane.pending, 25);
    second.record(26, 28);
    second.clock.advance(0);
    await hub.whenTaken(10);
    await second.plane.close();
    assert.deepEqual([...hub.records.keys()], ids(1, 28));
    assert.deepEqual(second.counts, { delivered: 27, deadLettered: 0, dropped: 0 });
  });
});

Deno.test.each(
  [
    { name: "500", step: { kind: "status", status: 500 }, waitMs: 1_000 },
    {
      name: "429 with Retry-After: 7",
      step: { kind: "status", status: 429, headers: { "retry-after": "7" } },
      waitMs: 7_000,
    },
    {
      name: "a redirect",
      step: { kind: "status", status: 307, headers: { location: "/v1/elsewhere" } },
      waitMs: 1_000,
    },
    { name: "a cut connection after taking it", step: { kind: "drop" }, waitMs: 1_000 },
  ] as const,
)("a batch answered with $name is sent again as it was", async ({ step, waitMs }) => {
  await withHub(async (hub, spoolPath) => {
    hub.usually = step;
    const { plane, record, send, delivered, log, clock } = await start({ url: hub.url, spoolPath });
    record(1, 4);
    const waits = log.next(WAITS);
    await send();
    await waits;
    hub.usually = { kind: "accept" };
    record(4, 6);
    // The runtime itself asks once more when a connection that it had used before is cut.
    const tries = hub.batches.length;
    clock.advance(waitMs - 1);
    assert.equal(hub.batches.length, tries);
    clock.advance(1);
    await delivered(3);
    assert.equal(hub.batches.length, tries + 1);
    assert.deepEqual([...new Set(hub.batches.map(({ id }) => id))], [hub.batches[0]?.id]);
    assert.ok(hub.batches.every(({ recordIds }) => recordIds.join() === ids(1, 4).join()));
    await plane.close();
    assert.deepEqual([...hub.records.keys()], ids(1, 6));
    assert.deepEqual(hub.conflicts, []);
  });
});

Deno.test("a batch answered 400 is in the dead-letter table and later ones are delivered", async () => {
  await withHub(async (hub, spoolPath) => {
    hub.next({ kind: "status", status: 400, body: "the secret is 42" });
    const setting = await start({ url: hub.url, spoolPath });
    const { plane, record, send, delivered, log, clock, counts } = setting;
    record(1, 4);
    const waits = log.next(WAITS);
    await send();
    await waits;
    assert.equal(plane.deadLetters, 3);
    record(4, 6);
    clock.advance(1_000);
    await delivered(2);
    await plane.close();
    assert.deepEqual(counts, { delivered: 2, deadLettered: 3, dropped: 0 });
    const { deadLetters } = readSpool(spoolPath);
    assert.deepEqual(deadLetters.map(({ record }) => record), usageRecords(1, 4));
    assert.ok(
      deadLetters.every(({ batchId, httpStatus }) =>
        batchId === hub.batches[0]?.id && httpStatus === 400
      ),
    );
    assert.ok(!JSON.stringify(log.lines).includes("secret"), "the answer must not be logged");
  });
});

Deno.test("a full spool drops the oldest, which are counted, and the hub gets the rest", async () => {
  await withHub(async (hub, spoolPath) => {
    await hub.down();
    const setting = await start({ url: hub.url, spoolPath, spoolMaxRecords: 20 });
    const { plane, record, clock, counts } = setting;
    record(1, 51);
    clock.advance(COMMIT_MS);
    assert.equal(plane.pending, 20);
    await hub.up();
    await plane.close();
    assert.deepEqual([...hub.records.keys()], ids(31, 51));
    assert.deepEqual(counts, { delivered: 20, deadLettered: 0, dropped: 30 });
  });
});

Deno.test("close() ends within its time though the hub never answers, and loses nothing", async () => {
  await withHub(async (hub, spoolPath) => {
    hub.usually = { kind: "hold" };
    const { plane, record, clock } = await start({ url: hub.url, spoolPath });
    record(1, 4);
    const closing = plane.close();
    await hub.whenBatches(1);
    clock.advance(5_000);
    await closing;
    assert.equal(plane.close(), plane.close());
    assert.equal(clock.pending, 0);
    assert.equal(readSpool(spoolPath).records.length, 3);
  });
});

Deno.test("credentials come before the start is over, change, and stay when the hub is away", async () => {
  await withHub(async (hub, spoolPath) => {
    hub.credentials = { b0: "hub-key-1" };
    const { plane, clock, log } = await start({ url: hub.url, spoolPath });
    assert.equal(plane.credentialOf("b0"), "hub-key-1");
    assert.equal(plane.credentialOf("b1"), undefined);
    hub.credentials = { b0: "hub-key-2", b1: "hub-key-3" };
    const changed = log.next("new credentials from the hub");
    clock.advance(REFRESH_MS);
    await changed;
    assert.equal(plane.credentialOf("b0"), "hub-key-2");
    assert.equal(plane.credentialOf("b1"), "hub-key-3");
    await hub.down();
    const kept = log.next("no new credentials from the hub, the last known ones stay");
    clock.advance(REFRESH_MS);
    await kept;
    assert.equal(plane.credentialOf("b0"), "hub-key-2");
    await plane.close();
    assert.equal(hub.credentialRequests, 2);
    assert.doesNotMatch(JSON.stringify(log.lines), /key-\d/);
  });
});

Deno.test("credentials of more than 1 MiB are refused while they come", async () => {
  await withHub(async (hub, spoolPath) => {
    hub.credentials = `{"credentials":{"b0":{"api_key":"hub-key-1"}},"more":"${
      "x".repeat(1 << 20)
    }"}`;
    const { plane, log } = await start({ url: hub.url, spoolPath });
    assert.equal(plane.credentialOf("b0"), undefined);
    assert.equal(log.lines[0]?.fields["cause"], "answer too large");
    await plane.close();
  });
});

Deno.test("startControlPlane() does not wait for ever for a hub that accepts and is silent", async () => {
  await withHub(async (_hub, spoolPath) => {
    using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const accepted = silent.accept();
    const clock = new FakeClock();
    const starting = startControlPlane({
      url: `http://127.0.0.1:${silent.addr.port}`,
      token: "hub-token",
      routerId: "router-1",
      flushIntervalMs: FLUSH_MS,
      batchSize: 10,
      spoolPath,
      spoolMaxRecords: 10,
      credentialsRefreshMs: REFRESH_MS,
    }, {
      log: new RecordingLog(),
      clock,
      observer: { delivered: () => {}, deadLettered: () => {}, dropped: () => {} },
    });
    using _connection = await accepted;
    clock.advance(2_000);
    const plane = await starting;
    await plane.close();
    assert.equal(clock.pending, 0);
  });
});

Deno.test("the spool is for its owner only, also one that was there before", async () => {
  await withHub(async (hub, spoolPath) => {
    const modeOf = async (path: string) => ((await Deno.stat(path)).mode ?? 0) & 0o777;
    const first = await start({ url: hub.url, spoolPath });
    assert.equal(await modeOf(join(spoolPath, "..")), 0o700);
    for (const name of [spoolPath, `${spoolPath}-wal`]) assert.equal(await modeOf(name), 0o600);
    await first.plane.close();
    await Deno.chmod(spoolPath, 0o644);
    const second = await start({ url: hub.url, spoolPath });
    for (const name of [spoolPath, `${spoolPath}-wal`]) assert.equal(await modeOf(name), 0o600);
    await second.plane.close();
  });
});

Deno.test("startControlPlane() says in one line why the spool cannot be opened", async () => {
  await withHub(async (hub, spoolPath) => {
    const folder = join(spoolPath, "..");
    await Deno.mkdir(join(folder, "folder.db"), { recursive: true });
    await Deno.writeTextFile(join(folder, "text.db"), "no database ".repeat(1_000));
    const other = await start({ url: hub.url, spoolPath });
    const cases = [
      { path: join(folder, "folder.db"), reason: /\(os error \d+\)|not a file/ },
      { path: join(folder, "text.db"), reason: /file is not a database$/ },
      { path: join(folder, "text.db", "usage.db"), reason: /\(os error \d+\)/ },
      { path: spoolPath, reason: /it is in use already$/ },
    ];
    for (const { path, reason } of cases) {
      await assert.rejects(start({ url: hub.url, spoolPath: path }), (error) => {
        assert.ok(error instanceof Error);
        assert.ok(error.message.startsWith(`usage spool ${path} cannot be opened: `));
        assert.match(error.message, reason);
        assert.doesNotMatch(error.message, /\n/);
        return true;
      });
    }
    await other.plane.close();
  });
});
