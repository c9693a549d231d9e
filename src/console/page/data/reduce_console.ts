/**
 * How the state of the overview changes.
 *
 * @module
 */

import type { RunningSession, SessionEnd, SessionFacts, UsageRecord } from "./admin_types.ts";
import {
  type ConsoleAction,
  type ConsoleState,
  INITIAL_STATE,
  type LiveSession,
} from "./console_state.ts";
import { addSample } from "./series.ts";

/** More sessions than these are counted, not listed. */
export const MAX_SESSIONS = 2_000;
export const MAX_ENDED = 50;
export const MAX_RECORDS = 100;
const MAX_ENDED_IDS = 2_000;

/** The lists of a state while a batch changes them: copied once for a batch, not for each action. */
interface Draft {
  state: ConsoleState;
  sessions: Map<string, LiveSession>;
  endedIds: Set<string>;
  ended: SessionEnd[];
  records: UsageRecord[];
}

/** Applies a batch. */
export function reduceConsole(
  state: ConsoleState,
  actions: readonly ConsoleAction[],
): ConsoleState {
  const draft: Draft = {
    state,
    sessions: new Map(state.sessions),
    endedIds: new Set(state.endedIds),
    ended: [],
    records: [],
  };
  for (const action of actions) apply(draft, action);
  return {
    ...draft.state,
    sessions: bounded(draft.sessions, MAX_SESSIONS),
    endedIds: bounded(draft.endedIds, MAX_ENDED_IDS),
    ended: withEnded(draft.state.ended, draft.ended),
    records: withRecords(draft.state.records, draft.records),
  };
}

function apply(draft: Draft, action: ConsoleAction): void {
  const { sessions } = draft;
  switch (action.kind) {
    case "started":
      // A stream begins before the list is asked for, so that the list may have it already.
      if (!sessions.has(action.session.id) && !draft.endedIds.has(action.session.id)) {
        sessions.set(action.session.id, newSession(action.session, action.atMs));
      }
      break;
    case "ended":
      sessions.delete(action.session.id);
      draft.endedIds.add(action.session.id);
      draft.ended.push(action.session);
      break;
    case "record":
      draft.records.push(action.record);
      break;
    case "closing": {
      const session = sessions.get(action.id);
      if (session !== undefined) sessions.set(action.id, { ...session, state: "closing" });
      break;
    }
    case "sessions":
      takeList(draft, action);
      break;
    case "forget":
      sessions.clear();
      draft.endedIds.clear();
      draft.ended = [];
      draft.records = [];
      draft.state = { ...INITIAL_STATE, link: draft.state.link };
      break;
    default:
      draft.state = withFigures(draft.state, action);
  }
}

type FigureAction = Extract<
  ConsoleAction,
  { readonly kind: "link" | "dropped" | "records" | "statistics" | "backends" }
>;

function withFigures(state: ConsoleState, action: FigureAction): ConsoleState {
  switch (action.kind) {
    case "link":
      return { ...state, link: action.link };
    case "dropped":
      return { ...state, dropped: state.dropped + action.count };
    case "records":
      return { ...state, records: action.records.slice(0, MAX_RECORDS) };
    case "backends":
      return { ...state, backends: action.backends };
    case "statistics": {
      const { statistics, atMs } = action;
      const samples = addSample(state.samples, {
        before: state.statistics,
        now: statistics,
        unixMs: atMs,
      });
      return { ...state, statistics, samples };
    }
  }
}

/** Brings the sessions in line with a list, but for those that began or ended while it was on its way. */
function takeList(
  { sessions, endedIds }: Draft,
  { sessions: list, askedMs, atMs }: Extract<ConsoleAction, { readonly kind: "sessions" }>,
): void {
  const listed = new Set(list.map(({ id }) => id));
  for (const [id, { seenMs }] of sessions) {
    if (!listed.has(id) && seenMs < askedMs) sessions.delete(id);
  }
  for (const session of list.toReversed()) {
    if (endedIds.has(session.id)) continue;
    sessions.set(session.id, listedSession(session, sessions.get(session.id), { atMs }));
  }
}

function newSession(facts: SessionFacts, atMs: number): LiveSession {
  return {
    ...facts,
    age_seconds: 0,
    state: "connecting",
    client_messages: 0,
    client_bytes: 0,
    backend_messages: 0,
    backend_bytes: 0,
    startedMs: atMs,
    seenMs: atMs,
  };
}

/** The two machines' clocks may differ: the age is what counts. */
function listedSession(
  session: RunningSession,
  known: LiveSession | undefined,
  { atMs }: { readonly atMs: number },
): LiveSession {
  const startedMs = known?.startedMs ?? atMs - session.age_seconds * 1000;
  return { ...session, startedMs, seenMs: known?.seenMs ?? atMs };
}

/** The last `limit` members, in the order of their coming. */
function bounded<C extends Map<string, LiveSession> | Set<string>>(members: C, limit: number): C {
  for (const key of members.keys()) {
    if (members.size <= limit) break;
    members.delete(key);
  }
  return members;
}

/** @param more Oldest first. A list that nothing comes to stays the same one: its view need not look again. */
function withEnded(
  ended: readonly SessionEnd[],
  more: readonly SessionEnd[],
): readonly SessionEnd[] {
  return more.length === 0 ? ended : [...more.toReversed(), ...ended].slice(0, MAX_ENDED);
}

/** @param more Oldest first. One that is in the list already is left out. */
function withRecords(
  records: readonly UsageRecord[],
  more: readonly UsageRecord[],
): readonly UsageRecord[] {
  const known = new Set(records.map(({ record_id }) => record_id));
  const added = more.filter(({ record_id }) => !known.has(record_id)).toReversed();
  return added.length === 0 ? records : [...added, ...records].slice(0, MAX_RECORDS);
}
