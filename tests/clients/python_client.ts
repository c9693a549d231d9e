/**
 * Clients that are programs in Python.
 *
 * @module
 */

import type { ClientName } from "../../tools/clients/roster.ts";
import { INSTALLED } from "./installed.ts";
import { accountsOf, type MatrixClient } from "./matrix_client.ts";
import { runCommand } from "./run_command.ts";

const FOLDER = "tests/clients/python";

/** The client that a file of `tests/clients/python` is. */
export function python(name: ClientName, program: string): MatrixClient {
  return {
    name,
    needs: "python",
    run: async (errand, { caPath }) =>
      accountsOf(
        await runCommand(INSTALLED.python.path, {
          args: [`${FOLDER}/${program}.py`, JSON.stringify(errand)],
          env: {
            PYTHONDONTWRITEBYTECODE: "1",
            ...caPath === null ? {} : { SSL_CERT_FILE: caPath },
          },
        }),
      ),
  };
}
