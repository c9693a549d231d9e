/**
 * What a talk shows, and what may happen to it. Times are milliseconds of the page's monotonic clock.
 *
 * @module
 */

import type { ServerEvent } from "./server_event.ts";

/** Events of one type in a row. */
export interface TimelineRow {
  /** Grows from row to row. */
  readonly id: number;
  readonly direction: "sent" | "received";
  readonly type: string;
  readonly count: number;
  readonly bytes: number;
  /** Of the first and the last of them. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/** How a turn came about. */
export type TurnSource = "text" | "tone" | "speech" | "detected";

/** Something said or written, and its answer. */
export interface Turn {
  readonly id: number;
  readonly source: TurnSource;
  /** What was written, or what the backend understood. */
  readonly said: string;
  /** When the answer was asked for or, if the backend did that, when the speech ended. */
  readonly beganMs: number;
  readonly answer: string;
  /** From the begin to the first audio; null before. */
  readonly firstAudioMs: number | null;
  /** How long the audio of the answer lasts. */
  readonly audioMs: number;
  /** From the begin to `response.done`; null before. */
  readonly lengthMs: number | null;
  /** Null before the end. */
  readonly status: string | null;
  readonly usage: { readonly input: number; readonly output: number } | null;
}

/** How a connection ended, as the browser tells it. */
export interface TalkEnd {
  /** 1006: without a close frame, or refused. */
  readonly code: number;
  readonly reason: string;
  readonly wasOpen: boolean;
}

/** See the module. Every list is bounded. */
export interface TalkState {
  readonly phase: "idle" | "connecting" | "open" | "closing" | "closed";
  readonly beganMs: number;
  readonly rows: readonly TimelineRow[];
  readonly turns: readonly Turn[];
  readonly end: TalkEnd | null;
  /** Why the router refused the connection, as far as it told. */
  readonly refusal: { readonly code: string; readonly message: string } | null;
  /** The last `error` of the backend. */
  readonly fault: { readonly code: string; readonly message: string } | null;
  readonly microphone: "off" | "opening" | "on";
  /** Why the microphone could not be had; empty when it could. */
  readonly microphoneFault: string;
  /** Samples a second of what the backend says. */
  readonly outputRate: number;
  /** When speech was heard to end; null unless an answer to it is awaited. */
  readonly speechEndedMs: number | null;
}

/** What may happen. */
export type TalkAction =
  | { readonly kind: "connecting"; readonly atMs: number }
  | { readonly kind: "open" }
  | { readonly kind: "closing" }
  | { readonly kind: "closed"; readonly end: Omit<TalkEnd, "wasOpen"> }
  | { readonly kind: "refusal"; readonly code: string; readonly message: string }
  | {
    readonly kind: "sent";
    readonly type: string;
    readonly bytes: number;
    readonly atMs: number;
  }
  | {
    readonly kind: "received";
    readonly event: ServerEvent;
    readonly bytes: number;
    /** How long its audio lasts. */
    readonly audioMs: number;
    readonly atMs: number;
  }
  | {
    readonly kind: "asked";
    readonly source: TurnSource;
    readonly said: string;
    readonly atMs: number;
  }
  | {
    readonly kind: "microphone";
    readonly microphone: TalkState["microphone"];
    readonly fault?: string;
  };

/** Before the first connection. */
export const IDLE_TALK: TalkState = {
  phase: "idle",
  beganMs: 0,
  rows: [],
  turns: [],
  end: null,
  refusal: null,
  fault: null,
  microphone: "off",
  microphoneFault: "",
  outputRate: 24_000,
  speechEndedMs: null,
};

/** Whether an answer is under way. */
export function isAnswering({ turns }: TalkState): boolean {
  const turn = turns.at(-1);
  return turn !== undefined && turn.status === null;
}
