/**
 * The section `server` (spec §2, §7, §14).
 *
 * @module
 */

import { bindAddresses, duration } from "./conversions.ts";
import { fields, optional, required, section, withDefault } from "./field.ts";
import { hostPattern, originPattern } from "./origins.ts";
import { filePath, httpToken } from "./texts.ts";
import { flag, list } from "./values.ts";

const tls = fields({
  cert: required(filePath, { description: "PEM file with the certificate and its chain." }),
  key: required(filePath, { description: "PEM file with the private key." }),
});

const httpTokens = list(httpToken, "a list of HTTP tokens");

const cors = section({
  enabled: withDefault(flag(), false, {
    description: "Lets browser pages of the listed origins use the router.",
  }),
  allow_origins: withDefault(list(originPattern, "a list of origins"), [], {
    description: 'Origins: exact ones, "*", "<scheme>://<host>:*" or "<host>:*" for any port. ' +
      'The origin "null" is refused even if it is listed.',
  }),
  allow_methods: withDefault(httpTokens, ["GET", "POST", "OPTIONS"], {
    description: "Methods that a preflight allows.",
  }),
  allow_headers: withDefault(
    httpTokens,
    ["authorization", "content-type", "x-backend", "x-request-id"],
    { description: "Request headers that a preflight allows." },
  ),
  expose_headers: withDefault(httpTokens, ["x-request-id", "x-served-backend"], {
    description: "Response headers that a page may read.",
  }),
  allow_credentials: withDefault(flag(), false, {
    description: "Whether pages may send cookies and other credentials.",
  }),
  max_age: withDefault(duration({ positive: false }), "1h", {
    description: "How long a browser may remember a preflight.",
    unit: "duration",
  }),
}, { description: "Browser pages of other origins.", reload: "immediate" });

/** The section `server`. */
export const server = section({
  bind_address: withDefault(bindAddresses({ emptyAllowed: false }), "0.0.0.0:8080", {
    description: "Where to listen, one address or a list of them. Port 0 lets the system choose.",
    reload: "restart",
  }),
  tls: optional(tls, {
    description: "Serves https and wss directly. Absent = plain http and ws.",
    reload: "restart",
  }),
  runtime_dir: withDefault(filePath, "/tmp/realtime-router", {
    description: "Folder for internal sockets, which lie in a random folder of mode 0700 below it.",
    reload: "restart",
  }),
  drain_timeout: withDefault(duration({ positive: false }), "30s", {
    description: "How long running sessions and HTTP answers may go on after SIGTERM or SIGINT.",
    unit: "duration",
  }),
  trust_proxy: withDefault(flag(), false, {
    description: "Takes the client's address from the rightmost X-Forwarded-For entry.",
  }),
  allowed_hosts: withDefault(list(hostPattern, "a list of host names"), [], {
    description: "Names that a request's Host may have: name, name:port, *.domain or an IP " +
      "literal; no port = any port. Empty = any, which leaves DNS rebinding open.",
  }),
  cors,
}, { description: "Listening, TLS and browser access.", reload: "immediate" });
