/**
 * Reads an answer beside its way to the client. What is relayed is never changed, and never waits for this.
 *
 * @module
 */

import { type AnswerFacts, answerFacts, mergeFacts, NO_FACTS } from "./answer_facts.ts";
import { ByteBuffer } from "./byte_buffer.ts";
import { type JsonMember, jsonMembers, memberValue } from "./json_members.ts";
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

/** A longer JSON answer is not read, and recorded without tokens. */
export const MAX_JSON_BYTES = 4 * 1024 * 1024;

/** The meter for an answer with these headers. */
export function meterFor(headers: Headers): AnswerMeter {
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity") return new NoMeter();
  const type = (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "text/event-stream") return new SseMeter();
  const isJson = type === "application/json" || type.endsWith("+json");
  const tooLong = Number(headers.get("content-length") ?? 0) > MAX_JSON_BYTES;
  return isJson && !tooLong ? new JsonMeter() : new NoMeter();
}

class NoMeter implements AnswerMeter {
  readonly complete = false;
  push(): void {}
  end(): AnswerFacts {
    return NO_FACTS;
  }
}

/** Members of a JSON answer that are looked at. All others, such as embeddings, are only stepped over. */
const MEMBERS: ReadonlySet<string> = new Set([
  "usage",
  "status",
  "incomplete_details",
  "choices",
  "error",
]);

class JsonMeter implements AnswerMeter {
  readonly complete = false;
  readonly #copy = new ByteBuffer();
  #tooLong = false;

  push(piece: Uint8Array): void {
    this.#tooLong ||= this.#copy.length + piece.length > MAX_JSON_BYTES;
    if (this.#tooLong) this.#copy.clear();
    else this.#copy.append(piece);
  }

  end(): AnswerFacts {
    const { bytes } = this.#copy;
    const read = membersOf(bytes)
      .filter(({ name }) => MEMBERS.has(name))
      .map((member) => [member.name, memberValue(bytes, member)] as const);
    return answerFacts(Object.fromEntries(read));
  }
}

function membersOf(bytes: Uint8Array): readonly JsonMember[] {
  try {
    return jsonMembers(bytes);
  } catch {
    return [];
  }
}

/** Events that tell something. In a text, which a model wrote, these quotes would have backslashes. */
const TELLING = new RegExp(
  '"(?:usage|error)"\\s*:\\s*\\{|"finish_reason"\\s*:\\s*"|' +
    '"type"\\s*:\\s*"(?:error"|response\\.(?:completed|incomplete|failed|cancelled)")',
);
const LAST = "[DONE]";
const LAST_TYPE = /^response\.(?:completed|incomplete|failed|cancelled)$/;

class SseMeter implements AnswerMeter {
  readonly #lines = new SseLines((data) => this.#read(data));
  #facts = NO_FACTS;
  #complete = false;

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

  #read(data: string): void {
    if (data.trimEnd() === LAST) this.#complete = true;
    if (!TELLING.test(data)) return;
    const event = parsed(data);
    this.#facts = mergeFacts(this.#facts, answerFacts(event));
    if (LAST_TYPE.test(String(event["type"]))) this.#complete = true;
  }
}

/** An event; an empty one when it is no JSON object. */
function parsed(data: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
