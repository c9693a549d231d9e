/**
 * What a client may send.
 *
 * @module
 */

import { z } from "zod";
import { clientItemSchema } from "./items.ts";
import { requestErrorOf } from "./request_check.ts";
import { RequestError } from "./request_error.ts";
import {
  maxOutputTokensSchema,
  modalitiesSchema,
  toolChoiceSchema,
  toolSchema,
} from "./session_config.ts";

const eventId = z.string().max(512).optional();
const itemId = z.string();

/** Null is as good as nothing: LiveKit's plugin sends it. */
const responseParamsSchema = z.object({
  output_modalities: modalitiesSchema.nullish(),
  instructions: z.string().nullish(),
  tools: z.array(toolSchema).max(128).nullish(),
  tool_choice: toolChoiceSchema.nullish(),
  max_output_tokens: maxOutputTokensSchema.nullish(),
  metadata: z.record(z.string().max(64), z.string().max(512))
    .refine((pairs) => Object.keys(pairs).length <= 16, "at most 16 pairs").nullish(),
  // Responses outside the conversation are not supported; refusing them is better than pretending.
  conversation: z.literal("auto").nullish(),
  input: z.undefined({ error: "responses with their own input are not supported" }).optional(),
});

/** The parameters of `response.create`. */
export type ResponseParams = z.infer<typeof responseParamsSchema>;

const schemas = {
  "session.update": z.object({
    type: z.literal("session.update"),
    event_id: eventId,
    session: z.record(z.string(), z.unknown()),
  }),
  "input_audio_buffer.append": z.object({
    type: z.literal("input_audio_buffer.append"),
    event_id: eventId,
    audio: z.string(),
  }),
  "input_audio_buffer.commit": z.object({
    type: z.literal("input_audio_buffer.commit"),
    event_id: eventId,
  }),
  "input_audio_buffer.clear": z.object({
    type: z.literal("input_audio_buffer.clear"),
    event_id: eventId,
  }),
  "conversation.item.create": z.object({
    type: z.literal("conversation.item.create"),
    event_id: eventId,
    previous_item_id: z.string().nullish(),
    item: clientItemSchema,
  }),
  "conversation.item.retrieve": z.object({
    type: z.literal("conversation.item.retrieve"),
    event_id: eventId,
    item_id: itemId,
  }),
  "conversation.item.delete": z.object({
    type: z.literal("conversation.item.delete"),
    event_id: eventId,
    item_id: itemId,
  }),
  "conversation.item.truncate": z.object({
    type: z.literal("conversation.item.truncate"),
    event_id: eventId,
    item_id: itemId,
    content_index: z.number().int().min(0),
    audio_end_ms: z.number().int().min(0),
  }),
  "response.create": z.object({
    type: z.literal("response.create"),
    event_id: eventId,
    response: responseParamsSchema.nullish(),
  }),
  "response.cancel": z.object({
    type: z.literal("response.cancel"),
    event_id: eventId,
    response_id: z.string().nullish(),
  }),
} as const;

type Schemas = typeof schemas;

/** A checked client event. */
export type ClientEvent = { [T in keyof Schemas]: z.infer<Schemas[T]> }[keyof Schemas];

const envelope = z.looseObject({ type: z.string() });

/**
 * Parses one message; null stands for a binary one.
 *
 * @throws {RequestError} When it is not JSON text.
 */
export function parseMessage(text: string | null): unknown {
  if (text === null) {
    throw new RequestError("invalid_json", "Binary messages are not supported.");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError("invalid_json", "The message is not valid JSON.");
  }
}

/**
 * Checks one parsed message.
 *
 * @throws {RequestError} With the field at fault: `type` when the kind is unknown.
 */
export function checkClientEvent(message: unknown): ClientEvent {
  const { success, data, error } = envelope.safeParse(message);
  if (!success) throw requestErrorOf(error, message);
  if (!isKnownType(data.type)) {
    const known = Object.keys(schemas).map((type) => `'${type}'`).join(", ");
    throw new RequestError(
      "invalid_value",
      `Invalid value for 'type'. Supported values are: ${known}.`,
      {
        param: "type",
      },
    );
  }
  const checked = schemas[data.type].safeParse(message);
  if (!checked.success) throw requestErrorOf(checked.error, message);
  return checked.data;
}

function isKnownType(type: string): type is keyof Schemas {
  return Object.hasOwn(schemas, type);
}
