import assert from "node:assert/strict";
import { AnswerBody } from "../../src/dispatch/answer_body.ts";
import { AnswerCutOff, type BodyEnding, relayBody } from "../../src/dispatch/relay_body.ts";
import { settled } from "../support/settled.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A backend's body under a test's control, and its way to the client. */
class Relay {
  readonly stop = new AbortController();
  readonly pieces: string[] = [];
  readonly endings: BodyEnding[] = [];
  /** How often the backend was asked for more. */
  pulls = 0;
  cancelled = false;
  readonly client: ReadableStreamDefaultReader<Bytes>;
  #backend: ReadableStreamDefaultController<Bytes> | undefined;

  constructor(options: { readonly contentLength?: number; readonly stopped?: string } = {}) {
    if (options.stopped !== undefined) this.stop.abort(options.stopped);
    const body = new ReadableStream<Bytes>({
      start: (controller) => {
        this.#backend = controller;
      },
      pull: () => {
        this.pulls++;
      },
      cancel: () => {
        this.cancelled = true;
      },
    }, { highWaterMark: 0 });
    const relayed = relayBody(new AnswerBody(body), {
      signal: this.stop.signal,
      contentLength: options.contentLength ?? null,
      observer: {
        piece: (bytes) => void this.pieces.push(new TextDecoder().decode(bytes)),
        ended: (ending) => void this.endings.push(ending),
      },
    });
    this.client = relayed.getReader();
  }

  sends(text: string): void {
    this.#backend?.enqueue(new TextEncoder().encode(text));
  }

  closes(): void {
    this.#backend?.close();
  }

  breaks(): void {
    this.#backend?.error(new Error("connection reset"));
  }

  async read(): Promise<string | null> {
    const { done, value } = await this.client.read();
    return done ? null : new TextDecoder().decode(value);
  }
}

Deno.test("relayBody() passes pieces on as they come, and the end", async () => {
  const relay = new Relay();
  const first = relay.read();
  await settled();
  relay.sends("a");
  assert.equal(await first, "a");
  assert.deepEqual(relay.pieces, ["a"]);
  relay.sends("b");
  assert.equal(await relay.read(), "b");
  relay.closes();
  assert.equal(await relay.read(), null);
  assert.deepEqual([relay.pieces, relay.endings], [["a", "b"], ["complete"]]);
});

Deno.test("relayBody() asks the backend for no more than the client takes", async () => {
  const relay = new Relay();
  await settled();
  assert.equal(relay.pulls, 0);
  const first = relay.read();
  await settled();
  assert.equal(relay.pulls, 1);
  relay.sends("a");
  await first;
  await settled();
  assert.equal(relay.pulls, 1);
});

Deno.test("relayBody() is complete with the last byte of a known length, and reads the backend's end", async () => {
  const relay = new Relay({ contentLength: 2 });
  const first = relay.read();
  await settled();
  relay.sends("ab");
  assert.equal(await first, "ab");
  assert.deepEqual(relay.endings, ["complete"]);
  assert.equal(await relay.read(), null);
  assert.equal(relay.pulls, 2);
  assert.ok(!relay.cancelled);
});

Deno.test("relayBody() cuts the client off when the backend breaks off", async () => {
  const relay = new Relay();
  const first = relay.read();
  await settled();
  relay.sends("a");
  await first;
  relay.breaks();
  await assert.rejects(relay.read(), AnswerCutOff);
  assert.deepEqual(relay.endings, ["broken"]);
});

Deno.test("relayBody() cancels the backend when the client leaves", async () => {
  const relay = new Relay();
  const first = relay.read();
  await relay.client.cancel();
  assert.equal(await first, null);
  assert.ok(relay.cancelled);
  assert.deepEqual(relay.endings, ["client_gone"]);
  relay.stop.abort("timeout");
  assert.deepEqual(relay.endings, ["client_gone"]);
});

Deno.test("relayBody() is late when it waits for the backend", async () => {
  const relay = new Relay();
  const first = relay.read();
  await settled();
  relay.stop.abort("timeout");
  await assert.rejects(first, AnswerCutOff);
  assert.deepEqual(relay.endings, ["timeout"]);
  assert.ok(relay.cancelled);
});

Deno.test("relayBody() does not blame the backend when the client does not take what is there", async () => {
  const relay = new Relay();
  const first = relay.read();
  await settled();
  relay.sends("a");
  relay.sends("b");
  await first;
  relay.stop.abort("timeout");
  await assert.rejects(relay.read(), AnswerCutOff);
  assert.deepEqual(relay.endings, ["client_slow"]);
  assert.ok(relay.cancelled);
});

Deno.test("relayBody() ends when the request's signal says that the client has gone", async () => {
  const relay = new Relay();
  const first = relay.read();
  await settled();
  relay.stop.abort("client_gone");
  assert.equal(await first, null);
  assert.ok(relay.cancelled);
  assert.deepEqual(relay.endings, ["client_gone"]);
});

Deno.test("relayBody() with a request that has ended passes nothing on", async () => {
  const relay = new Relay({ stopped: "client_gone" });
  assert.ok(relay.cancelled);
  assert.equal(await relay.read(), null);
  assert.deepEqual([relay.pieces, relay.endings], [[], ["client_gone"]]);
});

Deno.test("AnswerCutOff shows no stack where the HTTP server prints it", () => {
  assert.equal(
    Deno.inspect(new AnswerCutOff()),
    "[AnswerCutOff: an answer was cut off after its head]",
  );
});
