/**
 * How one backend is probed, and what is remembered of it from one probe to the next.
 *
 * @module
 */

import type { Backend } from "./backend.ts";
import { backendHeaders } from "./backend_headers.ts";
import { type HealthKind, type ProbeResult, probeResultOf } from "./health.ts";
import { ModelListError, readModelList } from "./model_list.ts";
import {
  discard,
  failureReason,
  firstAnswer,
  modelsUrl,
  type ProbeAnswer,
  probeUrls,
} from "./probe.ts";
import type { ProbeOptions } from "./probe_options.ts";
import type { BackendRegistry } from "./registry.ts";

/** A probe that runs. */
interface Run {
  /** The backend's URL when it began: another one would be another server. */
  readonly url: string;
  readonly stop: AbortController;
  /** Whether nobody wants to know its result any more. */
  cancelled: boolean;
}

/** See the module. */
export class BackendProbe {
  readonly backend: Backend;
  readonly #registry: BackendRegistry;
  readonly #options: ProbeOptions;
  #run: Run | null = null;
  #beganMs = 0;
  #endedMs = -Infinity;
  /** A list of models is wanted now, whenever the next health check may be due. */
  #urgent = false;
  /** What the backend was like when it was last looked at. */
  #known: { readonly url: string; readonly discovers: boolean };
  #preferredUrl: string | undefined;
  #toldKind: HealthKind;
  #toldProblem: string | null = null;

  constructor(
    backend: Backend,
    options: { readonly registry: BackendRegistry; readonly probing: ProbeOptions },
  ) {
    this.backend = backend;
    this.#registry = options.registry;
    this.#options = options.probing;
    this.#known = { url: backend.config.url, discovers: backend.served.discovers };
    this.#toldKind = backend.health.state(options.probing.clock.now()).kind;
  }

  /** When the last probe began; 0 before the first. */
  get beganMs(): number {
    return this.#beganMs;
  }

  /** When the next probe is due: never while one runs, or where there is nothing to find out. */
  dueMs(nowMs: number): number {
    if (this.#run !== null) return Infinity;
    if (this.#urgent) return nowMs;
    const { health, served, config } = this.backend;
    if (config.health.enabled) return health.nextProbeAtMs(nowMs);
    return served.discovers ? this.#endedMs + config.health.intervalMs : Infinity;
  }

  /** Probes the backend. Resolves when no request of it is left; never rejects. */
  async run(): Promise<void> {
    const { clock } = this.#options;
    const run = { url: this.backend.config.url, stop: new AbortController(), cancelled: false };
    this.#run = run;
    this.#beganMs = clock.now();
    this.#urgent = false;
    if (this.backend.config.health.enabled) await this.#check(run);
    else await this.#discover(run);
    this.#run = null;
    this.#endedMs = clock.now();
  }

  /** Ends a probe that runs, without a result. */
  cancel(): void {
    if (this.#run === null) return;
    this.#run.cancelled = true;
    this.#run.stop.abort();
  }

  /** The backend may have been given another configuration. */
  reconfigured(): void {
    const known = this.#known;
    const { config: { url }, served: { discovers } } = this.backend;
    this.#known = { url, discovers };
    if (this.#run !== null && this.#run.url !== url) this.cancel();
    this.#urgent ||= discovers && (!known.discovers || known.url !== url);
  }

  /** Tells of a change of the health since it was last told: time alone may have made one. */
  tellHealth(): void {
    const { health, name } = this.backend;
    const to = health.state(this.#options.clock.now()).kind;
    const from = this.#toldKind;
    if (to === from) return;
    this.#toldKind = to;
    this.#options.onChange({ backend: name, from, to, reason: health.lastFailure });
  }

  async #check(run: Run): Promise<void> {
    const { config } = this.backend;
    let answer: ProbeAnswer;
    try {
      using _deadline = this.#deadline(run);
      const urls = probeUrls(config, this.#preferredUrl);
      answer = await firstAnswer(urls, (url) => this.#request(run, url));
    } catch (error) {
      this.#record(run, { kind: "failed", reason: failureReason(error) });
      return;
    }
    this.#preferredUrl = answer.exists ? answer.url : undefined;
    const result = probeResultOf(answer.response.status);
    this.#record(run, result);
    if (result.kind === "ready") await this.#discover(run, answer);
    else await discard(answer.response);
  }

  /** Takes in the backend's own list of models: from the probe's answer, if that is it. */
  async #discover(run: Run, answer?: ProbeAnswer): Promise<void> {
    const { config, served } = this.backend;
    try {
      using _deadline = this.#deadline(run);
      const url = modelsUrl(config);
      const here = served.discovers && answer?.url === url ? answer.response : undefined;
      if (here === undefined && answer !== undefined) await discard(answer.response);
      if (!served.discovers) return;
      if (here === undefined && answer?.asked.includes(url)) throw new ModelListError("not there");
      const models = await modelsOf(here ?? await this.#request(run, url));
      if (!run.cancelled) this.#take(models);
    } catch (error) {
      if (!run.cancelled) this.#tellProblem(failureReason(error));
    }
  }

  #request(run: Run, url: string): Promise<Response> {
    const { fetch, userAgent, credentialOf } = this.#options;
    const { config, name } = this.backend;
    const headers = backendHeaders(config, { userAgent, apiKey: credentialOf?.(name) });
    return fetch(url, {
      headers: [...headers],
      redirect: "manual",
      signal: run.stop.signal,
    });
  }

  #deadline(run: Run): Disposable {
    const { healthTimeoutMs } = this.backend.config;
    return this.#options.clock.after(
      healthTimeoutMs,
      () => run.stop.abort(new Error(`no answer within ${healthTimeoutMs} ms`)),
    );
  }

  #record(run: Run, result: ProbeResult): void {
    if (run.cancelled) return;
    this.backend.health.record(result, this.#options.clock.now());
    this.tellHealth();
  }

  #take(models: readonly string[]): void {
    const changed = this.#registry.setDiscovered(this.backend, models);
    if (changed || this.#toldProblem !== null) {
      const { name, served } = this.backend;
      this.#options.onDiscovery?.({ backend: name, models: served.names.size });
    }
    this.#toldProblem = null;
  }

  #tellProblem(problem: string): void {
    if (problem === this.#toldProblem) return;
    this.#toldProblem = problem;
    this.#options.onDiscovery?.({ backend: this.backend.name, problem });
  }
}

async function modelsOf(response: Response): Promise<readonly string[]> {
  if (response.ok) return await readModelList(response);
  await discard(response);
  throw new ModelListError(`HTTP status ${response.status}`);
}
