// @ts-check
/**
 * The realtime clients of the `openai` package, under Deno and under Node.
 *
 * Arguments: `ws`, `ws-plain` (npm `ws` with its connection replaced by a plain one, since the library knows
 * no `ws:`) or `native`; the name of the package; an errand as JSON. Prints an account a line.
 */

import { connect } from "node:net";
import process from "node:process";
import { haveRow, Inbox } from "./dialogue.js";
import { shownClose } from "./web_socket.js";

const [form, library, text] = process.argv.slice(2);
/** @type {import("./dialogue.js").Errand} */
const errand = JSON.parse(text ?? "");
const { default: OpenAI } = await import(`${library}`);
const Realtime = form === "native"
  ? (await import(`${library}/realtime/websocket`)).OpenAIRealtimeWebSocket
  : (await import(`${library}/realtime/ws`)).OpenAIRealtimeWS;

for (const row of errand.rows) {
  const account = await haveRow(row, () => open(row));
  process.stdout.write(`${JSON.stringify(account)}\n`);
}
process.exit();

/**
 * @param {import("./dialogue.js").Row} row
 * @returns {import("./dialogue.js").Line}
 */
function open({ key = errand.key, model = errand.model, reconnects = false }) {
  const browser = { dangerouslyAllowBrowser: true };
  const client = new OpenAI({ apiKey: key, baseURL: errand.base, ...browser });
  const { hostname, port } = new URL(errand.base);
  const createConnection = () => connect({ host: hostname, port: Number(port) });
  const realtime = new Realtime({
    model,
    ...form === "native" ? browser : {},
    ...form === "ws-plain" ? { options: { createConnection } } : {},
    ...reconnects ? { reconnect: true } : {},
  }, client);
  const inbox = new Inbox();
  let error = "";
  realtime.on("event", (/** @type {any} */ event) => inbox.put({ event }));
  realtime.on("error", (/** @type {Error} */ { message }) => {
    error = `error "${message}", `;
    // Node's WebSocket may leave it at that.
    if (form === "native") inbox.put({ ended: `error "${message}"` });
  });
  const end = (/** @type {{ code: number, reason: string }} */ seen) =>
    inbox.put({ ended: error + shownClose(seen) });
  if (!reconnects) whenClosed(realtime.socket, end);
  return {
    inbox,
    send: (message) => realtime.send(message),
    close: () => realtime.close(),
  };
}

/**
 * @param {any} socket
 * @param {(seen: { code: number, reason: string }) => void} end
 */
function whenClosed(socket, end) {
  if (form === "native") {
    socket.addEventListener("close", end);
  } else {
    socket.on(
      "close",
      (/** @type {number} */ code, /** @type {Buffer} */ reason) =>
        end({ code, reason: String(reason) }),
    );
  }
}
