/**
 * The `session` object: what a session starts with and how `session.update` changes it.
 *
 * @module
 */

import { z } from "zod";
import { RequestError } from "./request_error.ts";
import { requestErrorOf } from "./request_check.ts";
import { SAMPLE_RATE } from "./tone.ts";

const MERGE_DEPTH = 8;
const MAX_SESSION_CHARS = 1_048_576;

const audioFormat = z.looseObject({
  type: z.literal("audio/pcm"),
  rate: z.literal(SAMPLE_RATE).default(SAMPLE_RATE),
});

const turnDetection = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("server_vad"),
    threshold: z.number().min(0).max(1).default(0.5),
    prefix_padding_ms: z.number().int().min(0).max(5_000).default(300),
    silence_duration_ms: z.number().int().min(100).max(10_000).default(200),
    idle_timeout_ms: z.number().nullable().default(null),
    create_response: z.boolean().default(true),
    interrupt_response: z.boolean().default(true),
  }),
  z.looseObject({
    type: z.literal("semantic_vad"),
    eagerness: z.enum(["low", "medium", "high", "auto"]).default("auto"),
    create_response: z.boolean().default(true),
    interrupt_response: z.boolean().default(true),
  }),
]);

/** A tool of a session or a response; only functions are ever called. */
export const toolSchema = z.looseObject({
  type: z.string(),
  name: z.string().max(128).optional(),
  parameters: z.unknown().optional(),
});

/** What may be said about tools: a word, or the function to call. */
export const toolChoiceSchema = z.union([
  z.enum(["auto", "none", "required"]),
  z.looseObject({ type: z.string(), name: z.string().optional() }),
]);

/** A response speaks or writes, never both. */
export const modalitiesSchema = z.tuple([z.enum(["audio", "text"])]);

/** The most output tokens of a response. */
export const maxOutputTokensSchema = z.union([z.literal("inf"), z.number().int().min(1)]);

const sessionSchema = z.looseObject({
  type: z.literal("realtime"),
  object: z.literal("realtime.session"),
  id: z.string(),
  model: z.string(),
  output_modalities: modalitiesSchema,
  instructions: z.string(),
  tools: z.array(toolSchema).max(128),
  tool_choice: toolChoiceSchema,
  max_output_tokens: maxOutputTokensSchema,
  audio: z.looseObject({
    input: z.looseObject({
      format: audioFormat,
      transcription: z.looseObject({ model: z.string().optional() }).nullable(),
      turn_detection: turnDetection.nullable(),
    }),
    output: z.looseObject({ format: audioFormat, voice: z.string() }),
  }),
});

/** A session's settings as they go on the wire. */
export type SessionConfig = z.infer<typeof sessionSchema>;

/** The settings of a session nobody has updated yet: those of the OpenAI Realtime API. */
export function initialSession(
  identity: { readonly id: string; readonly model: string; readonly expiresAtS: number },
): SessionConfig {
  return sessionSchema.parse({
    type: "realtime",
    object: "realtime.session",
    id: identity.id,
    model: identity.model,
    output_modalities: ["audio"],
    instructions: "",
    tools: [],
    tool_choice: "auto",
    max_output_tokens: "inf",
    tracing: null,
    truncation: "auto",
    prompt: null,
    expires_at: identity.expiresAtS,
    audio: {
      input: {
        format: { type: "audio/pcm", rate: SAMPLE_RATE },
        transcription: null,
        noise_reduction: null,
        turn_detection: { type: "server_vad" },
      },
      output: { format: { type: "audio/pcm", rate: SAMPLE_RATE }, voice: "marin", speed: 1 },
    },
    include: null,
  });
}

/**
 * The session after `change`: fields that are named replace, objects are merged, null overwrites.
 * Identity and model stay what they are.
 *
 * @throws {RequestError} When `session.type` is not `realtime` or a field is not acceptable.
 */
export function updatedSession(
  current: SessionConfig,
  change: Readonly<Record<string, unknown>>,
): SessionConfig {
  if (change["type"] !== "realtime") {
    throw new RequestError(
      "missing_required_parameter",
      "Missing required parameter: 'session.type'.",
      {
        param: "session.type",
      },
    );
  }
  const { id, object, model, expires_at } = current;
  const merged = { ...merge(current, change, MERGE_DEPTH), id, object, model, expires_at };
  const checked = sessionSchema.safeParse(merged);
  if (!checked.success) throw requestErrorOf(checked.error, merged, { under: "session" });
  if (JSON.stringify(checked.data).length > MAX_SESSION_CHARS) {
    throw new RequestError("invalid_value", "The session is too large.", { param: "session" });
  }
  return checked.data;
}

type PlainObject = Readonly<Record<string, unknown>>;

function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Object.fromEntries defines own properties, so that a "__proto__" in the JSON stays harmless.
function merge(base: PlainObject, change: PlainObject, depth: number): PlainObject {
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(change)) {
    const old = merged.get(key);
    const mergeable = depth > 0 && isPlainObject(old) && isPlainObject(value) &&
      sameKind(old, value);
    merged.set(key, mergeable ? merge(old, value, depth - 1) : value);
  }
  return Object.fromEntries(merged);
}

/** A value of another `type` replaces: the fields of one kind of turn detection mean nothing to the other. */
function sameKind(old: PlainObject, value: PlainObject): boolean {
  return value["type"] === undefined || old["type"] === value["type"];
}
