import type { Subject } from "../run/subject.ts";

/** The least relay on npm `ws` under Node: what somebody would write first. */
export const subject: Subject = {
  name: "ws-node",
  title: "ws relay on Node",
  order: 5,
  path: "/",
  version: { command: ["node", "--version"], pattern: /^v(\S+)/ },
  launch: ({ port, backendPort }) => ({
    command: [
      "node",
      new URL("../programs/ws_relay.mjs", import.meta.url).pathname,
      String(port),
      `ws://127.0.0.1:${backendPort}/`,
      // Where Deno keeps the version that the import map names.
      import.meta.resolve("ws"),
    ],
  }),
};
