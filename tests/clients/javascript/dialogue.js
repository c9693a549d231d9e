// @ts-check
/**
 * The rows of an errand (`errand.ts`) with a client of JavaScript: under Deno, under Node and in a page.
 */

/**
 * @typedef {import("../errand.ts").SeenEvent} SeenEvent
 * @typedef {import("../errand.ts").Step} Step
 * @typedef {import("../errand.ts").Row} Row
 * @typedef {import("../errand.ts").Errand} Errand
 * @typedef {{ events: SeenEvent[], ended: string | null, refused?: string }} SeenSession
 * @typedef {{ event: SeenEvent } | { ended: string }} Arrival
 */

/** What a client has shown and nobody has looked at yet. */
export class Inbox {
  /** @type {Arrival[]} */
  #arrivals = [];
  #wake = () => {};

  /** @param {Arrival} arrival */
  put(arrival) {
    this.#arrivals.push(arrival);
    this.#wake();
  }

  /** @param {Arrival} arrival */
  putBack(arrival) {
    this.#arrivals.unshift(arrival);
  }

  /** @returns {Promise<Arrival>} */
  async next() {
    for (;;) {
      const arrival = this.#arrivals.shift();
      if (arrival !== undefined) return arrival;
      await new Promise((resolve) => this.#wake = () => resolve(null));
    }
  }
}

/**
 * A connection.
 *
 * @typedef {object} Line
 * @property {Inbox} inbox
 * @property {(message: object) => void} send
 * @property {() => void} close
 */

/**
 * Has the sessions of a row. `open` throws when the library refuses by itself.
 *
 * @param {Row} row
 * @param {() => Line | Promise<Line>} open
 */
export async function haveRow(row, open) {
  /** @type {SeenSession[]} */
  const sessions = [];
  for (let line = null; sessions.length < row.sessions.length;) {
    /** @type {SeenSession} */
    const session = { events: [], ended: null };
    const steps = row.sessions[sessions.length] ?? [];
    sessions.push(session);
    try {
      line ??= await open();
      await haveSteps(steps, { line, session, reconnects: row.reconnects === true });
    } catch (error) {
      session.refused = String(error);
    }
    if (row.reconnects === true && sessions.length < row.sessions.length) continue;
    if (session.ended === null) line?.close();
    line = null;
  }
  return { row: row.name, sessions };
}

/**
 * Goes on to the next session when a library connects again by itself, which a second `session.created` tells.
 *
 * @param {readonly Step[]} steps
 * @param {{ line: Line, session: SeenSession, reconnects: boolean }} context
 */
async function haveSteps(steps, { line, session, reconnects }) {
  for (const { send, until } of steps) {
    for (const message of send) line.send(fillIn(message, session.events));
    for (;;) {
      const arrival = await line.inbox.next();
      if ("ended" in arrival) {
        if (session.events.length === 0) session.refused = arrival.ended;
        session.ended = arrival.ended;
        return;
      }
      if (reconnects && until === null && arrival.event.type === "session.created") {
        line.inbox.putBack(arrival);
        return;
      }
      session.events.push(arrival.event);
      if (arrival.event.type === until) break;
    }
  }
}

/**
 * @param {object} message
 * @param {SeenEvent[]} events
 */
function fillIn(message, events) {
  const call = events.findLast(({ type }) => type === "response.function_call_arguments.done");
  return JSON.parse(JSON.stringify(message).replaceAll("$call_id", String(call?.["call_id"])));
}
