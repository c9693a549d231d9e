import assert from "node:assert/strict";
import { settled } from "../support/settled.ts";
import { Dispatched } from "./dispatched.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** One streamed request to a backend whose body has begun, and is under the test's control. */
class Streamed {
  readonly dispatched: Dispatched;
  readonly client: ReadableStreamDefaultReader<Bytes>;
  readonly #backend: ReadableStreamDefaultController<Bytes>;

  private constructor(
    dispatched: Dispatched,
    parts: {
      readonly response: Response;
      readonly backend: ReadableStreamDefaultController<Bytes>;
    },
  ) {
    assert.ok(parts.response.body !== null);
    this.dispatched = dispatched;
    this.client = parts.response.body.getReader();
    this.#backend = parts.backend;
  }

  static async begin(
    options: {
      readonly status?: number;
      /** The first event. The client has taken it. @default {{ choices: [] }} */
      readonly first?: unknown;
      /** How long it takes after the head. @default {0} */
      readonly firstAfterMs?: number;
      /** Called before the request. */
      readonly prepare?: (dispatched: Dispatched) => void;
    } = {},
  ): Promise<Streamed> {
    const { promise, resolve } = Promise.withResolvers<ReadableStreamDefaultController<Bytes>>();
    const dispatched = new Dispatched(({ signal }) => {
      dispatched.scenario.clock.advance(5);
      const body = new ReadableStream<Bytes>({
        start: (controller) => {
          signal.addEventListener("abort", () => controller.error(signal.reason));
          resolve(controller);
        },
      });
      return new Response(body, {
        status: options.status ?? 200,
        headers: { "content-type": "text/event-stream" },
      });
    }, { timeouts: { firstByteMs: 100, streamingTotalMs: 1_000 } });
    options.prepare?.(dispatched);
    const answer = dispatched.post({ model: "voice", stream: true }, {
      headers: { "x-backend": "a" },
    });
    const backend = await promise;
    await settled();
    dispatched.scenario.clock.advance(options.firstAfterMs ?? 0);
    backend.enqueue(eventBytes(options.first ?? { choices: [] }));
    const streamed = new Streamed(dispatched, { response: await answer, backend });
    await streamed.client.read();
    return streamed;
  }

  /** Has the backend send an event, and the client take it. */
  async event(data: unknown): Promise<void> {
    this.#backend.enqueue(eventBytes(data));
    await this.client.read();
  }

  advance(ms: number): void {
    this.dispatched.scenario.clock.advance(ms);
  }

  async close(): Promise<void> {
    this.#backend.close();
    assert.ok((await this.client.read()).done);
  }

  breaks(): void {
    this.#backend.error(new Error("connection reset"));
  }

  /** What was recorded and logged, when nothing is left that could change it. */
  get result(): unknown {
    const { scenario } = this.dispatched;
    assert.equal(scenario.clock.pending, 0);
    assert.equal(scenario.records.length, 1);
    const record = scenario.records[0]!;
    const { outcome, latency_ms, ttft_ms, input_tokens, output_tokens } = record;
    return {
      outcome,
      latency_ms,
      ttft_ms,
      tokens: [input_tokens, output_tokens],
      failures: this.dispatched.failures("a"),
      warnings: scenario.warnings.map(({ cause }) => cause),
      shown: scenario.failures,
    };
  }
}

function eventBytes(data: unknown): Bytes {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return new TextEncoder().encode(`data: ${text}\n\n`);
}

const USAGE = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } };

Deno.test("observeServed(): a stream that ends as it should", async () => {
  const streamed = await Streamed.begin({
    first: { choices: [{ delta: {}, finish_reason: "length" }] },
    firstAfterMs: 20,
  });
  streamed.advance(500);
  await streamed.event(USAGE);
  await streamed.close();
  assert.deepEqual(streamed.result, {
    outcome: "length",
    latency_ms: 525,
    ttft_ms: 25,
    tokens: [3, 2],
    failures: 0,
    warnings: [],
    shown: [],
  });
});

Deno.test("observeServed(): a stream that breaks off is the backend's failure", async () => {
  const streamed = await Streamed.begin({ first: USAGE });
  streamed.breaks();
  await assert.rejects(streamed.client.read());
  assert.deepEqual(streamed.result, {
    outcome: "upstream_error",
    latency_ms: 5,
    ttft_ms: 5,
    tokens: [3, 2],
    failures: 1,
    warnings: ["broken"],
    shown: [["a", "answer cut off: broken"]],
  });
});

Deno.test("observeServed(): the first byte's time does not go on behind it, the total does", async () => {
  const streamed = await Streamed.begin();
  const read = streamed.client.read();
  await settled();
  streamed.advance(994);
  assert.equal(streamed.dispatched.scenario.records.length, 0);
  streamed.advance(1);
  await assert.rejects(read);
  assert.deepEqual(streamed.result, {
    outcome: "upstream_error",
    latency_ms: 1_000,
    ttft_ms: 5,
    tokens: [0, 0],
    failures: 1,
    warnings: ["timeout"],
    shown: [["a", "answer cut off: timeout"]],
  });
});

Deno.test("observeServed(): a client that takes nothing until the time is over", async () => {
  const streamed = await Streamed.begin();
  streamed.advance(1_000);
  assert.deepEqual(streamed.result, {
    outcome: "client_cancelled",
    latency_ms: 1_000,
    ttft_ms: 5,
    tokens: [0, 0],
    failures: 0,
    warnings: ["client_slow"],
    shown: [],
  });
});

Deno.test("observeServed(): a client that leaves a stream", async () => {
  const streamed = await Streamed.begin();
  await streamed.client.cancel();
  assert.deepEqual(streamed.result, {
    outcome: "client_cancelled",
    latency_ms: 5,
    ttft_ms: 5,
    tokens: [0, 0],
    failures: 0,
    warnings: [],
    shown: [],
  });
});

Deno.test("observeServed(): a stream that breaks off when all was said is no failure", async () => {
  const streamed = await Streamed.begin({ first: USAGE });
  await streamed.event("[DONE]");
  streamed.breaks();
  await assert.rejects(streamed.client.read());
  assert.deepEqual(streamed.result, {
    outcome: "completed",
    latency_ms: 5,
    ttft_ms: 5,
    tokens: [3, 2],
    failures: 0,
    warnings: ["broken"],
    shown: [],
  });
});

Deno.test("observeServed(): the latency average has the first byte's time, however late it comes", async () => {
  const streamed = await Streamed.begin({ firstAfterMs: 70 });
  assert.equal(streamed.dispatched.scenario.backend("a").latency.averageMs, 75);
  streamed.advance(500);
  await streamed.close();
  assert.equal(streamed.dispatched.scenario.backend("a").latency.averageMs, 75);
});

Deno.test("observeServed(): a client that leaves when all was said has left nothing", async () => {
  const streamed = await Streamed.begin({ first: USAGE });
  await streamed.event("[DONE]");
  await streamed.client.cancel();
  assert.deepEqual(streamed.result, {
    outcome: "completed",
    latency_ms: 5,
    ttft_ms: 5,
    tokens: [3, 2],
    failures: 0,
    warnings: [],
    shown: [],
  });
});

Deno.test("observeServed(): an error costs nothing, whatever it says", async () => {
  const streamed = await Streamed.begin({ status: 400, first: USAGE });
  await streamed.close();
  assert.deepEqual(streamed.result, {
    outcome: "upstream_error",
    latency_ms: 5,
    ttft_ms: 5,
    tokens: [0, 0],
    failures: 0,
    warnings: [],
    shown: [],
  });
});

Deno.test("answerResponse() gives the answer's status and listed headers, and the backend's name", async () => {
  const dispatched = new Dispatched(() =>
    new Response("moved", {
      status: 307,
      headers: { "location": "http://internal.test/", "retry-after": "1" },
    })
  );
  const response = await dispatched.post({ model: "voice" });
  assert.deepEqual([response.status, await response.text()], [307, "moved"]);
  assert.deepEqual(Object.fromEntries(response.headers), {
    "content-type": "text/plain;charset=UTF-8",
    "retry-after": "1",
    "x-served-backend": "a",
  });
});

/** Has a backend fail so often. */
function fail({ scenario }: Dispatched, times: number): void {
  const now = scenario.clock.now();
  for (let i = 0; i < times; i++) scenario.backend("a").breaker.acquire(now)?.failure(now);
}

Deno.test("observeServed(): the first byte is a half-open circuit's success, not the end of the stream", async () => {
  const streamed = await Streamed.begin({
    prepare: (dispatched) => {
      const { scenario } = dispatched;
      const { breaker, config } = scenario.backend("a");
      fail(dispatched, config.breaker.failureThreshold);
      assert.equal(breaker.state(scenario.clock.now()).kind, "open");
      scenario.clock.advance(config.breaker.timeoutMs);
    },
  });
  const { scenario } = streamed.dispatched;
  const state = () => scenario.backend("a").breaker.state(scenario.clock.now());
  assert.deepEqual(state(), { kind: "half_open", inFlight: 0, successes: 1 });
  await streamed.close();
  assert.deepEqual(state(), { kind: "half_open", inFlight: 0, successes: 1 });
});
