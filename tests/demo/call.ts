/**
 * A call to a demo backend, for tests of one session.
 *
 * @module
 */

import { type DemoBackend, startDemoBackend } from "../../demo/mod.ts";
import { RawClient } from "./raw_client.ts";

/** A session that leaves it to the client when a turn ends. */
export const MANUAL = { type: "realtime", audio: { input: { turn_detection: null } } };

/** The events that end a spoken answer. */
export const SPOKEN_TAIL: readonly string[] = [
  "response.output_audio.done",
  "response.output_audio_transcript.done",
  "response.content_part.done",
  "conversation.item.done",
  "response.output_item.done",
  "response.done",
];

/** Audio in which nobody speaks. */
export function silence(ms: number): Uint8Array {
  return new Uint8Array(ms * 48);
}

/** A backend and a client whose session has been created. */
export class Call implements AsyncDisposable {
  private constructor(readonly backend: DemoBackend, readonly client: RawClient) {}

  /** Starts a backend and a session, updated by `session`. */
  static async start(session?: object, { speed = 50 } = {}): Promise<Call> {
    const backend = await startDemoBackend({ speed });
    const client = await RawClient.open(`${backend.url}?model=demo-voice`);
    await client.skipTo("session.created");
    if (session !== undefined) {
      client.send({ type: "session.update", session });
      await client.skipTo("session.updated");
    }
    return new Call(backend, client);
  }

  /** Sends audio in chunks. */
  append(pcm: Uint8Array, chunkMs = 100): void {
    for (let at = 0; at < pcm.length; at += chunkMs * 48) {
      const audio = pcm.slice(at, at + chunkMs * 48).toBase64();
      this.client.send({ type: "input_audio_buffer.append", audio });
    }
  }

  /** Sends an event and gives the error that it leads to. */
  async errorOf(event: object): Promise<unknown> {
    this.client.send(event);
    return (await this.client.skipTo("error"))["error"];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.backend.close();
  }
}
