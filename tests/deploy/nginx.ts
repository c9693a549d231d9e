/**
 * nginx with the site of `deploy/nginx`, on a free port, in front of a port of this machine.
 *
 * @module
 */

import { makeAuthority } from "../support/certificates.ts";
import { makeTempDir, type TempDir } from "../support/temp_dir.ts";
import { freePort } from "../support/free_port.ts";
import { PROGRAMS, run } from "./installed_program.ts";
import { textOf } from "./project_files.ts";
import { NAME, type Proxy } from "./proxied_sessions.ts";
import { RunningProgram } from "./running_program.ts";

const SITE = "deploy/nginx/realtime-router.conf";
/** Starts nginx in front of `upstreamPort`. Disposing of it ends it. */
export async function startNginx(upstreamPort: number): Promise<Proxy> {
  await using started = new AsyncDisposableStack();
  const dir = started.use(await makeTempDir());
  const authority = await makeAuthority();
  const { cert, key } = await authority.issue({ names: [NAME, "localhost", "127.0.0.1"] });
  await dir.write("cert.pem", cert);
  await dir.write("key.pem", key);
  const port = freePort();
  const args = await writeConfiguration(dir, { port, upstreamPort });
  const tested = await run(PROGRAMS.nginx, { args: [...args, "-t"] });
  if (tested.code !== 0 || /\[(?:warn|error|emerg)\]/.test(tested.text)) {
    throw new Error(`nginx -t: ${tested.text}`);
  }
  const program = started.use(new RunningProgram(PROGRAMS.nginx, { args }));
  // It writes that when it listens.
  await program.wrote("[notice] ");
  await program.wrote("OS: ");
  const running = started.move();
  return {
    port,
    caPem: authority.caPem,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The site with its ports and certificate replaced, in a configuration that keeps to `dir`. */
async function writeConfiguration(
  dir: TempDir,
  { port, upstreamPort }: { readonly port: number; readonly upstreamPort: number },
): Promise<readonly string[]> {
  const replacements = [
    ["listen 443 ", `listen 127.0.0.1:${port} `],
    ["listen [::]:443 ssl http2;", ""],
    ["server 127.0.0.1:8080;", `server 127.0.0.1:${upstreamPort};`],
    ["/etc/nginx/tls/voice.example.com.crt", dir.at("cert.pem")],
    ["/etc/nginx/tls/voice.example.com.key", dir.at("key.pem")],
  ] as const;
  let site = await textOf(SITE);
  for (const [from, to] of replacements) {
    if (!site.includes(from)) throw new Error(`${SITE} has no "${from}"`);
    site = site.replace(from, to);
  }
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const config = await dir.write(
    "nginx.conf",
    `daemon off; master_process off; pid ${dir.at("nginx.pid")};
     error_log stderr notice;
     events { worker_connections 256; }
     http {
       access_log off;
       ${kinds.map((kind) => `${kind}_temp_path ${dir.at(kind)};`).join("\n")}
       include ${await dir.write("site.conf", site)};
     }\n`,
  );
  return ["-p", dir.path, "-e", "stderr", "-c", config];
}
