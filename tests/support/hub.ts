/**
 * A small hub that speaks the protocol of `docs/control-plane.md` over real HTTP, and misbehaves when the test
 * says so.
 *
 * @module
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { neverToBeLogged } from "./log_watch.ts";

/** What the hub does with a batch. */
export type HubStep =
  /** Takes it and answers 204. */
  | { readonly kind: "accept" }
  /** Takes nothing and answers with a status. */
  | {
    readonly kind: "status";
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  }
  /** Takes it, but cuts the connection instead of answering. */
  | { readonly kind: "drop" }
  /** Takes nothing and never answers. */
  | { readonly kind: "hold" };

/** A batch as it came. */
export interface ReceivedBatch {
  readonly routerId: string;
  readonly id: string;
  readonly recordIds: readonly string[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What the hub tells of the backends: keys by backend, or a text of its own. */
export type HubCredentials = Readonly<Record<string, string>> | string;

interface Waiter {
  readonly wanted: () => boolean;
  readonly reached: () => void;
}

/** See the module. It listens from the start on. */
export class TestHub implements AsyncDisposable {
  /** Batches in the order in which they came, refused ones among them. */
  readonly batches: ReceivedBatch[] = [];
  /** The JSON of every record that was taken, by its id. */
  readonly records = new Map<string, string>();
  /** Ids that came with two different contents. */
  readonly conflicts: string[] = [];
  /** Requests for credentials. */
  credentialRequests = 0;
  /** What is done with batches when no other step is next. */
  usually: HubStep = { kind: "accept" };
  #credentials: HubCredentials = {};
  readonly #token: string;
  readonly #steps: HubStep[] = [];
  readonly #waiters = new Set<Waiter>();
  readonly #server: Server;
  #port = 0;

  private constructor(token: string) {
    this.#token = token;
    neverToBeLogged(token);
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /** Starts a hub on a free port of the loopback interface. */
  static async start(options: { readonly token?: string } = {}): Promise<TestHub> {
    const hub = new TestHub(options.token ?? "hub-token");
    await hub.up();
    return hub;
  }

  /** The keys to deliver. */
  get credentials(): HubCredentials {
    return this.#credentials;
  }

  set credentials(credentials: HubCredentials) {
    this.#credentials = credentials;
    neverToBeLogged(...typeof credentials === "string" ? [] : Object.values(credentials));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** What is done with the next batches, one step each. */
  next(...steps: readonly HubStep[]): void {
    this.#steps.push(...steps);
  }

  /** Stops listening; the port is kept in mind. */
  async down(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  /** Listens, on the same port as before. */
  async up(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, "127.0.0.1", resolve));
    const address = this.#server.address();
    if (typeof address === "object" && address !== null) this.#port = address.port;
  }

  /** Resolves when that many different records have been taken. */
  whenTaken(records: number): Promise<void> {
    return this.#when(() => this.records.size >= records);
  }

  /** Resolves when that many batches have come, whatever was done with them. */
  whenBatches(count: number): Promise<void> {
    return this.#when(() => this.batches.length >= count);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.down();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.headers.authorization !== `Bearer ${this.#token}`) return answer(response, 401);
    switch (`${request.method} ${request.url}`) {
      case "POST /v1/usage/records":
        return this.#receive(request, { response, text: new TextDecoder().decode(joined(chunks)) });
      case "GET /v1/backends/credentials":
        this.credentialRequests++;
        return answer(response, 200, credentialsText(this.credentials));
      default:
        return answer(response, 404);
    }
  }

  #receive(
    request: IncomingMessage,
    { response, text }: { readonly response: ServerResponse; readonly text: string },
  ): void {
    const { router_id, batch_id, records } = JSON.parse(text);
    this.batches.push({
      routerId: router_id,
      id: batch_id,
      recordIds: records.map(({ record_id }: { record_id: string }) => record_id),
      headers: request.headers,
    });
    const step = this.#steps.shift() ?? this.usually;
    if (step.kind === "accept" || step.kind === "drop") records.forEach(this.#take);
    this.#tell();
    if (step.kind === "accept") answer(response, 204);
    if (step.kind === "drop") request.socket.destroy();
    if (step.kind === "status") {
      for (const [name, value] of Object.entries(step.headers ?? {})) {
        response.setHeader(name, value);
      }
      answer(response, step.status, step.body);
    }
  }

  readonly #take = (record: { readonly record_id: string }): void => {
    const text = JSON.stringify(record);
    const known = this.records.get(record.record_id) ?? text;
    if (known !== text) this.conflicts.push(record.record_id);
    this.records.set(record.record_id, text);
  };

  #when(wanted: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiters.add({ wanted, reached: resolve });
    this.#tell();
    return promise;
  }

  #tell(): void {
    for (const waiter of this.#waiters) {
      if (!waiter.wanted()) continue;
      this.#waiters.delete(waiter);
      waiter.reached();
    }
  }
}

function answer(response: ServerResponse, status: number, body?: string): void {
  response.statusCode = status;
  response.end(body);
}

function credentialsText(credentials: HubCredentials): string {
  if (typeof credentials === "string") return credentials;
  const entries = Object.entries(credentials).map(([name, key]) => [name, { api_key: key }]);
  return JSON.stringify({ credentials: Object.fromEntries(entries) });
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
