/**
 * What an adapter says of a subject: a program in between, and how it is reached. A file of `subjects/` is
 * an adapter; a new one needs nothing else.
 *
 * @module
 */

/** Where a subject runs. */
export interface Surroundings {
  /** The port of the loopback that it has to listen on. */
  readonly port: number;
  /** Where the backend listens. */
  readonly backendPort: number;
  /** A folder of its own for files, removed afterwards. */
  readonly folder: string;
}

/** How a subject is started. */
export interface Launch {
  /** The program and its arguments. It stays in the foreground until it is ended by SIGTERM. */
  readonly command: readonly [string, ...string[]];
  /** Files of the folder that it reads, by their names. @default {{}} */
  readonly files?: Readonly<Record<string, string>>;
}

/** A subject. */
export interface Subject {
  /** Also its name on the command line and in results. */
  readonly name: string;
  readonly title: string;
  /** Subjects are measured and shown in this order. */
  readonly order: number;
  /** Measured only when it is named on the command line. @default {false} */
  readonly onRequest?: boolean;
  /** Path and query of the upgrade. */
  readonly path: string;
  /** Further headers of the upgrade. @default {{}} */
  readonly headers?: Readonly<Record<string, string>>;
  /** Prints the version; what does not start is not on this machine. @default none is asked */
  readonly version?: { readonly command: readonly [string, ...string[]]; readonly pattern: RegExp };
  /** Undefined when nothing is in between. */
  readonly launch?: (surroundings: Surroundings) => Launch;
}
