/**
 * The embedded voice backend: an OpenAI-Realtime server without a model, whose answers are a tone and whose
 * usage figures are exact. Integration tests talk to it, and so does the default configuration.
 *
 * @module
 */

import type { Server } from "node:http";
import type { Socket } from "node:net";
import { createFrontServer } from "./front_server.ts";
import { Journal, type ResponseRecord, type UpgradeRecord } from "./journal.ts";
import { type DemoBackendOptions, withDefaults } from "./options.ts";
import { SessionHall } from "./session_hall.ts";

/** A running backend. */
export interface DemoBackend extends AsyncDisposable {
  readonly port: number;
  /** What clients and routers dial, without a query: `ws://127.0.0.1:9099/v1/realtime`. */
  readonly url: string;
  /** Every upgrade request seen, oldest first, the last 1,000. */
  readonly upgrades: readonly UpgradeRecord[];
  /** Every response that ended, with the usage it reported, oldest first, the last 1,000. */
  readonly responses: readonly ResponseRecord[];
  /** How many sessions are open. */
  readonly sessionCount: number;
  /** Ends all sessions with 1001 and stops listening. Resolves when nothing is left; repeatable. */
  close(): Promise<void>;
}

/**
 * Starts a backend.
 *
 * Needs net permission for the address; `ws` also reads the environment variables `WS_NO_BUFFER_UTIL` and
 * `WS_NO_UTF_8_VALIDATE`.
 *
 * @throws {Error} With the code `EADDRINUSE` when the port is taken.
 * @throws {RangeError} When an option is not possible.
 */
export async function startDemoBackend(options: DemoBackendOptions = {}): Promise<DemoBackend> {
  const settings = withDefaults(options);
  const journal = new Journal();
  const hall = new SessionHall(settings, journal);
  const server = createFrontServer(settings, { journal, hall });
  const sockets = trackSockets(server);
  const port = await listen(server, settings);
  const scheme = settings.tls === null ? "ws" : "wss";
  const host = settings.hostname.includes(":") ? `[${settings.hostname}]` : settings.hostname;

  const stop = async (): Promise<void> => {
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
    await hall.close();
    for (const socket of sockets) socket.destroy();
    await stopped;
  };
  let stopping: Promise<void> | null = null;
  const close = () => stopping ??= stop();

  return {
    port,
    url: `${scheme}://${host}:${port}${settings.dialect.path}`,
    upgrades: journal.upgrades,
    responses: journal.responses,
    get sessionCount() {
      return hall.size;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The TCP connections of a server, those included that have not sent a request yet. */
function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

function listen(
  server: Server,
  { port, hostname }: { readonly port: number; readonly hostname: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}
