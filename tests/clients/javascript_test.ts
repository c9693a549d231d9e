/**
 * Clients in JavaScript: the `openai` package over npm `ws` and over the runtime's WebSocket, and that
 * WebSocket by itself, under Deno and under Node; `@openai/agents-realtime` under Deno.
 *
 * @module
 */

import { runProgram } from "../support/program.ts";
import type { Errand } from "./errand.ts";
import { accountsOf, type MatrixClient, testClient } from "./matrix_client.ts";
import { type Mode, MODES } from "./mode.ts";
import { runCommand } from "./run_command.ts";
import type { Stage } from "./stage.ts";

const FOLDER = "tests/clients/javascript";

type Run = MatrixClient["run"];

/** Under Deno. One of the dependencies of the package lists all variables. */
function deno(program: string, ...args: readonly string[]): { readonly run: Run } {
  const run = async (errand: Errand, { origin, caPath }: Stage) =>
    accountsOf(
      await runProgram({
        entry: `${FOLDER}/${program}`,
        args: [...args, JSON.stringify(errand)],
        permissions: [`--allow-net=${new URL(origin).host}`, "--allow-env"],
        env: caPath === null ? {} : { DENO_CERT: caPath, NODE_EXTRA_CA_CERTS: caPath },
      }),
    );
  return { run };
}

/** Under Node. Before version 22 its WebSocket must be asked for. */
function node(program: string, ...args: readonly string[]): Pick<MatrixClient, "run" | "needs"> {
  const run = async (errand: Errand, { caPath }: Stage) =>
    accountsOf(
      await runCommand("node", {
        args: [
          "--experimental-websocket",
          "--no-warnings",
          `${FOLDER}/${program}`,
          ...args,
          JSON.stringify(errand),
        ],
        env: caPath === null ? {} : { NODE_EXTRA_CA_CERTS: caPath },
      }),
    );
  return { run, needs: "node" };
}

const plain = ({ tls }: Mode) => !tls;
/** It has a key in a subprotocol only. */
const plainOrWithKeys = ({ tls, blocking }: Mode) => !tls || blocking;

testClient({
  name: "openai Node, ws, Deno",
  reconnects: true,
  failsIn: plain,
  ...deno("openai_client.js", "ws", "openai"),
});
testClient({
  name: "openai Node, ws, Node",
  reconnects: true,
  failsIn: plain,
  ...node("openai_client.js", "ws", "openai"),
});
testClient({
  name: "openai Node, ws with createConnection, Deno",
  reconnects: true,
  modes: MODES.filter(plain),
  ...deno("openai_client.js", "ws-plain", "openai"),
});
testClient({
  name: "openai Node, ws with createConnection, Node",
  reconnects: true,
  modes: MODES.filter(plain),
  ...node("openai_client.js", "ws-plain", "openai"),
});
testClient({
  name: "openai Node 6, ws, Node",
  failsIn: plain,
  ...node("openai_client.js", "ws", "openai-6"),
});
testClient({
  name: "openai Node, native, Deno",
  reconnects: true,
  failsIn: plainOrWithKeys,
  ...deno("openai_client.js", "native", "openai"),
});
testClient({
  name: "openai Node, native, Node",
  reconnects: true,
  failsIn: plainOrWithKeys,
  ...node("openai_client.js", "native", "openai"),
});
testClient({ name: "agents-realtime", speed: 4, ...deno("agents_client.ts") });
testClient({ name: "Deno WebSocket", ...deno("websocket_client.js") });
testClient({ name: "Node WebSocket", ...node("websocket_client.js") });
