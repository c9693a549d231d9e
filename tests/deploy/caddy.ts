/**
 * Caddy with the site of `deploy/caddy`, on a free port, in front of a port of this machine.
 *
 * @module
 */

import { makeAuthority } from "../support/certificates.ts";
import { makeTempDir } from "../support/temp_dir.ts";
import { freePort } from "../support/free_port.ts";
import { PROGRAMS } from "./installed_program.ts";
import { textOf } from "./project_files.ts";
import { NAME, type Proxy } from "./proxied_sessions.ts";
import { RunningProgram } from "./running_program.ts";

const SITE = "deploy/caddy/Caddyfile";

/** Starts Caddy in front of `upstreamPort`. Disposing of it ends it. */
export async function startCaddy(upstreamPort: number): Promise<Proxy> {
  await using started = new AsyncDisposableStack();
  const dir = started.use(await makeTempDir());
  const authority = await makeAuthority();
  const { cert, key } = await authority.issue({ names: [NAME, "localhost", "127.0.0.1"] });
  const certificate = `${await dir.write("cert.pem", cert)} ${await dir.write("key.pem", key)}`;
  const port = freePort();
  const replacements = [
    [`\n${NAME} {\n`, `\nhttps://:${port} {\nbind 127.0.0.1\ntls ${certificate}\n`],
    ["reverse_proxy 127.0.0.1:8080 ", `reverse_proxy 127.0.0.1:${upstreamPort} `],
  ] as const;
  let site = await textOf(SITE);
  for (const [from, to] of replacements) {
    if (!site.includes(from)) throw new Error(`${SITE} has no "${from}"`);
    site = site.replace(from, to);
  }
  const options = "{\nadmin off\nauto_https off\n}\n";
  const path = await dir.write("Caddyfile", options + site);
  const program = started.use(
    new RunningProgram(PROGRAMS.caddy, {
      args: ["run", "--adapter", "caddyfile", "--config", path],
      env: { HOME: dir.path },
    }),
  );
  await program.wrote('"msg":"serving initial configuration"');
  const running = started.move();
  return {
    port,
    caPem: authority.caPem,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
