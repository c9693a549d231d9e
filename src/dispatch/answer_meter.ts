/**
 * Reads an answer beside its way to the client. What is relayed is never changed, and never waits for this.
 *
 * @module
 */

import { type AnswerFacts, answerFacts, mergeFacts, NO_FACTS } from "./answer_facts.ts";
import { AnswerScan } from "./answer_scan.ts";
import { ByteOrderMark } from "./byte_order_mark.ts";
import { SseLines } from "./sse_lines.ts";

/** Reads one answer. */
export interface AnswerMeter {
  /** Reads the next piece, after it was handed on. */
  push(piece: Uint8Array): void;
  /** What is known when no more comes. */
  end(): AnswerFacts;
  /** Whether the answer has said all: a client that leaves now has missed nothing. */
  readonly complete: boolean;
}

/** The meter for an answer with these headers. */
export function meterFor(headers: Headers): AnswerMeter {
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity") return new NoMeter();
  const type = (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "text/event-stream") return new SseMeter();
  const isJson = type === "application/json" || type.endsWith("+json");
  return isJson ? new JsonMeter() : new NoMeter();
}

class NoMeter implements AnswerMeter {
  readonly complete = false;
  push(): void {}
  end(): AnswerFacts {
    return NO_FACTS;
  }
}

class JsonMeter implements AnswerMeter {
  readonly complete = false;
  readonly #mark = new ByteOrderMark();
  readonly #scan = new AnswerScan();

  push(piece: Uint8Array): void {
    this.#mark.strip(piece, (bytes) => this.#scan.push(bytes));
  }

  end(): AnswerFacts {
    return answerFacts(this.#scan.end());
  }
}

const LAST = "[DONE]";
const LAST_TYPE = /^response\.(?:completed|incomplete|failed|cancelled)$/;

const LINE_FEED = Uint8Array.of(0x0a);

class SseMeter implements AnswerMeter {
  readonly #mark = new ByteOrderMark();
  readonly #lines: SseLines;
  /** Of the event that has begun; undefined between events. */
  #event: EventReader | undefined;
  #facts = NO_FACTS;
  #complete = false;

  constructor() {
    this.#lines = new SseLines({
      part: (bytes) => {
        this.#event ??= { scan: new AnswerScan(), last: new LastWord() };
        this.#event.scan.push(bytes);
        this.#event.last.push(bytes);
      },
      endLine: () => this.#endLine(),
      endEvent: () => this.#endEvent(),
    });
  }

  get complete(): boolean {
    return this.#complete;
  }

  push(piece: Uint8Array): void {
    this.#mark.strip(piece, (bytes) => this.#lines.push(bytes));
  }

  end(): AnswerFacts {
    this.#lines.end();
    return this.#facts;
  }

  /** Most events have one line, and some servers leave the empty line out. */
  #endLine(): void {
    if (this.#event?.scan.isWaiting) this.#event.scan.push(LINE_FEED);
    else this.#endEvent();
  }

  #endEvent(): void {
    if (this.#event === undefined) return;
    const { scan, last } = this.#event;
    this.#event = undefined;
    const event = scan.end();
    if (event !== undefined) this.#facts = mergeFacts(this.#facts, answerFacts(event));
    const type = event?.["type"];
    // A backend may write anything there, also what cannot be made a string.
    const isLast = typeof type === "string" && LAST_TYPE.test(type);
    if (last.isSaid || isLast) this.#complete = true;
  }
}

interface EventReader {
  readonly scan: AnswerScan;
  readonly last: LastWord;
}

/** Whether a line is {@link LAST}, blanks after it aside. */
class LastWord {
  #text = "";

  push(bytes: Uint8Array): void {
    const room = LAST.length + 2 - this.#text.length;
    if (room > 0) this.#text += String.fromCharCode(...bytes.subarray(0, room));
  }

  get isSaid(): boolean {
    return this.#text.trimEnd() === LAST;
  }
}
