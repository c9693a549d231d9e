/**
 * The HTTP routes on a free port, behind a real edge, with real connections to backends.
 *
 * @module
 */

import { dispatchRoutes, Upstream } from "../../src/dispatch/mod.ts";
import { createApp, rawErrorResponse, RouterError } from "../../src/http/mod.ts";
import { Edge } from "../../src/wire/mod.ts";
import { DispatchScenario, type ScenarioOptions } from "./dispatch_scenario.ts";
import { payloadSent } from "./log_watch.ts";

/** See the module. */
export class DispatchRouter implements AsyncDisposable {
  readonly scenario: DispatchScenario;
  readonly port: number;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** The status of every answer, as it was told to the observer. */
  readonly statuses: number[];
  readonly #edge: Edge;
  readonly #upstream: Upstream;

  private constructor(
    scenario: DispatchScenario,
    parts: { readonly edge: Edge; readonly upstream: Upstream; readonly statuses: number[] },
  ) {
    this.scenario = scenario;
    this.#edge = parts.edge;
    this.#upstream = parts.upstream;
    this.statuses = parts.statuses;
    this.port = parts.edge.addresses[0]?.port ?? 0;
    this.origin = `http://127.0.0.1:${this.port}`;
  }

  /** @param options `caCerts`: authorities of the backends' certificates. */
  static async start(
    options: ScenarioOptions & { readonly caCerts?: readonly string[] },
  ): Promise<DispatchRouter> {
    const scenario = new DispatchScenario(options);
    const upstream = new Upstream({ caCerts: options.caCerts ?? [] });
    const statuses: number[] = [];
    const app = createApp({
      routes: dispatchRoutes(scenario.parts(upstream.ask)),
      checkHost: () => null,
      observer: {
        answered: (_endpoint, { status }) => void statuses.push(status),
        failed: (error) => {
          throw error;
        },
      },
      now: scenario.clock.now,
    });
    const edge = await Edge.start({
      listen: [{ hostname: "127.0.0.1", port: 0 }],
      handler: app,
      renderRefusal: ({ code, message }) => rawErrorResponse(new RouterError(code, message), "x"),
      maxMessageBytes: 1024,
      maxConnections: 64,
      now: () => performance.now(),
      onAcceptError: (error) => {
        throw error;
      },
    });
    return new DispatchRouter(scenario, { edge, upstream, statuses });
  }

  /** Asks a model. */
  post(path: string, body: unknown, init: RequestInit = {}): Promise<Response> {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    payloadSent(text);
    return fetch(`${this.origin}${path}`, {
      method: "POST",
      body: text,
      ...init,
      headers: { "content-type": "application/json", ...init.headers },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#edge.close();
    this.#upstream[Symbol.dispose]();
  }
}
