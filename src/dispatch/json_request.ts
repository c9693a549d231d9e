/**
 * The body of a request: a JSON object that names a model, of which nothing but that name is ever changed.
 *
 * What decides over access must be what the backend reads. So a body that two readers could understand
 * differently is refused: `model` given twice with different values, or in another case beside it or instead
 * of it, as backends whose JSON reader ignores case would take it.
 *
 * @module
 */

import { RouterError } from "../http/mod.ts";
import { type JsonMember, JsonMembers, memberValue } from "./json_members.ts";

const MODEL = "model";
const QUOTE = 0x22;
/** The most bytes of a model's name as it is written, escapes included. What is longer is no model's name. */
const MAX_MODEL_BYTES = 4 * 1024;

/** A body that was read. */
export interface JsonRequest {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** As the client sent it, escapes resolved. Never empty. */
  readonly model: string;
  /** Where the values of `model` lie, their quotes included: one, unless it is repeated. */
  readonly modelSpans: readonly Pick<JsonMember, "start" | "end">[];
  /** Whether it asks for a stream: `"stream": true`, or for speech `"stream_format": "sse"`. */
  readonly stream: boolean;
}

/** Reads a body as it comes, so that a long one takes its time in small parts. */
export class JsonRequestReader {
  readonly #members = new JsonMembers();
  /** Said at the end only: a body that is too large besides is refused for that. */
  #fault: SyntaxError | undefined;

  /** Reads the next piece. */
  push(piece: Uint8Array): void {
    if (this.#fault !== undefined) return;
    try {
      this.#members.push(piece);
    } catch (error) {
      this.#fault = asSyntaxError(error);
    }
  }

  /**
   * What the body asks for.
   *
   * @param bytes All pieces.
   * @throws {RouterError} `invalid_request` when they are no JSON object, `missing_model` when it names no
   * model, `invalid_model_parameter` when `model` is no string or ambiguous.
   */
  end(bytes: Uint8Array<ArrayBuffer>): JsonRequest {
    try {
      if (this.#fault !== undefined) throw this.#fault;
      return requestOf(bytes, this.#members.end(bytes));
    } catch (error) {
      if (error instanceof RouterError) throw error;
      const cause = asSyntaxError(error);
      throw new RouterError("invalid_request", "The body must be a JSON object", { cause });
    }
  }
}

/** The body with another model; the very same bytes when the name is the same. */
export function bodyWithModel(request: JsonRequest, model: string): Uint8Array<ArrayBuffer> {
  const { bytes, modelSpans } = request;
  if (model === request.model) return bytes;
  const value = new TextEncoder().encode(JSON.stringify(model));
  const pieces: Uint8Array[] = [];
  let passed = 0;
  for (const { start, end } of modelSpans) {
    pieces.push(bytes.subarray(passed, start), value);
    passed = end;
  }
  return concat([...pieces, bytes.subarray(passed)]);
}

function concat(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function requestOf(
  bytes: Uint8Array<ArrayBuffer>,
  members: readonly JsonMember[],
): JsonRequest {
  const named = members.filter(({ name }) => name.toLowerCase() === MODEL);
  // Reading it takes time, in which no session is served.
  if (named.some(({ start, end }) => end - start > MAX_MODEL_BYTES)) {
    throw invalid("The model's name is too long");
  }
  const models = new Set(named.map((member) => textAt(bytes, member)));
  if (models.size > 1 || new Set(named.map(({ name }) => name)).size > 1) {
    throw invalid("The body names the model more than once");
  }
  if (named[0]?.name !== MODEL) throw missing();
  const [model] = models;
  if (model === undefined) throw invalid("The model must be a string");
  if (model === "") throw missing();
  const stream = shortText(bytes, members.findLast(({ name }) => name === "stream"));
  const format = shortText(bytes, members.findLast(({ name }) => name === "stream_format"));
  return {
    bytes,
    model,
    modelSpans: named,
    stream: stream === "true" || format === '"sse"',
  };
}

/** Undefined for what is no string. */
function textAt(bytes: Uint8Array, member: JsonMember): string | undefined {
  return bytes[member.start] === QUOTE ? String(memberValue(bytes, member)) : undefined;
}

function asSyntaxError(error: unknown): SyntaxError {
  if (error instanceof SyntaxError) return error;
  throw error;
}

/** The text of a value that is short; a long one is not worth its memory. */
function shortText(bytes: Uint8Array, member: JsonMember | undefined): string {
  if (member === undefined || member.end - member.start > 16) return "";
  return new TextDecoder().decode(bytes.subarray(member.start, member.end));
}

function missing(): RouterError {
  return new RouterError("missing_model", "The body must name a model", { param: MODEL });
}

function invalid(message: string): RouterError {
  return new RouterError("invalid_model_parameter", message, { param: MODEL });
}
