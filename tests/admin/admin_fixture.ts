/** The admin routes over data that a test writes down, and calls of them. */

import {
  type AdminCall,
  AdminEvents,
  type AdminOptions,
  adminRoutes,
  LastErrors,
  SessionTotals,
} from "../../src/admin/mod.ts";
import { parseConfig } from "../../src/config/mod.ts";
import { Statistics } from "../../src/metering/mod.ts";
import type { LogFields } from "../../src/observability/mod.ts";
import { Sessions } from "../../src/realtime/mod.ts";
import { BackendRegistry } from "../../src/routing/mod.ts";
import { FakeClock } from "../support/fake_clock.ts";

/** Time of {@link AdminFixture.unixNow}: 2027-01-01T00:00:00Z. */
export const UNIX_NOW_MS = Date.UTC(2027, 0, 1);

/** How a call differs from a plain one of this machine to localhost. */
export interface CallOptions {
  readonly method?: string;
  /** @default {"127.0.0.1"} */
  readonly peer?: string;
  /** Besides `host`, which may be replaced. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls routes as the application would. */
export async function call(
  routes: ReturnType<typeof adminRoutes>,
  path: string,
  { method = "GET", peer = "127.0.0.1", headers = {} }: CallOptions = {},
): Promise<Response> {
  const url = `http://localhost:8080${path}`;
  const route = routes.find(({ path }) => new URLPattern({ pathname: path }).test(url));
  if (route === undefined) throw new Error(`no route for ${path}`);
  const request = new Request(url, { method, headers: { host: "localhost:8080", ...headers } });
  const admin: AdminCall = {
    request,
    connection: { peer: { hostname: peer } },
    requestId: "the-request",
  };
  return await route.handle(admin);
}

/** See the module. */
export class AdminFixture {
  readonly clock = new FakeClock(50_000);
  readonly events = new AdminEvents();
  readonly lastErrors = new LastErrors();
  readonly totals = new SessionTotals();
  readonly statistics = new Statistics(0);
  readonly logged: [message: string, fields: LogFields | undefined][] = [];
  readonly #routes: ReturnType<typeof adminRoutes>;

  constructor(options: Partial<AdminOptions> = {}) {
    const config = parseConfig("{}", { get: () => undefined });
    this.#routes = adminRoutes({
      config: () => config,
      statistics: () => this.statistics.snapshot(this.clock.now()),
      realtimeStatistics: () => this.totals.snapshot(),
      recentUsage: () => [],
      sessions: new Sessions(),
      registry: new BackendRegistry(),
      lastErrorOf: (backend) => this.lastErrors.of(backend),
      events: this.events,
      clock: this.clock,
      unixNow: () => UNIX_NOW_MS,
      log: { info: (message, fields) => this.logged.push([message, fields]) },
      ...options,
    });
  }

  get paths(): readonly string[] {
    return this.#routes.map(({ path }) => path);
  }

  /** Calls a route. */
  async fetch(path: string, options: CallOptions = {}): Promise<Response> {
    return await call(this.#routes, path, options);
  }

  /** The status and the body of an answer. */
  async json(path: string, options: CallOptions = {}): Promise<[status: number, body: unknown]> {
    const response = await this.fetch(path, options);
    return [response.status, await response.json()];
  }

  /** The status, error code and `param` of a refusal. */
  async refusal(path: string, options: CallOptions = {}): Promise<readonly unknown[]> {
    const response = await this.fetch(path, options);
    const { error } = await response.json();
    return [response.status, error.code, error.param];
  }
}
