/**
 * The last thing that went wrong with each backend, for `GET /admin/backends`.
 *
 * @module
 */

/** What went wrong, and when. */
export interface LastError {
  /** For operators: may name the backend's address. */
  readonly message: string;
  /** Unix time in milliseconds. */
  readonly atMs: number;
}

/** A system's error may quote anything, such as a certificate's names. */
const MAX_LENGTH = 500;

/** See the module. Backends are known by name, so that there are as many as were ever configured. */
export class LastErrors {
  readonly #errors = new Map<string, LastError>();

  /** Takes in an error in place of the one before. Control characters are shown as spaces. */
  note(backend: string, error: LastError): void {
    const message = error.message.replaceAll(/\p{Cc}+/gu, " ").slice(0, MAX_LENGTH);
    this.#errors.set(backend, { message, atMs: error.atMs });
  }

  /** Null when nothing has gone wrong yet. */
  of(backend: string): LastError | null {
    return this.#errors.get(backend) ?? null;
  }
}
