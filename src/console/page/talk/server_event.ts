/**
 * What the talk looks at in a message of a backend: the events of the Realtime API, under their present names
 * and those of the beta.
 *
 * @module
 */

/** Tokens of a response as the backend says. */
export interface SaidUsage {
  readonly input: number;
  readonly output: number;
}

/** A message, as far as it matters here. */
export type ServerEvent = { readonly type: string } & Meaning;

/** What a message means. */
export type Meaning =
  | { readonly kind: "session"; readonly isBeta: boolean; readonly outputRate: number | null }
  | { readonly kind: "audio"; readonly base64: string; readonly itemId: string }
  | { readonly kind: "words"; readonly text: string }
  | { readonly kind: "heard"; readonly text: string }
  | { readonly kind: "speech-started" }
  | { readonly kind: "speech-stopped" }
  | { readonly kind: "response-created" }
  | {
    readonly kind: "response-done";
    readonly status: string;
    readonly usage: SaidUsage | null;
  }
  | { readonly kind: "error"; readonly code: string; readonly message: string }
  | { readonly kind: "other" };

type Json = Readonly<Record<string, unknown>>;

/** Reads a text message. One that is no event is of type `(unparsed)`. */
export function readServerEvent(text: string): ServerEvent {
  let event: Json | null;
  try {
    event = objectOf(JSON.parse(text));
  } catch {
    event = null;
  }
  const type = event?.["type"];
  if (event === null || typeof type !== "string") return { type: "(unparsed)", kind: "other" };
  return { type, ...meaningOf(type, event) };
}

function meaningOf(type: string, event: Json): Meaning {
  switch (type) {
    case "session.created":
    case "session.updated":
      return sessionOf(objectOf(event["session"]) ?? {});
    case "response.output_audio.delta":
    case "response.audio.delta":
      return { kind: "audio", base64: textOf(event["delta"]), itemId: textOf(event["item_id"]) };
    case "response.output_audio_transcript.delta":
    case "response.audio_transcript.delta":
    case "response.output_text.delta":
    case "response.text.delta":
      return { kind: "words", text: textOf(event["delta"]) };
    case "conversation.item.input_audio_transcription.completed":
      return { kind: "heard", text: textOf(event["transcript"]) };
    case "input_audio_buffer.speech_started":
      return { kind: "speech-started" };
    case "input_audio_buffer.speech_stopped":
      return { kind: "speech-stopped" };
    case "response.created":
      return { kind: "response-created" };
    case "response.done":
      return doneOf(objectOf(event["response"]) ?? {});
    case "error": {
      const error = objectOf(event["error"]) ?? {};
      const code = textOf(error["code"]) || textOf(error["type"]);
      return { kind: "error", code, message: textOf(error["message"]) };
    }
    default:
      return { kind: "other" };
  }
}

function sessionOf(session: Json): Meaning {
  const output = objectOf(objectOf(session["audio"])?.["output"]);
  const rate = objectOf(output?.["format"])?.["rate"];
  return {
    kind: "session",
    isBeta: "modalities" in session || "input_audio_format" in session,
    outputRate: typeof rate === "number" && rate >= 8_000 && rate <= 96_000 ? rate : null,
  };
}

function doneOf(response: Json): Meaning {
  const usage = objectOf(response["usage"]);
  return {
    kind: "response-done",
    status: textOf(response["status"]) || "completed",
    usage: usage === null
      ? null
      : { input: countOf(usage["input_tokens"]), output: countOf(usage["output_tokens"]) },
  };
}

function objectOf(value: unknown): Json | null {
  return typeof value === "object" && value !== null ? value as Json : null;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function countOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
