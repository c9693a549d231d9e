/**
 * NVIDIA VoiceChat in its open ports: one session, frames instead of items, and a `response.done` that has
 * no `response`.
 *
 * @module
 */

import { admitAnyModel, closingFarewell } from "../admission.ts";
import type { Dialect, Wording } from "../dialect.ts";
import type { SessionConfig } from "../session_config.ts";
import { OPENAI } from "./openai.ts";

const OUTPUT_RATE = 22_050;
const BUSY = { code: "server_busy", message: "The server has another session" };

/** See the module. */
export const VOICECHAT: Dialect = {
  ...OPENAI,
  name: "voicechat",
  keyPlaces: [],
  admit: admitAnyModel,
  full: closingFarewell(BUSY, 1013),
  maxSessions: 1,
  // The frame of the model.
  audioChunkMs: 80,
  outputRate: OUTPUT_RATE,
  wording: countedFrames,
};

/** Counts the frames of audio of one session. */
function countedFrames(): Wording {
  let frames = 0;
  return (event) => {
    const frame = { frame_index: frames };
    switch (event.type) {
      case "session.created":
      case "session.updated":
        return { ...event, session: atOutputRate(event.session) };
      case "input_audio_buffer.speech_started":
      case "input_audio_buffer.speech_stopped":
      case "error":
        return event;
      case "response.output_audio.delta":
        frames++;
        return { type: "response.audio.delta", delta: event.delta, ...frame };
      case "response.output_audio_transcript.delta":
      case "response.output_text.delta":
        return { type: "response.text.delta", delta: event.delta, ...frame };
      case "response.function_call_arguments.done": {
        const { type, call_id, name, arguments: given } = event;
        return { type, call_id, name, arguments: given };
      }
      case "response.done":
        return { type: event.type, ...frame };
      default:
        return null;
    }
  };
}

function atOutputRate(session: SessionConfig): object {
  const { audio } = session;
  const format = { ...audio.output.format, rate: OUTPUT_RATE };
  return { ...session, audio: { ...audio, output: { ...audio.output, format } } };
}
