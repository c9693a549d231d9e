import { DENO_VERSION, denoProgram } from "../run/deno_program.ts";
import type { Subject } from "../run/subject.ts";

/** The router, with metering and metrics on. */
export const subject: Subject = {
  name: "router",
  title: "router",
  order: 3,
  path: "/v1/realtime?model=m",
  version: DENO_VERSION,
  launch: ({ port, backendPort, folder }) =>
    denoProgram("router.ts", [String(port), `ws://127.0.0.1:${backendPort}/`, `${folder}/run`]),
};
