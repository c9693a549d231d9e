/**
 * What subjects are asked to carry.
 *
 * @module
 */

/** Sessions that each keep a number of messages in flight. */
export interface ClosedLoad {
  readonly kind: "closed";
  readonly name: string;
  readonly sessions: number;
  readonly inFlight: number;
  readonly messageBytes: number;
  readonly durationMs: number;
}

/** Sessions that send when it is time, whatever came of the earlier messages. */
export interface PacedLoad {
  readonly kind: "paced";
  readonly name: string;
  readonly pattern: Pattern;
  readonly sessions: number;
  readonly durationMs: number;
}

/** Sessions that all want to begin at once. */
export interface StormLoad {
  readonly kind: "storm";
  readonly name: string;
  readonly sessions: number;
  /** Handshakes under way at a time. */
  readonly atOnce: number;
  /** How often they come, and are closed again, in one sample. */
  readonly waves: number;
}

/** Sessions that do nothing after one echo of 2 KB. */
export interface IdleLoad {
  readonly kind: "idle";
  readonly name: string;
  readonly sessions: number;
  /** How long the process is left alone before its memory is read. */
  readonly settleMs: number;
}

export type Load = ClosedLoad | PacedLoad | StormLoad | IdleLoad;

/**
 * How paced sessions talk. `voice`: 25 messages a second up, of 1.3 KB; every second one of them is answered
 * with a burst, which is a second of 24 kHz PCM16 in deltas of 200 ms, as base64. `even`: 4,000 messages of
 * 2.5 KB a second in all, however many sessions share them, and each is answered with one.
 */
export type Pattern = "voice" | "even";

/** What a session sends and is sent. */
export interface Stream {
  readonly perSecond: number;
  readonly upBytes: number;
  /** One of so many messages is answered, with a burst of others. */
  readonly answerEvery: number;
  readonly burst: number;
  readonly downBytes: number;
}

const EVEN_PER_SECOND = 4_000;

/** The stream of each session of a paced load. */
export function streamOf({ pattern, sessions }: Pick<PacedLoad, "pattern" | "sessions">): Stream {
  return pattern === "voice"
    ? { perSecond: 25, upBytes: 1_300, answerEvery: 25, burst: 5, downBytes: 13_000 }
    : {
      ...{ perSecond: EVEN_PER_SECOND / sessions, upBytes: 2_500, answerEvery: 1 },
      ...{ burst: 1, downBytes: 2_500 },
    };
}

const SIZES = [200, 2_500, 16_000];
const IN_FLIGHT = [1, 4];
const FEW = 32;
const CROWD = 1_000;

/** How long and how large loads are. */
export interface Scale {
  readonly closedMs: number;
  readonly pacedMs: number;
  readonly sizes: readonly number[];
  /** Of the closed loop that shows what many sessions cost beside few. */
  readonly crowds: readonly number[];
  readonly voiceSessions: readonly number[];
  readonly evenSessions: readonly number[];
  readonly stormSessions: number;
  readonly stormWaves: number;
  readonly idleSessions: number;
  readonly settleMs: number;
}

/** What figures are taken from. */
export const FULL: Scale = {
  closedMs: 2_000,
  pacedMs: 2_500,
  sizes: SIZES,
  crowds: [CROWD],
  voiceSessions: [32, 256, 1_000],
  evenSessions: [32, 1_000],
  stormSessions: 1_000,
  stormWaves: 5,
  idleSessions: 1_000,
  settleMs: 2_000,
};

/** What shows that everything runs. */
export const QUICK: Scale = {
  closedMs: 500,
  pacedMs: 1_000,
  sizes: [2_500],
  crowds: [],
  voiceSessions: [32, 256],
  evenSessions: [32],
  stormSessions: 200,
  stormWaves: 2,
  idleSessions: 200,
  settleMs: 500,
};

/** All loads of that scale, in the order in which they run. */
export function loadsOf(scale: Scale): readonly Load[] {
  return [
    ...scale.sizes.flatMap((messageBytes) =>
      IN_FLIGHT.map((inFlight) => ({
        kind: "closed" as const,
        name: `closed-${messageBytes}x${inFlight}`,
        sessions: FEW,
        inFlight,
        messageBytes,
        durationMs: scale.closedMs,
      }))
    ),
    ...scale.crowds.map((sessions) => ({
      kind: "closed" as const,
      name: `crowd-${sessions}`,
      sessions,
      inFlight: 1,
      messageBytes: 2_500,
      durationMs: scale.closedMs,
    })),
    ...scale.voiceSessions.map((sessions) => paced("voice", { sessions, scale })),
    ...scale.evenSessions.map((sessions) => paced("even", { sessions, scale })),
    {
      ...{ kind: "storm", name: "storm", sessions: scale.stormSessions },
      ...{ atOnce: 64, waves: scale.stormWaves },
    },
    { kind: "idle", name: "idle", sessions: scale.idleSessions, settleMs: scale.settleMs },
  ];
}

function paced(
  pattern: Pattern,
  { sessions, scale }: { readonly sessions: number; readonly scale: Scale },
): PacedLoad {
  const name = `${pattern}-${sessions}`;
  return { kind: "paced", name, pattern, sessions, durationMs: scale.pacedMs };
}

/** The paced loads of a pattern, of the fewest sessions first. */
export function pacedBy(pattern: Pattern, loads: readonly Load[]): readonly PacedLoad[] {
  return loads.filter((load) => load.kind === "paced").filter((load) => load.pattern === pattern);
}

/** Whether it is a closed loop of so many sessions that its times say nothing but how they queue. */
export function isCrowd(load: Load): boolean {
  return load.kind === "closed" && load.sessions > FEW;
}

/**
 * Whether cores may sleep under it when they have nothing to do. Under the even loads they may: what a core
 * loses meanwhile is part of what few sessions cost. Elsewhere they are kept awake, because the time in which a
 * core of a virtual machine wakes up is another one every few seconds.
 */
export function letsCoresSleep(load: Load): boolean {
  return load.kind === "paced" && load.pattern === "even";
}

/** What a load is, for a reader. */
export function describeLoad(load: Load): string {
  switch (load.kind) {
    case "closed":
      return `${count(load.sessions)} sessions, ${load.inFlight} in flight, ${
        size(load.messageBytes)
      }`;
    case "paced":
      return load.pattern === "voice"
        ? `paced voice, ${count(load.sessions)} sessions`
        : `${count(EVEN_PER_SECOND)} messages a second over ${count(load.sessions)} sessions`;
    case "storm":
      return `storm of ${count(load.sessions)} sessions, ${load.atOnce} at once`;
    case "idle":
      return `${count(load.sessions)} idle sessions`;
  }
}

function size(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : `${bytes / 1_000} KB`;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
