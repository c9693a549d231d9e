/**
 * From the events of the GA form to those of the beta.
 *
 * @module
 */

import type { BareUsage, ResponseObject, SentEvent } from "../events.ts";
import type { ContentPart, Item } from "../items.ts";
import type { SessionConfig } from "../session_config.ts";
import type { Usage } from "../usage.ts";

const TEMPERATURE = 0.8;

/** What the beta sends for an event; null for those that it does not have. */
export function betaWording(event: SentEvent): object | null {
  switch (event.type) {
    case "conversation.item.done":
      return null;
    case "conversation.item.added":
      return { ...event, type: "conversation.item.created", item: betaItem(event.item) };
    case "conversation.item.retrieved":
    case "response.output_item.added":
    case "response.output_item.done":
      return { ...event, item: betaItem(event.item) };
    case "session.created":
    case "session.updated":
      return { ...event, session: flatSession(event.session) };
    case "response.created":
    case "response.done":
      return { ...event, response: betaResponse(event.response) };
    case "response.function_call_arguments.done": {
      const { name: _, ...rest } = event;
      return rest;
    }
    default:
      return {
        ...event,
        type: event.type.replace(/^response\.output_(?=audio|text)/, "response."),
      };
  }
}

/** The session of the beta, whose fields are all on one level. */
function flatSession(session: SessionConfig): object {
  const { id, object, model, instructions, tools, tool_choice } = session;
  const { input, output } = session.audio;
  return {
    id,
    object,
    model,
    expires_at: session["expires_at"],
    modalities: modalities(session.output_modalities),
    instructions,
    voice: output.voice,
    input_audio_format: "pcm16",
    output_audio_format: "pcm16",
    input_audio_transcription: input.transcription,
    turn_detection: input.turn_detection,
    tools,
    tool_choice,
    temperature: TEMPERATURE,
    max_response_output_tokens: session.max_output_tokens,
  };
}

function betaResponse(response: ResponseObject): object {
  const { output, output_modalities, audio, usage, ...rest } = response;
  return {
    ...rest,
    output: output.map(betaItem),
    modalities: modalities(output_modalities),
    voice: audio.output.voice,
    output_audio_format: "pcm16",
    temperature: TEMPERATURE,
    ...usage === undefined ? {} : { usage: betaUsage(usage) },
  };
}

/** Who speaks also writes. */
function modalities([modality]: ResponseObject["output_modalities"]): readonly string[] {
  return modality === "audio" ? ["audio", "text"] : ["text"];
}

/** Without images, and without what of each kind was cached. */
function betaUsage(usage: Usage | BareUsage | null): object | null {
  if (usage === null || usage.input_token_details === null) return usage;
  const { text_tokens, audio_tokens, cached_tokens } = usage.input_token_details;
  return { ...usage, input_token_details: { text_tokens, audio_tokens, cached_tokens } };
}

function betaItem(item: Item): object {
  return item.type === "message" ? { ...item, content: item.content.map(betaPart) } : item;
}

function betaPart(part: ContentPart): object {
  return { ...part, type: part.type.replace(/^output_/, "") };
}
