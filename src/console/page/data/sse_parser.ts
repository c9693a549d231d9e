/**
 * Reads server-sent events (HTML Standard §9.2.6), as far as the router writes them: `event` and `data` lines
 * and comments.
 *
 * @module
 */

/** One event. */
export interface ServerSentEvent {
  readonly name: string;
  readonly data: string;
}

/** More than the longest event of the router. A stream without line ends must not fill the memory. */
const MAX_PENDING_CHARS = 1_048_576;

/** See the module. */
export class SseParser {
  #pending = "";
  #name = "";
  #data: string[] = [];

  /**
   * Takes the next piece of the stream and gives the events that it completes.
   *
   * @throws {RangeError} When a line is longer than any event can be.
   */
  push(text: string): readonly ServerSentEvent[] {
    const lines = (this.#pending + text).split("\n");
    this.#pending = lines.pop() ?? "";
    if (this.#pending.length > MAX_PENDING_CHARS) throw new RangeError("an event is too long");
    return lines.flatMap((line) => this.#takeLine(line.replace(/\r$/, "")));
  }

  #takeLine(line: string): readonly ServerSentEvent[] {
    if (line === "") return this.#finish();
    const [field = "", ...rest] = line.split(":");
    const value = rest.join(":").replace(/^ /, "");
    if (field === "event") this.#name = value;
    else if (field === "data") this.#data.push(value);
    return [];
  }

  #finish(): readonly ServerSentEvent[] {
    const event = { name: this.#name || "message", data: this.#data.join("\n") };
    const isEvent = this.#data.length > 0;
    this.#name = "";
    this.#data = [];
    return isEvent ? [event] : [];
  }
}
