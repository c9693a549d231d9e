import { DENO_VERSION, denoProgram } from "../run/deno_program.ts";
import type { Subject } from "../run/subject.ts";

/** The router where there are no Unix sockets: its dialer listens on the loopback. */
export const subject: Subject = {
  name: "router-fallback",
  title: "router, fallback mode",
  order: 4,
  path: "/v1/realtime?model=m",
  version: DENO_VERSION,
  launch: ({ port, backendPort, folder }) =>
    denoProgram("router.ts", [
      ...[String(port), `ws://127.0.0.1:${backendPort}/`, `${folder}/run`],
      "tcp",
    ]),
};
