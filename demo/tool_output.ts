/**
 * A function call: the backend asks for the first function it may call.
 *
 * @module
 */

import type { z } from "zod";
import type { Item, ItemStatus, StoredItem } from "./items.ts";
import { announce, conclude, type OutputHost, type ResponseOutput } from "./output.ts";
import type { toolChoiceSchema, toolSchema } from "./session_config.ts";
import { textTokens, type TokenCount } from "./usage.ts";

const PIECE_CHARS = 5;
const PIECE_MS = 20;

/** A function with the arguments it is called with. */
export interface PlannedCall {
  readonly name: string;
  readonly arguments: string;
}

/** Calls one function; the arguments come in pieces of five characters. */
export class ToolOutput implements ResponseOutput {
  readonly #host: OutputHost;
  readonly #call: PlannedCall;
  readonly #itemId: string;
  readonly #callId: string;
  /** Arguments have a meaning; they are not padded. */
  readonly delta = null;
  #arguments = "";

  constructor(host: OutputHost, call: PlannedCall) {
    this.#host = host;
    this.#call = call;
    this.#itemId = host.ids.next("item");
    this.#callId = host.ids.next("call");
  }

  get tokens(): TokenCount {
    return { audio: 0, text: textTokens(this.#call.name + this.#arguments) };
  }

  *pieces(): Generator<number, void> {
    announce(this.#stored("in_progress"), this.#host);
    const all = this.#call.arguments;
    while (this.#arguments.length < all.length) {
      const at = this.#arguments.length;
      const delta = all.slice(at, at + PIECE_CHARS);
      this.#arguments += delta;
      this.#host.emit({
        type: "response.function_call_arguments.delta",
        ...this.#place(),
        delta,
      });
      yield this.#arguments.length < all.length ? PIECE_MS : 0;
    }
  }

  finish(status: ItemStatus): Item {
    this.#host.emit({
      type: "response.function_call_arguments.done",
      ...this.#place(),
      name: this.#call.name,
      arguments: this.#arguments,
    });
    return conclude(this.#stored(status), this.#host);
  }

  #place() {
    return {
      response_id: this.#host.responseId,
      item_id: this.#itemId,
      output_index: 0,
      call_id: this.#callId,
    };
  }

  #stored(status: ItemStatus): StoredItem {
    const item: Item = {
      id: this.#itemId,
      object: "realtime.item",
      type: "function_call",
      status,
      name: this.#call.name,
      call_id: this.#callId,
      arguments: this.#arguments,
    };
    return { item, clips: [] };
  }
}

type Tool = z.infer<typeof toolSchema>;
type ToolChoice = z.infer<typeof toolChoiceSchema>;

/** The function that a response calls: the chosen one, else the first; null when there is none. */
export function planCall(tools: readonly Tool[], choice: ToolChoice): PlannedCall | null {
  if (choice === "none") return null;
  const chosen = typeof choice === "object" ? choice.name : undefined;
  const tool = tools.find(({ type, name }) =>
    type === "function" && name !== undefined && (chosen === undefined || name === chosen)
  );
  if (tool?.name === undefined) return null;
  return { name: tool.name, arguments: JSON.stringify(sampleArguments(tool.parameters)) };
}

/** Arguments that fit the properties of a function's JSON Schema, as far as their types say. */
function sampleArguments(parameters: unknown): Record<string, unknown> {
  const properties = field(parameters, "properties");
  if (typeof properties !== "object" || properties === null) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, sampleValue(schema)]),
  );
}

function sampleValue(schema: unknown): unknown {
  const allowed = field(schema, "enum");
  if (Array.isArray(allowed)) return allowed[0];
  switch (field(schema, "type")) {
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return sampleArguments(schema);
    case "null":
      return null;
    default:
      return "demo";
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
