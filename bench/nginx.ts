/**
 * An nginx tunnel, for comparison: one worker that passes WebSocket connections on.
 *
 * @module
 */

import type { Subject } from "./subject.ts";

/** Starts nginx in front of a backend; undefined when this machine has none. */
export async function startNginx(
  backendPort: number,
  options: { readonly core: number },
): Promise<Subject | undefined> {
  const dir = await Deno.makeTempDir({ prefix: "rr-nginx-" });
  const port = freePort();
  await Deno.writeTextFile(`${dir}/nginx.conf`, configuration({ dir, port, backendPort }));
  const command = ["nginx", "-p", dir, "-c", `${dir}/nginx.conf`, "-e", "stderr"];
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command("taskset", {
      args: ["-c", String(options.core), ...command],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  if (!await listens(port, child)) {
    await Deno.remove(dir, { recursive: true });
    return undefined;
  }
  return {
    port,
    pid: child.pid,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await child.status;
      await Deno.remove(dir, { recursive: true });
    },
  };
}

/** One process does everything, so that its CPU time is all there is. */
function configuration(
  { dir, port, backendPort }: {
    readonly dir: string;
    readonly port: number;
    readonly backendPort: number;
  },
): string {
  return `
daemon off; master_process off; pid ${dir}/nginx.pid; error_log stderr error;
events { worker_connections 8192; }
http {
  access_log off;
  client_body_temp_path ${dir}/b; proxy_temp_path ${dir}/p; fastcgi_temp_path ${dir}/f;
  uwsgi_temp_path ${dir}/u; scgi_temp_path ${dir}/s;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${backendPort};
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection "upgrade";
      proxy_read_timeout 1h;
    }
  }
}
`;
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

async function listens(port: number, child: Deno.ChildProcess): Promise<boolean> {
  let ended = false;
  void child.status.then(() => ended = true);
  while (!ended) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  return false;
}
