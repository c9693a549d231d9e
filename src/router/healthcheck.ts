/**
 * `--healthcheck`: asks a router on this machine whether it lives.
 *
 * @module
 */

import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Config } from "../config/mod.ts";

const TIMEOUT_MS = 3_000;
const ANY_ADDRESS: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Whether `/health` of the first configured address answers 200. Never rejects. */
export function isHealthy(config: Config): Promise<boolean> {
  const address = config.server.bind_address[0];
  if (address === undefined) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const options = {
    hostname: ANY_ADDRESS[address.hostname] ?? address.hostname,
    port: address.port,
    path: "/health",
    timeout: TIMEOUT_MS,
    agent: false,
  } as const;
  // It asks itself, and its certificate names the host that clients use, not the address asked here.
  const request = config.server.tls === undefined
    ? requestHttp(options)
    : requestHttps({ ...options, rejectUnauthorized: false });
  request.on("response", (response) => {
    response.resume();
    resolve(response.statusCode === 200);
  });
  request.on("timeout", () => request.destroy());
  request.on("error", () => resolve(false));
  request.on("close", () => resolve(false));
  request.end();
  return promise;
}
