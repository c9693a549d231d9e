import { DENO_VERSION, denoProgram } from "../run/deno_program.ts";
import type { Subject } from "../run/subject.ts";

/** The built-in sockets and nothing else. */
export const subject: Subject = {
  name: "bare",
  title: "bare built-in sockets",
  order: 7,
  onRequest: true,
  path: "/",
  version: DENO_VERSION,
  launch: ({ port, backendPort }) =>
    denoProgram("bare.ts", [String(port), `ws://127.0.0.1:${backendPort}/`]),
};
