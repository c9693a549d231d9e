import assert from "node:assert/strict";
import { type DemoBackend, startDemoBackend } from "../../demo/mod.ts";
import { RawClient, type ReceivedEvent, typesOf } from "./raw_client.ts";

const ZERO_USAGE = {
  total_tokens: 0,
  input_tokens: 0,
  output_tokens: 0,
  input_token_details: {
    text_tokens: 0,
    audio_tokens: 0,
    image_tokens: 0,
    cached_tokens: 0,
    cached_tokens_details: { text_tokens: 0, audio_tokens: 0, image_tokens: 0 },
  },
  output_token_details: { text_tokens: 0, audio_tokens: 0 },
};

interface Asked extends AsyncDisposable {
  readonly backend: DemoBackend;
  readonly client: RawClient;
}

/** Asks a new backend for one response that these knobs steer. */
async function ask(metadata: Readonly<Record<string, string>>): Promise<Asked> {
  const backend = await startDemoBackend({ speed: 50 });
  const client = await RawClient.open(`${backend.url}?model=demo-voice`);
  await client.skipTo("session.created");
  const audio = new Uint8Array(4_800).toBase64();
  client.send({
    type: "session.update",
    session: { type: "realtime", audio: { input: { turn_detection: null } } },
  });
  client.send({ type: "input_audio_buffer.append", audio });
  client.send({ type: "input_audio_buffer.commit" });
  await client.skipTo("conversation.item.done");
  client.send({ type: "response.create", response: { metadata } });
  return {
    backend,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await backend.close();
    },
  };
}

/** What the session says from here on, up to the answer of a question asked now. */
async function settled(client: RawClient): Promise<string[]> {
  client.send({ type: "input_audio_buffer.clear" });
  return typesOf(await client.until("input_audio_buffer.cleared")).slice(0, -1);
}

function responseOf(event: ReceivedEvent): Record<string, unknown> {
  return { ...Object(event["response"]) };
}

Deno.test("ResponseRun: fail ends before the first item, with zero usage and no output", async () => {
  await using asked = await ask({ fail: "model_not_found" });
  const events = await asked.client.until("rate_limits.updated");
  assert.deepEqual(typesOf(events), ["response.created", "response.done", "rate_limits.updated"]);
  const { usage, output, status, status_details } = responseOf(events[1] ?? { type: "" });
  assert.deepEqual({ usage, output, status }, { usage: ZERO_USAGE, output: [], status: "failed" });
  assert.partialDeepStrictEqual(status_details, {
    type: "failed",
    error: { type: "server_error", code: "model_not_found" },
  });
});

Deno.test.each([
  { metadata: { maxtok: "10", secs: "2" }, reason: "max_output_tokens", audioTokens: 8 },
  { metadata: { filter: "1", secs: "2" }, reason: "content_filter", audioTokens: 4 },
])("ResponseRun: $metadata ends incomplete", async ({ metadata, reason, audioTokens }) => {
  await using asked = await ask(metadata);
  assert.partialDeepStrictEqual(await asked.client.skipTo("response.done"), {
    response: {
      status: "incomplete",
      status_details: { type: "incomplete", reason },
      output: [{ status: "incomplete" }],
      usage: { input_tokens: 1, output_token_details: { audio_tokens: audioTokens } },
    },
  });
});

Deno.test("ResponseRun: the max_output_tokens of the request counts like the knob", async () => {
  await using asked = await ask({ fail: "1" });
  const { client } = asked;
  await client.skipTo("response.done");
  client.send({ type: "response.create", response: { max_output_tokens: 10 } });
  assert.partialDeepStrictEqual(await client.skipTo("response.done"), {
    response: {
      status: "incomplete",
      max_output_tokens: 10,
      status_details: { reason: "max_output_tokens" },
    },
  });
});

Deno.test.each([
  { metadata: { nousage: "1" }, has: false, usage: undefined },
  { metadata: { nousage: "null" }, has: true, usage: null },
  {
    metadata: { nulldetails: "1" },
    has: true,
    usage: {
      total_tokens: 7,
      input_tokens: 1,
      output_tokens: 6,
      input_token_details: null,
      output_token_details: null,
    },
  },
])("ResponseRun: $metadata changes the usage", async ({ metadata, has, usage }) => {
  await using asked = await ask({ ...metadata, secs: "0.2" });
  const response = responseOf(await asked.client.skipTo("response.done"));
  assert.equal("usage" in response, has);
  assert.deepEqual(response["usage"], usage);
});

Deno.test.each([20_000, 262_144, 262_145])(
  "ResponseRun: big sends one delta of exactly %i bytes more",
  async (bytes) => {
    await using asked = await ask({ big: String(bytes), secs: "0.4" });
    const events = await asked.client.until("response.done");
    const audio = events.filter(({ type }) => type === "response.output_audio.delta");
    assert.equal(audio.length, 3);
    assert.equal(asked.client.sizes.filter((size) => size === bytes).length, 1);
    assert.partialDeepStrictEqual(events.at(-1), {
      response: { usage: { output_token_details: { audio_tokens: 8 } } },
    });
  },
);

Deno.test("ResponseRun: nodone leaves out response.done, and the next response works", async () => {
  await using asked = await ask({ nodone: "1", secs: "0.2" });
  const { client, backend } = asked;
  await client.skipTo("response.output_item.done");
  assert.deepEqual(await settled(client), []);
  client.send({ type: "response.create", response: { metadata: { secs: "0.2" } } });
  await client.skipTo("response.done");
  assert.deepEqual(backend.responses.map(({ response }) => response.id), [
    "resp_0001_0001",
    "resp_0001_0002",
  ]);
});

Deno.test("ResponseRun: dup sends response.done twice, reported once", async () => {
  await using asked = await ask({ dup: "1", secs: "0.2" });
  const { client, backend } = asked;
  const first = responseOf(await client.skipTo("response.done"));
  const second = await client.next();
  assert.deepEqual([second.type, responseOf(second)], ["response.done", first]);
  assert.equal((await client.next()).type, "rate_limits.updated");
  assert.equal(backend.responses.length, 1);
});

Deno.test.each([
  { close: "1000", seen: { code: 1_000, reason: "asked for by metadata" } },
  { close: "1013", seen: { code: 1_013, reason: "asked for by metadata" } },
  { close: "4000", seen: { code: 4_000, reason: "asked for by metadata" } },
  { close: "1005", seen: { code: 1_005, reason: "" } },
])("ResponseRun: close=$close ends the connection after the first chunk", async (row) => {
  await using asked = await ask({ close: row.close });
  const { client, backend } = asked;
  assert.deepEqual(await client.closed, row.seen);
  const types = typesOf(await client.rest());
  assert.equal(types.filter((type) => type === "response.output_audio.delta").length, 1);
  assert.equal(types.includes("response.done"), false);
  assert.deepEqual(backend.responses, []);
});

Deno.test.each([
  { knob: "fin", ending: "FIN" },
  { knob: "die", ending: "RST" },
])(
  "ResponseRun: $knob ends the TCP connection with $ending, without a Close frame",
  async (row) => {
    await using backend = await startDemoBackend({ speed: 50 });
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: backend.port });
    await connection.write(new TextEncoder().encode(
      "GET /v1/realtime?model=demo-voice HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n" +
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    ));
    await connection.write(textFrame(JSON.stringify({
      type: "response.create",
      response: { metadata: { [row.knob]: "1" } },
    })));
    assert.equal(await endingOf(connection), row.ending);
    connection.close();
    assert.deepEqual(await backend.upgrades[0]?.closed, { code: 1_006, reason: "" });
  },
);

/** Reads to the end and tells how that came. */
async function endingOf(connection: Deno.TcpConn): Promise<"FIN" | "RST"> {
  const buffer = new Uint8Array(65_536);
  try {
    for (;;) {
      if (await connection.read(buffer) === null) return "FIN";
    }
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionReset) return "RST";
    throw error;
  }
}

/** A text frame of a client with a mask of zeros; for texts shorter than 126 bytes (RFC 6455 §5.2). */
function textFrame(text: string): Uint8Array {
  const payload = new TextEncoder().encode(text);
  assert.ok(payload.length < 126);
  return new Uint8Array([0x81, 0x80 | payload.length, 0, 0, 0, 0, ...payload]);
}
