/**
 * An edge connection over streams in memory, its HTTP server played by the test.
 *
 * @module
 */

import { EdgeConnection } from "../../src/wire/mod.ts";
import { memoryPair, type MemoryStream } from "./memory_stream.ts";
import { settled } from "./settled.ts";

type ConnectingNear = ReturnType<
  ConstructorParameters<typeof EdgeConnection>[1]["connectNear"]
>;

/** See the module. */
export class EdgeFixture {
  readonly connection: EdgeConnection;
  /** What the client holds of its connection. */
  readonly client: MemoryStream;
  /** What the server holds of each of its connections, in the order in which they were made. */
  readonly servers: MemoryStream[] = [];
  /** How many of the server's connections were let go. */
  released = 0;
  isOver = false;
  readonly over: Promise<void>;

  constructor(
    options: {
      /** Instead of connecting at once; `connect` does that. @default {undefined} */
      readonly connectNear?: (connect: () => ConnectingNear) => ConnectingNear;
      readonly mark?: readonly (readonly [string, string])[];
    } = {},
  ) {
    const [far, client] = memoryPair();
    this.client = client;
    const connect = () => {
      const [stream, server] = memoryPair();
      this.servers.push(server);
      const release = () => void this.released++;
      return Promise.resolve({ stream, mark: options.mark ?? [], release });
    };
    const { connectNear = connect } = options;
    this.connection = new EdgeConnection(far, {
      peer: { hostname: "192.0.2.1", port: 4711 },
      connectNear: () => connectNear(connect),
      renderRefusal: ({ code, message }) => latin1(`refused: ${code}: ${message}`),
      maxMessageBytes: 1000,
      now: () => 0,
      headTimeoutMs: 10_000,
      keepAliveMs: 75_000,
      stallTimeoutMs: 60_000,
    });
    this.over = this.connection.run().then(() => {
      this.isOver = true;
    });
  }

  /** Writes as the client, in one piece. */
  async sends(text: string | Uint8Array): Promise<void> {
    await this.client.write(typeof text === "string" ? latin1(text) : text);
    await settled();
  }

  /** What the server has received on one of its connections since the last call. */
  serverGot(index: number): string {
    return textOf(this.server(index).takeAll());
  }

  /** What the client has received since the last call. */
  clientGot(): string {
    return textOf(this.client.takeAll());
  }

  /** Writes as the server. */
  async answers(index: number, text: string | Uint8Array): Promise<void> {
    await this.server(index).write(typeof text === "string" ? latin1(text) : text);
    await settled();
  }

  server(index: number): MemoryStream {
    const server = this.servers[index];
    if (server === undefined) throw new Error(`the server has no connection ${index}`);
    return server;
  }

  /** Ends every connection. Resolves when the edge connection is over. */
  async finish(): Promise<void> {
    await this.client.closeWrite();
    for (const server of this.servers) await server.closeWrite();
    await this.over;
  }
}

/** Gives each character the byte of its number. */
export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

/** A request head. */
export function head(requestLine: string, ...lines: readonly string[]): string {
  return [requestLine, "Host: a", ...lines, "", ""].join("\r\n");
}

/** A WebSocket handshake. */
export const UPGRADE = head(
  "GET /v1/realtime?model=m HTTP/1.1",
  "Upgrade: websocket",
  "Connection: Upgrade",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Version: 13",
);

/** What the edge makes of {@link UPGRADE} for the server. */
export const FORWARDED_UPGRADE = UPGRADE.replace(
  /(?:Upgrade: websocket|Connection: Upgrade)\r\n/g,
  "",
)
  .replace(/\r\n$/, "upgrade: websocket\r\nconnection: Upgrade, close\r\n\r\n");

/** The server's answer to it. */
export const SWITCHING = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n" +
  "Connection: Upgrade\r\nx-request-id: r\r\n\r\n";
