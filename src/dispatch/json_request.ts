/**
 * The body of a request: a JSON object that names a model, of which nothing but that name is ever changed.
 *
 * What decides over access must be what the backend reads. So a body that two readers could understand
 * differently is refused: `model` given twice, or in another case beside it or instead of it, as backends
 * whose JSON reader ignores case would take it.
 *
 * @module
 */

import { RouterError } from "../http/mod.ts";
import { type JsonMember, JsonMembers, memberValue } from "./json_members.ts";

const MODEL = "model";
const QUOTE = 0x22;

/** A body that was read. */
export interface JsonRequest {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** As the client sent it, escapes resolved. Never empty. */
  readonly model: string;
  /** Where the value of `model` lies, its quotes included. */
  readonly modelSpan: { readonly start: number; readonly end: number };
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
  const { bytes, modelSpan } = request;
  if (model === request.model) return bytes;
  const value = new TextEncoder().encode(JSON.stringify(model));
  const { start, end } = modelSpan;
  const changed = new Uint8Array(start + value.length + bytes.length - end);
  changed.set(bytes.subarray(0, start));
  changed.set(value, start);
  changed.set(bytes.subarray(end), start + value.length);
  return changed;
}

function requestOf(
  bytes: Uint8Array<ArrayBuffer>,
  members: readonly JsonMember[],
): JsonRequest {
  const named = members.filter(({ name }) => name.toLowerCase() === MODEL);
  const [member, ...more] = named;
  if (member === undefined) throw missing();
  if (more.length > 0) throw invalid("The body names the model more than once");
  if (member.name !== MODEL) throw missing();
  const model = bytes[member.start] === QUOTE ? memberValue(bytes, member) : undefined;
  if (typeof model !== "string") throw invalid("The model must be a string");
  if (model === "") throw missing();
  const stream = shortText(bytes, members.findLast(({ name }) => name === "stream"));
  const format = shortText(bytes, members.findLast(({ name }) => name === "stream_format"));
  return {
    bytes,
    model,
    modelSpan: member,
    stream: stream === "true" || format === '"sse"',
  };
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
