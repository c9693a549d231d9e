import { DENO_VERSION, denoProgram } from "../run/deno_program.ts";
import type { Subject } from "../run/subject.ts";

/** Bytes from one of the runtime's sockets to another: one of the router's hops. */
export const subject: Subject = {
  name: "tunnel",
  title: "tunnel of the runtime's sockets",
  order: 8,
  onRequest: true,
  path: "/",
  version: DENO_VERSION,
  launch: ({ port, backendPort }) =>
    denoProgram("tunnel.ts", [String(port), `ws://127.0.0.1:${backendPort}/`]),
};
