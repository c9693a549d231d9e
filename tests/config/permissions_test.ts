import assert from "node:assert/strict";
import {
  ConfigError,
  parseConfig,
  permissionFlags,
  requiredPermissions,
} from "../../src/config/mod.ts";

const get = () => undefined;

Deno.test("requiredPermissions: the defaults need the listener, loopback and the runtime folder", () => {
  const config = parseConfig("logging: {}", { get });
  assert.deepEqual(requiredPermissions(config, { configPaths: ["config.yaml"] }), {
    net: ["0.0.0.0:8080", "127.0.0.1"],
    read: ["/tmp/realtime-router", "config.yaml"],
    write: ["/tmp/realtime-router"],
    env: [],
  });
});

const FULL = `
server:
  bind_address: ["[::1]:8443", "Router.Example:443"]
  tls: { cert: c.pem, key: k.pem }
  runtime_dir: /run/rr
admin: { bind_address: "127.0.0.1:9090" }
backends:
  - { name: a, url: "http://10.0.0.5" }
  - { name: b, url: "wss://Voice.Example/openai" }
  - { name: c, url: "https://[fd00::1]:8443" }
  - { name: d, url: "ws://10.0.0.5:80/other" }
control_plane: { enabled: true, url: "https://hub.example.com", token: t, spool_path: /var/rr/u.db }
`;

Deno.test("requiredPermissions: everything that the configuration names, sorted and once", () => {
  const config = parseConfig(FULL, { get });
  const permissions = requiredPermissions(config, {
    configPaths: ["/etc/rr/config.yaml", "/etc/rr/keys.yaml"],
    variables: ["HUB_TOKEN"],
    env: ["HOME", "HUB_TOKEN"],
    net: ["unix:/run/rr/fixed/dial.sock"],
  });
  assert.deepEqual(permissions, {
    net: [
      "10.0.0.5:80",
      "127.0.0.1",
      "127.0.0.1:9090",
      "[::1]:8443",
      "[fd00::1]:8443",
      "hub.example.com:443",
      "router.example:443",
      "unix:/run/rr/fixed/dial.sock",
      "voice.example:443",
    ],
    read: ["/etc/rr/config.yaml", "/etc/rr/keys.yaml", "/run/rr", "/var/rr", "c.pem", "k.pem"],
    write: ["/run/rr", "/var/rr"],
    env: ["HOME", "HUB_TOKEN"],
  });
});

Deno.test("requiredPermissions: the hub and its spool only while the control plane is enabled", () => {
  const config = parseConfig('control_plane: { url: "https://hub.example.com" }', { get });
  const { net, write } = requiredPermissions(config, { configPaths: [] });
  assert.deepEqual(net, ["0.0.0.0:8080", "127.0.0.1"]);
  assert.deepEqual(write, ["/tmp/realtime-router"]);
});

Deno.test("requiredPermissions: net true stays true", () => {
  const config = parseConfig("logging: {}", { get });
  assert.equal(requiredPermissions(config, { configPaths: [], net: true }).net, true);
});

Deno.test("permissionFlags: one flag a kind, none for an empty one", () => {
  assert.deepEqual(
    permissionFlags({ net: ["a:1", "b"], read: ["/x y"], write: [], env: ["A", "B"] }),
    ["--allow-net=a:1,b", "--allow-read=/x y", "--allow-env=A,B"],
  );
  assert.deepEqual(permissionFlags({ net: true, read: [], write: [], env: [] }), ["--allow-net"]);
});

Deno.test("permissionFlags: a path with a comma would permit another path and is refused", () => {
  const permissions = { net: [], read: ["/data,/"], write: [], env: [] };
  assert.throws(() => permissionFlags(permissions), ConfigError);
});
