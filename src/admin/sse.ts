/**
 * Server-sent events as bytes (HTML Standard §9.2.5).
 *
 * @module
 */

const encoder = new TextEncoder();

/** An event with JSON data, which stands on one line. `name` is a plain word. */
export function sseEvent(name: string, data: unknown): Uint8Array {
  return encoder.encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** A line that clients ignore. */
export function sseComment(text: string): Uint8Array {
  return encoder.encode(`: ${text}\n\n`);
}
