/**
 * The backend's HTTP server: puts the decisions of `http_front.ts` on the wire and lets sessions in.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Duplex } from "node:stream";
// @ts-types="@types/ws"
import { WebSocketServer } from "ws";
import { decide, faultyAnswer, type FrontAnswer, type FrontDecision } from "./http_front.ts";
import type { Journal } from "./journal.ts";
import type { DemoBackendSettings } from "./options.ts";
import type { SessionHall } from "./session_hall.ts";
import { spoilHeaders } from "./upgrade_fault.ts";

const MAX_MESSAGE_BYTES = 16_777_216;

/** Where what the server lets in goes. */
export interface FrontServerParts {
  readonly journal: Journal;
  readonly hall: SessionHall;
}

/** The server of a backend, not yet listening. */
export function createFrontServer(settings: DemoBackendSettings, parts: FrontServerParts): Server {
  const { journal, hall } = parts;
  const webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    // Sending one that was not offered, or none though one was, fails most clients.
    handleProtocols: (offered) => offered.has("realtime") ? "realtime" : false,
  });
  const { upgradeFault: fault } = settings;
  webSockets.on("headers", (lines: string[]) => spoilHeaders(lines, fault));
  const server = settings.tls === null ? createServer() : createTlsServer({ ...settings.tls });
  let upgrades = 0;

  server.on("request", (request, response) => {
    const decision = decideRequest(request, settings);
    // Node hands upgrades to the other listener; here is nothing to upgrade.
    if (decision.kind === "upgrade") return response.destroy();
    const { status, headers, body } = decision.answer;
    response.writeHead(status, { ...headers });
    response.end(body);
  });

  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    const serial = ++upgrades;
    const seen = { serial, url: request.url ?? "", headers: headersOf(request) };
    const decision = decideUpgrade(request, settings);
    if (decision === null) {
      journal.addUpgrade({ ...seen, status: 0, closed: null });
      return;
    }
    if (decision.kind === "answer") {
      journal.addUpgrade({ ...seen, status: decision.answer.status, closed: null });
      socket.end(rawAnswer(decision.answer));
      return;
    }
    const accept = () => {
      let accepted = false;
      webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        accepted = true;
        const closed = hall.enter(webSocket, { socket, serial, admission: decision.admission });
        journal.addUpgrade({ ...seen, status: 101, closed });
      });
      // ws has answered a handshake that breaks RFC 6455 by itself.
      if (!accepted) journal.addUpgrade({ ...seen, status: 400, closed: null });
    };
    if (fault?.kind !== "slow") return accept();
    const timer = setTimeout(accept, fault.delayMs);
    socket.once("close", () => clearTimeout(timer));
  });
  return server;
}

/** The decision about an upgrade, or the fault in its place; null for no answer. */
function decideUpgrade(
  request: IncomingMessage,
  settings: DemoBackendSettings,
): FrontDecision | null {
  const { upgradeFault: fault } = settings;
  if (fault?.kind === "hang") return null;
  return fault?.kind === "answer" ? faultyAnswer(fault.status) : decideRequest(request, settings);
}

function decideRequest(request: IncomingMessage, settings: DemoBackendSettings): FrontDecision {
  const { method = "GET", url: target = "/", headers } = request;
  const upgrade = headers.upgrade?.toLowerCase() === "websocket" &&
    headers.connection?.toLowerCase().includes("upgrade") === true;
  return decide({ method, target, headers: headersOf(request), upgrade }, settings);
}

function headersOf(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(request.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}

function rawAnswer({ status, headers, body }: FrontAnswer): string {
  const lines = Object.entries({ ...headers, connection: "close" })
    .map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines}\r\n${body}`;
}
