/**
 * What a client sends for one written answer.
 *
 * @module
 */

/** The messages: a question, and the wish for an answer. */
export function textTurn(
  options: {
    readonly question?: string;
    /** Steers the demo backend: `{ close: "4001" }`. */
    readonly metadata?: Readonly<Record<string, string>>;
  } = {},
): readonly string[] {
  const { question = "Hello?", metadata = {} } = options;
  return [
    JSON.stringify({
      type: "conversation.item.create",
      item: { type: "message", role: "user", content: [{ type: "input_text", text: question }] },
    }),
    JSON.stringify({
      type: "response.create",
      response: { output_modalities: ["text"], metadata },
    }),
  ];
}

/** The `type` of a server event. */
export function typeOf(text: string): string {
  const event: { readonly type: string } = JSON.parse(text);
  return event.type;
}
