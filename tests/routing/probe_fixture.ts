/** A prober without a network, for the tests of this room. */

import {
  type BackendConfig,
  BackendRegistry,
  type Discovery,
  type HealthChange,
  Prober,
} from "../../src/routing/mod.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { settled } from "../support/settled.ts";

/** One request that a prober makes. */
export interface ProbeRequest {
  readonly url: string;
  /** Host and path, such as `b.test/v1/models`. */
  readonly place: string;
  readonly headers: Headers;
  readonly init: RequestInit;
  answer(response: Response): void;
  fail(error: Error): void;
}

/** Answers a request at once, or undefined to leave it open. */
export type Answering = (request: ProbeRequest) => Response | Error | undefined;

/** See the module. Its clock stands still, and requests are open until `answering` or a test answers. */
export class ProbeFixture implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly registry: BackendRegistry;
  readonly prober: Prober;
  /** Those that have no answer yet. */
  readonly open: ProbeRequest[] = [];
  /** The places of all requests since they were last taken. */
  #asked: string[] = [];
  readonly changes: HealthChange[] = [];
  readonly discoveries: Discovery[] = [];
  answering: Answering = () => undefined;
  readonly credentials = new Map<string, string>();

  constructor(configs: readonly BackendConfig[]) {
    this.registry = new BackendRegistry(configs);
    this.prober = new Prober(this.registry, {
      fetch: (url, init) => this.#fetch(url, init),
      clock: this.clock,
      userAgent: "realtime-router/test",
      credentialOf: (backend) => this.credentials.get(backend),
      onChange: (change) => this.changes.push(change),
      onDiscovery: (discovery) => this.discoveries.push(discovery),
    });
  }

  /** Starts the prober and lets it do what it can do now. */
  async start(answering: Answering = this.answering): Promise<void> {
    this.answering = answering;
    this.prober.start();
    await settled();
  }

  /** Lets time pass, with everything that happens in it. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await settled();
  }

  /** Replaces the backends. */
  async apply(configs: readonly BackendConfig[]): Promise<void> {
    this.prober.refresh(this.registry.apply(configs));
    await settled();
  }

  /** The places that were asked since the last call. */
  asked(): readonly string[] {
    const asked = this.#asked;
    this.#asked = [];
    return asked;
  }

  /** The state of a backend's health. */
  health(name: string): string | undefined {
    return this.registry.get(name)?.health.state(this.clock.now()).kind;
  }

  /** The names that a backend serves. */
  served(name: string): readonly string[] {
    return [...this.registry.get(name)?.served.names ?? []];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.prober.close();
  }

  #fetch(url: string, init: RequestInit): Promise<Response> {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const { host, pathname } = new URL(url);
    const close = () => {
      const index = this.open.indexOf(request);
      if (index !== -1) this.open.splice(index, 1);
    };
    const request: ProbeRequest = {
      url,
      place: host + pathname,
      headers: new Headers(init.headers),
      init,
      answer: (response) => {
        close();
        resolve(response);
      },
      fail: (error) => {
        close();
        reject(error);
      },
    };
    this.#asked.push(request.place);
    this.open.push(request);
    init.signal?.addEventListener("abort", () => request.fail(init.signal?.reason));
    const answer = init.signal?.aborted ? init.signal.reason : this.answering(request);
    if (answer instanceof Response) request.answer(answer);
    else if (answer !== undefined) request.fail(answer);
    return promise;
  }
}

/** Answers every request with these statuses by path; 404 elsewhere. */
export function statuses(byPath: Readonly<Record<string, number>>): Answering {
  return ({ url }) => new Response(null, { status: byPath[new URL(url).pathname] ?? 404 });
}
