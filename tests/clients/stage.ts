/**
 * The router as a program, with the demo backend behind it.
 *
 * @module
 */

import { type DemoBackend, startDemoBackend } from "../../demo/mod.ts";
import { makeAuthority } from "../support/certificates.ts";
import {
  routerPermissions,
  type RouterProcess,
  serverSection,
  startRouterProcess,
} from "../support/router_process.ts";
import { makeTempDir, type TempDir } from "../support/temp_dir.ts";
import { MODEL } from "../support/test_router.ts";
import type { Mode } from "./mode.ts";

/** The key that a router in blocking mode takes. In permissive mode it is any word. */
export const CLIENT_KEY = "sk-client-4711";

/** Longer than any client may take for all of its rows. */
const MAX_STAGE_MS = 120_000;

/** The backend as the router calls it. */
export const BACKEND = "demo";

/** See the module. */
export interface Stage extends AsyncDisposable {
  readonly backend: DemoBackend;
  readonly router: RouterProcess;
  /** `http://127.0.0.1:PORT`, or `https`. */
  readonly origin: string;
  /** Path of a file with the authority of the router's certificate; null without TLS. */
  readonly caPath: string | null;
  /** Asks the router for something else. Resolves to the body. */
  get(path: string): Promise<string>;
}

/** What a stage is set up with. */
export interface StageOptions {
  /** Milliseconds of conversation in one of the clock. @default {50} */
  readonly speed?: number;
  /** Entries of `server` besides the address, ended by a comma: `allowed_hosts: [localhost],`. */
  readonly server?: string;
  /** Entries of `realtime`. */
  readonly realtime?: string;
  /** @default {"0"} */
  readonly drainTimeout?: string;
  /** More sections, which may replace `api_keys` and `backends`, for a backend on a port. */
  readonly yaml?: (backendPort: number) => string;
}

/** Starts both. Disposing of the stage ends them and removes their files. */
export async function startStage(mode: Mode, options: StageOptions = {}): Promise<Stage> {
  await using started = new AsyncDisposableStack();
  const dir = started.use(await makeTempDir());
  const backend = started.use(await startDemoBackend({ speed: options.speed ?? 50 }));
  const caPath = mode.tls ? await writeIdentity(dir) : null;
  const extra = `${options.server ?? ""} ${tlsEntry(dir, mode)}`;
  const more = options.yaml?.(backend.port) ?? "";
  const yaml = [
    serverSection(dir, options).replace("{", `{ ${extra}`),
    `realtime: { enabled: true, ${options.realtime ?? ""} }`,
    "health_checks: { enabled: false }",
    `backends:
  - { name: ${BACKEND}, url: "http://127.0.0.1:${backend.port}", models: [${MODEL}], \
model_configs: [{ id: ${MODEL}, metadata: { capabilities: [audio] } }] }`,
    `api_keys:
  mode: ${mode.blocking ? "blocking" : "permissive"}
  api_keys: [{ id: client, key: ${CLIENT_KEY} }]`,
  ].filter((section) => !has(more, section.split(":")[0] ?? ""));
  const router = started.use(
    await startRouterProcess(dir, {
      yaml: [...yaml, more].join("\n"),
      permissions: routerPermissions(dir),
      maxRunMs: MAX_STAGE_MS,
    }),
  );
  const origin = `http${mode.tls ? "s" : ""}://127.0.0.1:${router.port}`;
  const caCerts = caPath === null ? [] : [await Deno.readTextFile(caPath)];
  const running = started.move();
  return {
    backend,
    router,
    origin,
    caPath,
    async get(path) {
      using client = Deno.createHttpClient({ caCerts });
      return await (await fetch(`${origin}${path}`, { client })).text();
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function writeIdentity(dir: TempDir): Promise<string> {
  const authority = await makeAuthority();
  const { cert, key } = await authority.issue({ names: ["127.0.0.1", "localhost"] });
  await dir.write("cert.pem", cert);
  await dir.write("key.pem", key);
  return await dir.write("ca.pem", authority.caPem);
}

function tlsEntry(dir: TempDir, { tls }: Mode): string {
  return tls ? `tls: { cert: "${dir.at("cert.pem")}", key: "${dir.at("key.pem")}" },` : "";
}

function has(yaml: string, section: string): boolean {
  return yaml.split("\n").some((line) => line.startsWith(`${section}:`));
}
