import type { Subject } from "../run/subject.ts";

/** A HAProxy tunnel on one thread; what it relays it does not look at. */
export const subject: Subject = {
  name: "haproxy",
  title: "HAProxy tunnel",
  order: 2,
  path: "/",
  version: { command: ["haproxy", "-v"], pattern: /version (\S+)/ },
  launch: ({ port, backendPort, folder }) => ({
    command: ["haproxy", "-q", "-db", "-f", `${folder}/haproxy.cfg`],
    files: {
      "haproxy.cfg": `
global
  maxconn 4000
  nbthread 1
defaults
  mode http
  maxconn 4000
  timeout connect 5s
  timeout client 1h
  timeout server 1h
  timeout tunnel 1h
frontend clients
  bind 127.0.0.1:${port} backlog 4096
  default_backend fake
backend fake
  server fake 127.0.0.1:${backendPort}
`,
    },
  }),
};
