/**
 * A whole router with a listener of its own for operators, asked from another address of this machine: who gets
 * in, under foreign names and from foreign pages.
 */

import assert from "node:assert/strict";
import { ownAddresses } from "../support/own_addresses.ts";
import { parseResponse, upgradeRequest } from "../support/raw_client.ts";
import { RawPeer } from "../support/raw_peer.ts";
import { RUNTIME_DIR, startTestRouter } from "../support/test_router.ts";

const TOKEN = "operators-token";
const SERVER = `server: { bind_address: "0.0.0.0:0", runtime_dir: "${RUNTIME_DIR}"`;
const [OWN] = ownAddresses().filter((address) => address.includes("."));

/** Starts a router. `auth` is `admin.auth`, `more` the rest of `server`. */
async function start(auth: string, more = "") {
  const admin = `admin: { bind_address: "0.0.0.0:0", auth: ${auth} }`;
  const test = await startTestRouter({ yaml: `${SERVER}${more} }\n${admin}` });
  const port = test.router.adminAddresses[0]?.port ?? 0;
  return { main: test.port, port, [Symbol.asyncDispose]: () => test.router.close() };
}

/** Asks from {@link OWN}, which is where the connection goes to, too. */
async function ask(port: number, request: string): Promise<string> {
  using peer = new RawPeer(await Deno.connect({ hostname: OWN ?? "", port }), { masks: true });
  await peer.write(request);
  const { status, body } = parseResponse(new TextDecoder().decode(await peer.readRest()));
  return status < 400 ? String(status) : `${status} ${JSON.parse(body).error.code}`;
}

function get(path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ ...headers, connection: "close" });
  return `GET ${path} HTTP/1.1\r\n${
    lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")
  }\r\n`;
}

/** Declares a test that needs an address of this machine. */
function test(name: string, fn: () => Promise<void>): void {
  const why = OWN === undefined ? " (left out: this machine has no other address)" : "";
  Deno.test({ name: `admin listener: ${name}${why}`, ignore: OWN === undefined, fn });
}

test("without credentials another address is refused, whatever it says", async () => {
  await using router = await start("{}");
  const { port } = router;
  const own = `${OWN}:${port}`;
  const asked = (headers: Readonly<Record<string, string>>) =>
    ask(port, get("/admin/stats", headers));
  assert.equal(await asked({ host: own }), "403 admin_not_allowed");
  assert.equal(await asked({ host: `localhost:${port}` }), "403 admin_not_allowed");
  assert.equal(await asked({ host: "rebound.example" }), "403 admin_not_allowed");
  assert.equal(
    await asked({ host: `localhost:${port}`, "x-forwarded-for": "127.0.0.1" }),
    "403 admin_not_allowed",
  );
  assert.equal(
    await asked({ host: `localhost:${port}`, forwarded: "for=127.0.0.1" }),
    "403 admin_not_allowed",
  );
  assert.equal(
    await asked({ host: own, origin: "https://evil.example" }),
    "403 origin_not_allowed",
  );
});

test("with a credential another address gets in, a foreign page does not", async () => {
  await using router = await start(`{ method: bearer_token, token: ${TOKEN} }`);
  const { port } = router;
  const own = `${OWN}:${port}`;
  const asked = (headers: Readonly<Record<string, string>>) =>
    ask(port, get("/admin/stats", { authorization: `Bearer ${TOKEN}`, ...headers }));
  assert.equal(await asked({ host: own }), "200");
  assert.equal(await asked({ host: own, origin: `http://${own}` }), "200");
  assert.equal(await ask(port, get("/admin/stats", { host: own })), "401 missing_api_key");
  assert.equal(await asked({ host: own, authorization: "Bearer wrong" }), "401 invalid_api_key");
  for (const origin of ["https://evil.example", `http://${OWN}:1`, "null", "http://localhost"]) {
    assert.equal(await asked({ host: own, origin }), "403 origin_not_allowed", origin);
  }
  // A page whose own name was made to resolve here has the Origin of its Host, and no credential.
  const rebound = { host: "rebound.example", origin: "http://rebound.example" };
  assert.equal(await ask(port, get("/admin/stats", rebound)), "401 missing_api_key");
});

test("under a name that is not allowed nothing is answered but probes and metrics", async () => {
  await using router = await start(
    `{ method: bearer_token, token: ${TOKEN} }`,
    ", allowed_hosts: [localhost]",
  );
  const { port } = router;
  const asked = (path: string, host: string) =>
    ask(port, get(path, { host, authorization: `Bearer ${TOKEN}` }));
  for (const path of ["/admin/stats", "/admin/config", "/unknown"]) {
    assert.equal(await asked(path, "rebound.example"), "403 host_not_allowed", path);
  }
  assert.equal(await asked("/admin/stats", "localhost"), "200");
  for (const path of ["/metrics", "/health", "/readyz"]) {
    assert.equal(await asked(path, "rebound.example"), "200", path);
  }
});

test("operators' routes are there only, clients' routes are not", async () => {
  await using router = await start(`{ method: bearer_token, token: ${TOKEN} }`);
  const { main, port } = router;
  const headers = { authorization: `Bearer ${TOKEN}`, host: `${OWN}` };
  for (const path of ["/admin/stats", "/admin/config", "/metrics"]) {
    assert.equal(await ask(main, get(path, headers)), "404 not_found", path);
  }
  assert.equal(await ask(port, get("/metrics", headers)), "200");
  assert.equal(await ask(port, get("/v1/models", headers)), "404 not_found");
  assert.equal(await ask(port, upgradeRequest({ port })), "404 not_found");
});
