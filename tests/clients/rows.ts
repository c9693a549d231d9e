/**
 * What every client is asked to do.
 *
 * @module
 */

import { tone } from "../../demo/mod.ts";
import type { Row, Step } from "./errand.ts";

/** The tool that the client offers. */
export const TOOL = {
  type: "function",
  name: "look_up",
  description: "Looks something up.",
  parameters: { type: "object", properties: { word: { type: "string" } } },
} as const;
/** Two pieces of an answer. */
const SHORT = { secs: "0.4" };
/** Half a second of speech, in pieces as a microphone gives them. */
const SPEECH_PIECES = 5;

const UNTIL_CREATED: Step = { send: [], until: "session.created" };

function update(session: object): Step {
  return {
    send: [{
      type: "session.update",
      session: { type: "realtime", audio: { input: { turn_detection: null } }, ...session },
    }],
    until: "session.updated",
  };
}

function say(text: string): object {
  const content = [{ type: "input_text", text }];
  return { type: "conversation.item.create", item: { type: "message", role: "user", content } };
}

function respond(response: object, until: string | null = "response.done"): Step {
  return { send: [{ type: "response.create", response }], until };
}

function ask(response: object, until: string | null = "response.done"): Step {
  const { send } = respond(response);
  return { send: [say("Hello?"), ...send], until };
}

function spoken(metadata: Readonly<Record<string, string>>, until: string | null): Step {
  return ask({ output_modalities: ["audio"], metadata }, until);
}

const TEXT: readonly Step[] = [
  UNTIL_CREATED,
  ask({ output_modalities: ["text"], metadata: SHORT }),
];
const LOST: readonly Step[] = [UNTIL_CREATED, spoken({ die: "1" }, null)];

const VOICE: readonly Step[] = [UNTIL_CREATED, update({}), {
  send: [
    ...Array.from({ length: SPEECH_PIECES }, () => ({
      type: "input_audio_buffer.append",
      audio: tone(100).toBase64(),
    })),
    { type: "input_audio_buffer.commit" },
    ...respond({ output_modalities: ["audio"], metadata: SHORT }).send,
  ],
  until: "response.done",
}];

const TOOL_CALL: readonly Step[] = [UNTIL_CREATED, update({ tools: [TOOL] }), ask({}), {
  send: [
    {
      type: "conversation.item.create",
      item: { type: "function_call_output", call_id: "$call_id", output: "It is there." },
    },
    ...respond({ output_modalities: ["text"], metadata: SHORT }).send,
  ],
  until: "response.done",
}];

const CANCEL: readonly Step[] = [
  UNTIL_CREATED,
  spoken({ secs: "100" }, "response.output_audio.delta"),
  { send: [{ type: "response.cancel" }], until: "response.done" },
];

function closed(code: string): Row {
  const steps = [UNTIL_CREATED, spoken({ close: code }, null)];
  return { name: `close ${code}`, sessions: [steps] };
}

/** The sessions that every client is to have. */
export const TURNS: readonly Row[] = [
  { name: "connect", sessions: [[UNTIL_CREATED]] },
  { name: "voice turn", sessions: [VOICE] },
  { name: "text turn", sessions: [TEXT] },
  { name: "tool call", sessions: [TOOL_CALL] },
  { name: "cancel", sessions: [CANCEL] },
];

/** How the ends of sessions are shown: those that the backend sends, and the loss of its connection. */
export const ENDS: readonly Row[] = [
  closed("1000"),
  closed("1001"),
  closed("4001"),
  { name: "close 1011", sessions: [LOST] },
];

/** A session after one that was lost. */
export const RECONNECT: Row = { name: "reconnect", sessions: [LOST, TEXT] };

/** Sessions that a router does not let in. */
export const REFUSED_MODEL: Row = {
  name: "404",
  model: "of-nobody",
  sessions: [[UNTIL_CREATED]],
};
/** Only with keys. */
export const REFUSED_KEY: Row = {
  name: "401",
  key: "sk-of-nobody",
  sessions: [[UNTIL_CREATED]],
};
