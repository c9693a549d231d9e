import { DENO_VERSION, denoProgram } from "../run/deno_program.ts";
import type { Subject } from "../run/subject.ts";

/** The dialer behind the built-in server: the router less its edge and its rooms. */
export const subject: Subject = {
  name: "dialer",
  title: "dialer alone",
  order: 6,
  onRequest: true,
  path: "/",
  version: DENO_VERSION,
  launch: ({ port, backendPort, folder }) =>
    denoProgram("dialer.ts", [String(port), `ws://127.0.0.1:${backendPort}/`, `${folder}/run`]),
};
