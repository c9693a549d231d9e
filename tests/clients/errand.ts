/**
 * What a client is sent out to do, and what it comes back with. Programs in every language read an
 * {@link Errand} as the JSON of their only argument and print a line with an {@link Account} for each row.
 *
 * @module
 */

/** Messages to send when the step before is over, and what ends it. */
export interface Step {
  /** In them the text `$call_id` stands for the `call_id` of the last function call. */
  readonly send: readonly object[];
  /** A kind of event; null for the end of the connection. */
  readonly until: string | null;
}

/** One row: sessions, one after the other. */
export interface Row {
  readonly name: string;
  /** @default that of the errand */
  readonly model?: string;
  /** @default that of the errand */
  readonly key?: string;
  /** Each is closed by the client, unless it waits for the end. */
  readonly sessions: readonly (readonly Step[])[];
  /** Whether the library itself shall connect again after the first session. */
  readonly reconnects?: boolean;
}

/** See the module. */
export interface Errand {
  /** `http://127.0.0.1:PORT/v1`, or `https`. */
  readonly base: string;
  readonly model: string;
  readonly key: string;
  readonly rows: readonly Row[];
}

/** An event as the client showed it; fields that nobody asks for may be missing. */
export interface SeenEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What became of one session. */
export interface SeenSession {
  /** How the library showed that it was not let in; absent when it was. */
  readonly refused?: string;
  readonly events: readonly SeenEvent[];
  /** How the library showed the end; null when the client ended it. */
  readonly ended: string | null;
}

/** What became of one row. */
export interface Account {
  readonly row: string;
  readonly sessions: readonly SeenSession[];
}
