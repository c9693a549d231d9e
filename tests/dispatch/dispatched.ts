/** Requests through `dispatch()` to backends that are played by functions, for the tests of this room. */

import assert from "node:assert/strict";
import { dispatch } from "../../src/dispatch/dispatch.ts";
import type { AskBackend, UpstreamRequest } from "../../src/dispatch/mod.ts";
import { RouterError } from "../../src/http/mod.ts";
import { DispatchScenario, type ScenarioOptions } from "../support/dispatch_scenario.ts";
import { backendConfig } from "../support/live_backends.ts";

/** What a backend answers. */
export type Script = (request: UpstreamRequest) => Response | Promise<Response>;

/** What differs from a plain request. */
export interface Asked extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests to backends `a`, `b` and `c`, which answer as the test says. */
export class Dispatched {
  readonly scenario: DispatchScenario;
  /** The hosts that were asked, in their order. */
  readonly asked: string[] = [];
  readonly requests: UpstreamRequest[] = [];
  readonly #script: Script;

  constructor(
    script: Script | Readonly<Record<string, Script>>,
    options: Partial<ScenarioOptions> = {},
  ) {
    this.#script = typeof script === "function" ? script : (request) => {
      const answer = script[hostOf(request)];
      assert.ok(answer !== undefined);
      return answer(request);
    };
    this.scenario = new DispatchScenario({
      backends: ["a", "b", "c"].map((name) => backendConfig(name, { models: ["voice"] })),
      ...options,
    });
  }

  async post(body: unknown, init: Asked = {}): Promise<Response> {
    const request = new Request("http://router.test/v1/chat/completions", {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...init,
    });
    return await dispatch({
      request,
      requestId: "r-1",
      endpoint: "/v1/chat/completions",
      clientAddress: "192.0.2.1",
    }, this.scenario.parts(this.#ask));
  }

  /** The refusal. */
  async refusal(body: unknown, init: Asked = {}): Promise<RouterError> {
    try {
      const response = await this.post(body, init);
      throw new Error(`no refusal but a ${response.status}`);
    } catch (error) {
      if (!(error instanceof RouterError)) throw error;
      return error;
    }
  }

  /** What was recorded of each try. */
  get tries(): readonly unknown[] {
    return this.scenario.records.map(({ backend, http_status, outcome }) => [
      backend,
      http_status,
      outcome,
    ]);
  }

  /** How often each backend's breaker has counted a failure. */
  failures(name: string): number {
    const state = this.scenario.backend(name).breaker.state(this.scenario.clock.now());
    assert.ok(state.kind === "closed");
    return state.consecutiveFailures;
  }

  readonly #ask: AskBackend = (request) => {
    this.requests.push(request);
    this.asked.push(hostOf(request));
    return Promise.try(() => this.#script(request));
  };
}

function hostOf({ url }: UpstreamRequest): string {
  return new URL(url).hostname.replace(".test", "");
}

/** A good answer. */
export function ok(): Response {
  return Response.json({ usage: { prompt_tokens: 3, completion_tokens: 1 } });
}

/** An answer with an error's status. */
export function status(code: number): Script {
  return () => Response.json({ error: { message: "m" } }, { status: code });
}

/** A backend that is not there. */
export function refused(): Promise<Response> {
  return Promise.reject(new TypeError("fetch failed", { cause: new Error("connection refused") }));
}

/** Answers with a head, and no body comes; it ends with its signal, as fetch has it. */
export function headOnly({ signal }: UpstreamRequest): Response {
  return new Response(
    new ReadableStream({
      start: (controller) =>
        signal.addEventListener("abort", () => controller.error(signal.reason)),
    }),
    { headers: { "content-type": "text/event-stream" } },
  );
}

/** Answers with a head, and then breaks off. */
export function breaking(): Response {
  return new Response(
    new ReadableStream({ pull: (body) => body.error(new Error("connection reset")) }),
  );
}

/** Never answers; ends with its signal, as fetch does. */
export function silent({ signal }: UpstreamRequest): Promise<Response> {
  const { promise, reject } = Promise.withResolvers<Response>();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener("abort", () => reject(signal.reason));
  return promise;
}

/** What is asked for where it does not matter. */
export const ASKED = { model: "voice" };
