/**
 * A router on a free port, for integration tests.
 *
 * @module
 */

import { parseConfig } from "../../src/config/mod.ts";
import type { Clock } from "../../src/realtime/mod.ts";
import type { Router } from "../../src/router/mod.ts";
import type { DialerTransport, TlsIdentity } from "../../src/wire/mod.ts";
import { startWatchedRouter } from "./watched_router.ts";

/** What a {@link TestRouter} is made with. */
export interface TestRouterOptions {
  /** Its backends all serve {@link MODEL}; a URL each, named b0, b1 … */
  readonly backends?: readonly string[];
  /** More YAML, at the top level; may replace `server`, `realtime` and `backends`. */
  readonly yaml?: string;
  readonly realtime?: string;
  readonly tls?: TlsIdentity;
  readonly transport?: DialerTransport;
  readonly clock?: Clock;
  /** Authorities of the backends' certificates. */
  readonly caCerts?: readonly string[];
}

/** The model that test backends serve. */
export const MODEL = "demo-voice";

/** A running router and where it is. */
export interface TestRouter extends AsyncDisposable {
  readonly router: Router;
  readonly port: number;
  /** `ws://127.0.0.1:PORT/v1/realtime?model=…`, or `wss` with TLS. */
  readonly url: string;
  /** `http://127.0.0.1:PORT`, or `https`. */
  readonly origin: string;
  /** One sample of `/metrics`, 0 when it is not there. */
  metric(name: string, labels?: Readonly<Record<string, string>>): Promise<number>;
}

/** Starts a router. Its runtime directory is below the system's folder for temporary files. */
export async function startTestRouter(options: TestRouterOptions = {}): Promise<TestRouter> {
  const backends = (options.backends ?? []).map((url, index) =>
    `  - { name: b${index}, url: "${url}", models: [${MODEL}], ` +
    `model_configs: [{ id: ${MODEL}, metadata: { capabilities: [audio] } }] }`
  );
  const sections = [
    `server: { bind_address: "127.0.0.1:0", runtime_dir: "${RUNTIME_DIR}", drain_timeout: "0" }`,
    `realtime: { enabled: true, ${options.realtime ?? ""} }`,
    backends.length === 0 ? "backends: []" : `backends:\n${backends.join("\n")}`,
    "health_checks: { enabled: false }",
  ].filter((section) => !hasSection(options.yaml ?? "", section.split(":")[0]!));
  const config = parseConfig([...sections, options.yaml ?? ""].join("\n"), {
    get: () => undefined,
  });
  const router = await startWatchedRouter(config, {
    version: "test",
    caCerts: options.caCerts ?? [],
    ...options.tls === undefined ? {} : { tls: options.tls },
    ...options.transport === undefined ? {} : { transport: options.transport },
    ...options.clock === undefined ? {} : { clock: options.clock },
  });
  const port = router.addresses[0]!.port;
  const s = options.tls === undefined ? "" : "s";
  return {
    router,
    port,
    url: `ws${s}://127.0.0.1:${port}/v1/realtime?model=${MODEL}`,
    origin: `http${s}://127.0.0.1:${port}`,
    metric: async (name, labels = {}) => readSample(await metricsText(router), { name, labels }),
    [Symbol.asyncDispose]: () => router.close(),
  };
}

/** Where routers of tests keep their sockets. */
export const RUNTIME_DIR = "/tmp/realtime-router-tests";

async function metricsText(router: Router): Promise<string> {
  return (await router.metrics.render("")).text;
}

function hasSection(yaml: string, name: string): boolean {
  return yaml.split("\n").some((line) => line.startsWith(`${name}:`));
}

/** The value of one sample of a text exposition, 0 when it is not there. */
export function readSample(
  text: string,
  sample: { readonly name: string; readonly labels: Readonly<Record<string, string>> },
): number {
  for (const line of text.split("\n")) {
    const match = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (match === null || match[1] !== sample.name) continue;
    const labels = match[2] ?? "";
    if (
      Object.entries(sample.labels).every(([key, value]) => labels.includes(`${key}="${value}"`))
    ) {
      return Number(match[3]);
    }
  }
  return 0;
}
