/**
 * Reads an answer beside its way to the client. What is relayed is never changed, and never waits for this.
 *
 * @module
 */

import { type AnswerFacts, answerFacts, mergeFacts, NO_FACTS } from "./answer_facts.ts";
import { AnswerScan } from "./answer_scan.ts";
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
  readonly #scan = new AnswerScan();

  push(piece: Uint8Array): void {
    this.#scan.push(piece);
  }

  end(): AnswerFacts {
    return answerFacts(this.#scan.end());
  }
}

const LAST = "[DONE]";
const LAST_TYPE = /^response\.(?:completed|incomplete|failed|cancelled)$/;

class SseMeter implements AnswerMeter {
  readonly #lines: SseLines;
  #scan = new AnswerScan();
  #last = new LastWord();
  #facts = NO_FACTS;
  #complete = false;

  constructor() {
    this.#lines = new SseLines({
      part: (bytes) => {
        this.#scan.push(bytes);
        this.#last.push(bytes);
      },
      end: () => this.#endEvent(),
    });
  }

  get complete(): boolean {
    return this.#complete;
  }

  push(piece: Uint8Array): void {
    this.#lines.push(piece);
  }

  end(): AnswerFacts {
    this.#lines.end();
    return this.#facts;
  }

  #endEvent(): void {
    const event = this.#scan.end();
    if (event !== undefined) this.#facts = mergeFacts(this.#facts, answerFacts(event));
    if (this.#last.isSaid || LAST_TYPE.test(String(event?.["type"]))) this.#complete = true;
    this.#scan = new AnswerScan();
    this.#last = new LastWord();
  }
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
