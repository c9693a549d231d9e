/**
 * A conversation with a model through the router: the connection, the microphone and the loudspeaker.
 *
 * @module
 */

import { type Microphone, openMicrophone } from "../audio/microphone.ts";
import { fromBase64, pcmMilliseconds, SAMPLE_RATE, toBase64 } from "../audio/pcm.ts";
import { sampleTone, silence } from "../audio/sample_tone.ts";
import { Speaker } from "../audio/speaker.ts";
import { Store } from "../data/store.ts";
import {
  ANSWER,
  appendAudio,
  CANCEL,
  type ClientEvent,
  COMMIT,
  sessionUpdate,
  truncateItem,
  type TurnEnds,
  writtenItem,
} from "./client_event.ts";
import { reduceTalk } from "./reduce_talk.ts";
import { askRefusal } from "./talk_access.ts";
import { readServerEvent, type ServerEvent } from "./server_event.ts";
import { IDLE_TALK, isAnswering, type TalkAction, type TalkState } from "./talk_state.ts";

const TONE_MS = 1_000;
/** More than what backends take as the end of a turn. */
const SILENCE_MS = 1_000;
const PIECE_MS = 100;
/** Less is no turn for a backend. */
const MIN_SPEECH_MS = 100;
const NORMAL_CLOSURE = 1000;

/** See the module. One conversation at a time. */
export class TalkClient {
  readonly store: Store<TalkState, TalkAction>;
  readonly #base: string;
  #socket: WebSocket | null = null;
  #speaker: Speaker | null = null;
  #microphone: Microphone | null = null;
  #turnEnds: TurnEnds = "by-hand";
  /** What was said since the last turn. */
  #saidMs = 0;

  /** @param base The router's origin, such as `http://localhost:8080`. */
  constructor(base: string) {
    this.#base = base;
    this.store = new Store(IDLE_TALK, reduceTalk, {
      after: (ms, callback) => void setTimeout(callback, ms),
      batchMs: 100,
    });
  }

  /** Begins a conversation. Call it in answer to a click, so that the browser lets it be heard. */
  connect(model: string, options: { readonly turnEnds: TurnEnds }): void {
    if (this.#socket !== null) return;
    const url = `${this.#base.replace(/^http/, "ws")}/v1/realtime?model=${
      encodeURIComponent(model)
    }`;
    const socket = new WebSocket(url, "realtime");
    this.#socket = socket;
    this.#turnEnds = options.turnEnds;
    this.#saidMs = 0;
    this.#speaker = new Speaker();
    this.#tell({ kind: "connecting", atMs: performance.now() });
    let wasOpen = false;
    socket.onopen = () => {
      wasOpen = true;
      this.#tell({ kind: "open" });
    };
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onclose = ({ code, reason }) => {
      this.#socket = null;
      this.#microphone?.close();
      this.#microphone = null;
      this.#speaker?.close();
      this.#speaker = null;
      this.#tell({ kind: "closed", end: { code, reason } });
      if (!wasOpen) void this.#askWhy(model);
    };
  }

  /** Ends the conversation. */
  disconnect(): void {
    if (this.#socket === null) return;
    this.#tell({ kind: "closing" });
    this.#socket.close(NORMAL_CLOSURE);
  }

  /** Says the built-in sample. */
  sendTone(): void {
    this.#interruptPlayback();
    const listens = this.#turnEnds === "detected";
    for (
      const pcm of listens ? [sampleTone(TONE_MS), silence(SILENCE_MS)] : [sampleTone(TONE_MS)]
    ) {
      this.#say(pcm);
    }
    if (!listens) this.#finishTurn("tone");
  }

  /** Sends something written and asks for an answer. */
  sendText(text: string): void {
    this.#interruptPlayback();
    this.#send(writtenItem(text));
    this.#ask("text", text);
  }

  /** Opens the microphone. */
  async startSpeaking(): Promise<void> {
    this.#interruptPlayback();
    this.#tell({ kind: "microphone", microphone: "opening" });
    try {
      const microphone = await openMicrophone((pcm) => this.#say(pcm));
      if (this.#socket === null) return microphone.close();
      this.#microphone = microphone;
      this.#tell({ kind: "microphone", microphone: "on" });
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      this.#tell({ kind: "microphone", microphone: "off", fault });
    }
  }

  /** Closes the microphone. Unless the backend finds the end by itself, the turn is over by that. */
  stopSpeaking(): void {
    this.#microphone?.close();
    this.#microphone = null;
    this.#tell({ kind: "microphone", microphone: "off" });
    if (this.#turnEnds === "by-hand" && this.#saidMs >= MIN_SPEECH_MS) this.#finishTurn("speech");
  }

  /** Ends the answer under way, and what of it is still to be heard. */
  interrupt(): void {
    this.store.flush();
    if (isAnswering(this.store.state)) this.#send(CANCEL);
    this.#interruptPlayback();
  }

  async #askWhy(model: string): Promise<void> {
    const refusal = await askRefusal((input, init) => fetch(input, init), model);
    if (refusal !== null && this.#socket === null) this.#tell({ kind: "refusal", ...refusal });
  }

  #take(data: unknown): void {
    const atMs = performance.now();
    if (typeof data !== "string") {
      const bytes = data instanceof Blob ? data.size : 0;
      const event: ServerEvent = { type: "(binary)", kind: "other" };
      return this.#tell({ kind: "received", event, bytes, audioMs: 0, atMs });
    }
    const event = readServerEvent(data);
    const pcm = event.kind === "audio" ? fromBase64(event.base64) : null;
    const { outputRate: sampleRate } = this.store.state;
    const audioMs = pcm === null ? 0 : pcmMilliseconds(pcm.length, sampleRate);
    this.#tell({ kind: "received", event, bytes: byteLength(data), audioMs, atMs });
    if (event.kind === "audio" && pcm !== null) {
      this.#speaker?.play(pcm, { itemId: event.itemId, sampleRate });
    } else if (event.kind === "speech-started") {
      // The person speaks over the answer: the backend ends it, what is left of it is not heard.
      this.#interruptPlayback();
    } else if (event.type === "session.created" && event.kind === "session") {
      this.#send(sessionUpdate(this.#turnEnds, event));
    }
  }

  #say(pcm: Uint8Array): void {
    const piece = (SAMPLE_RATE * PIECE_MS * 2) / 1000;
    for (let at = 0; at < pcm.length; at += piece) {
      this.#send(appendAudio(toBase64(pcm.subarray(at, at + piece))));
    }
    this.#saidMs += pcmMilliseconds(pcm.length, SAMPLE_RATE);
  }

  #finishTurn(source: "tone" | "speech"): void {
    this.#saidMs = 0;
    this.#send(COMMIT);
    this.#ask(source, "");
  }

  #ask(source: "text" | "tone" | "speech", said: string): void {
    this.#tell({ kind: "asked", source, said, atMs: performance.now() });
    this.#send(ANSWER);
  }

  #interruptPlayback(): void {
    const cutOff = this.#speaker?.stop() ?? null;
    if (cutOff !== null && cutOff.itemId !== "") this.#send(truncateItem(cutOff));
  }

  #send(event: ClientEvent): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const text = JSON.stringify(event);
    this.#socket.send(text);
    this.#tell({
      kind: "sent",
      type: event.type,
      bytes: byteLength(text),
      atMs: performance.now(),
    });
  }

  #tell(action: TalkAction): void {
    this.store.dispatch(action);
  }
}

/** Bytes in UTF-8. Nearly all that is sent is ASCII. */
function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
