/**
 * How a talk changes.
 *
 * @module
 */

import type { ServerEvent } from "./server_event.ts";
import {
  IDLE_TALK,
  isAnswering,
  type TalkAction,
  type TalkState,
  type TimelineRow,
  type Turn,
  type TurnSource,
} from "./talk_state.ts";

export const MAX_ROWS = 300;
export const MAX_TURNS = 30;
/** Of each side of a turn. */
export const MAX_TEXT_CHARS = 4_000;

/** Applies a batch. */
export function reduceTalk(state: TalkState, actions: readonly TalkAction[]): TalkState {
  return actions.reduce(apply, state);
}

function apply(state: TalkState, action: TalkAction): TalkState {
  switch (action.kind) {
    case "connecting":
      return { ...IDLE_TALK, phase: "connecting", beganMs: action.atMs };
    case "open":
      return { ...state, phase: "open" };
    case "closing":
      return { ...state, phase: "closing" };
    case "closed": {
      const wasOpen = state.phase !== "connecting";
      return { ...state, phase: "closed", microphone: "off", end: { ...action.end, wasOpen } };
    }
    case "refusal":
      return { ...state, refusal: { code: action.code, message: action.message } };
    case "microphone":
      return { ...state, microphone: action.microphone, microphoneFault: action.fault ?? "" };
    case "asked":
      return withTurn(state, action);
    case "sent":
      return { ...state, rows: withRow(state.rows, { ...action, direction: "sent" }) };
    case "received": {
      const { event, bytes, atMs } = action;
      const rows = withRow(state.rows, { direction: "received", type: event.type, bytes, atMs });
      return received({ ...state, rows }, event, action);
    }
  }
}

function received(
  state: TalkState,
  event: ServerEvent,
  { audioMs, atMs }: { readonly audioMs: number; readonly atMs: number },
): TalkState {
  switch (event.kind) {
    case "session":
      return { ...state, outputRate: event.outputRate ?? state.outputRate };
    case "error":
      return { ...state, fault: { code: event.code, message: event.message } };
    case "speech-stopped":
      return { ...state, speechEndedMs: atMs };
    case "response-created":
      // The answer that was asked for, or one that the backend gives by itself.
      return isAnswering(state) ? state : withTurn(state, {
        source: "detected",
        said: "",
        atMs: state.speechEndedMs ?? atMs,
      });
    case "audio":
      return changeLast(state, (turn) => ({
        firstAudioMs: turn.firstAudioMs ?? atMs - turn.beganMs,
        audioMs: turn.audioMs + audioMs,
      }));
    case "words":
      return changeLast(state, (turn) => ({ answer: cut(turn.answer + event.text) }));
    case "heard":
      return changeLast(state, (turn) => turn.said === "" ? { said: cut(event.text) } : {});
    case "response-done":
      return changeLast(state, (turn) => ({
        lengthMs: turn.lengthMs ?? atMs - turn.beganMs,
        status: turn.status ?? event.status,
        usage: turn.usage ?? event.usage,
      }));
    default:
      return state;
  }
}

function withTurn(
  state: TalkState,
  { source, said, atMs }: {
    readonly source: TurnSource;
    readonly said: string;
    readonly atMs: number;
  },
): TalkState {
  const turn: Turn = {
    id: (state.turns.at(-1)?.id ?? 0) + 1,
    source,
    said: cut(said),
    beganMs: atMs,
    answer: "",
    firstAudioMs: null,
    audioMs: 0,
    lengthMs: null,
    status: null,
    usage: null,
  };
  const turns = [...state.turns.slice(-(MAX_TURNS - 1)), turn];
  return { ...state, turns, speechEndedMs: null, fault: null };
}

function changeLast(state: TalkState, change: (turn: Turn) => Partial<Turn>): TalkState {
  const turn = state.turns.at(-1);
  if (turn === undefined) return state;
  return { ...state, turns: state.turns.with(-1, { ...turn, ...change(turn) }) };
}

/**
 * Adds an event to the timeline. Those that come in streams, such as audio, share a row with the ones before
 * them, also when two streams are mixed.
 */
function withRow(
  rows: readonly TimelineRow[],
  { direction, type, bytes, atMs }: {
    readonly direction: "sent" | "received";
    readonly type: string;
    readonly bytes: number;
    readonly atMs: number;
  },
): readonly TimelineRow[] {
  for (let at = rows.length - 1; isStream(type) && at >= Math.max(0, rows.length - 4); at--) {
    const row = rows[at]!;
    if (row.type === type && row.direction === direction) {
      const longer = { count: row.count + 1, bytes: row.bytes + bytes, lastMs: atMs };
      return rows.with(at, { ...row, ...longer });
    }
    if (!isStream(row.type)) break;
  }
  const id = (rows.at(-1)?.id ?? 0) + 1;
  const row = { id, direction, type, count: 1, bytes, firstMs: atMs, lastMs: atMs };
  return [...rows.slice(-(MAX_ROWS - 1)), row];
}

function isStream(type: string): boolean {
  return type.endsWith(".delta") || type.endsWith(".append");
}

function cut(text: string): string {
  return text.length <= MAX_TEXT_CHARS ? text : `${text.slice(0, MAX_TEXT_CHARS - 1)}…`;
}
