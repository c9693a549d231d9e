/**
 * From the client events of the beta to those of the GA form. Events that are not built as the beta builds
 * them are passed on as they are, for the session to refuse.
 *
 * @module
 */

type Fields = Readonly<Record<string, unknown>>;

/** What the reference would have got in place of a message. */
export function betaHearing(message: unknown): unknown {
  if (!isObject(message)) return message;
  const { type, session, response, item } = message;
  if (type === "session.update" && isObject(session)) {
    return { ...message, session: nestedSession(session) };
  }
  if (type === "response.create" && isObject(response)) {
    const { modalities, ...rest } = response;
    return { ...message, response: { ...rest, ...outputModalities(modalities) } };
  }
  if (type === "conversation.item.create" && isObject(item) && Array.isArray(item["content"])) {
    return { ...message, item: { ...item, content: item["content"].map(gaPart) } };
  }
  return message;
}

/** The GA session with what the flat one names; the rest stays as it was. */
function nestedSession(flat: Fields): object {
  const { instructions, tools, tool_choice } = flat;
  const input = present({
    turn_detection: flat["turn_detection"],
    transcription: flat["input_audio_transcription"],
  });
  return {
    type: "realtime",
    ...outputModalities(flat["modalities"]),
    ...present({
      instructions,
      tools,
      tool_choice,
      max_output_tokens: flat["max_response_output_tokens"],
    }),
    audio: { input, output: present({ voice: flat["voice"] }) },
  };
}

function outputModalities(modalities: unknown): object {
  if (!Array.isArray(modalities)) return {};
  return { output_modalities: [modalities.includes("audio") ? "audio" : "text"] };
}

/** What the assistant said has other names in a history that a client brings along. */
function gaPart(part: unknown): unknown {
  if (!isObject(part)) return part;
  const { type } = part;
  return type === "text" || type === "audio" ? { ...part, type: `output_${type}` } : part;
}

function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
