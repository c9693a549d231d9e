/**
 * Prints what goes over a connection as a timeline: direction, kind, how many, how large, when. Never contents.
 *
 * @module
 */

/** Where a message goes, as seen from the client. */
export type Direction = "→" | "←";

/** What a timeline writes with and reads the time from. */
export interface TimelineOptions {
  readonly log: (line: string) => void;
  /** A monotonic clock, in milliseconds. */
  readonly nowMs: () => number;
}

interface Group {
  readonly direction: Direction;
  readonly kind: string;
  readonly firstMs: number;
  lastMs: number;
  count: number;
  bytes: number;
}

const KIND_WIDTH = 52;
const MAX_KIND_CHARS = 80;

/** Joins the pieces of a stream, even when two streams alternate, into one line each. */
export class Timeline {
  readonly #log: (line: string) => void;
  readonly #nowMs: () => number;
  readonly #startMs: number;
  readonly #groups = new Map<string, Group>();

  constructor({ log, nowMs }: TimelineOptions) {
    this.#log = log;
    this.#nowMs = nowMs;
    this.#startMs = nowMs();
  }

  /** Adds one message. */
  add(direction: Direction, kind: string, { bytes }: { readonly bytes: number }): void {
    const atMs = this.#nowMs() - this.#startMs;
    if (!isPiece(kind)) this.flush();
    const key = direction + kind;
    const group = this.#groups.get(key) ??
      { direction, kind, firstMs: atMs, lastMs: atMs, count: 0, bytes: 0 };
    group.lastMs = atMs;
    group.count++;
    group.bytes += bytes;
    this.#groups.set(key, group);
    if (!isPiece(kind)) this.flush();
  }

  /** Writes what is still being joined. */
  flush(): void {
    for (const group of this.#groups.values()) this.#log(lineOf(group));
    this.#groups.clear();
  }
}

/** Kinds that come in many pieces. */
function isPiece(kind: string): boolean {
  return kind.endsWith(".delta") || kind === "input_audio_buffer.append";
}

function lineOf(group: Group): string {
  const { direction, firstMs, lastMs, count, bytes } = group;
  const kind = count === 1 ? printable(group.kind) : `${printable(group.kind)} ×${count}`;
  const time = `+${Math.round(firstMs)} ms`.padStart(9);
  const size = formatBytes(bytes).padStart(9);
  const during = count === 1 ? "" : `   in ${Math.round(lastMs - firstMs)} ms`;
  return `${time}  ${direction}  ${kind.padEnd(KIND_WIDTH)} ${size}${during}`;
}

/** The other side chose this text, and a terminal obeys control characters. */
function printable(kind: string): string {
  return kind.slice(0, MAX_KIND_CHARS).replaceAll(/[^\w.\-]/g, "?");
}

/** A size to read: `820 B`, `195.0 KB` (of 1,000 bytes). */
export function formatBytes(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} KB`;
}
