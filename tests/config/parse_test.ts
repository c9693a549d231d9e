import assert from "node:assert/strict";
import fc from "fast-check";
import { ConfigError, parseConfig } from "../../src/config/mod.ts";
import { FULL, getSecret, SECRETS } from "./examples.ts";
import { DEFAULTS } from "./golden/defaults.ts";

const get = () => undefined;

/** Lines of the error for a file. */
function errorsOf(text: string, variables: (name: string) => string | undefined = get) {
  try {
    parseConfig(text, { get: variables });
  } catch (error) {
    assert(error instanceof ConfigError);
    return error.message.split("\n");
  }
  return assert.fail("no error");
}

Deno.test("parseConfig: a file without any setting has the documented defaults", () => {
  assert.deepEqual(parseConfig("{}", { get }), DEFAULTS);
});

/** The example of the page: one VoiceChat container. */
const PAGE = `
backends:
  - name: voicechat
    url: "http://10.0.0.5:8000"
    type: vllm
    models:
      - nvidia-nemotronlabs-voicechat-11b

realtime:
  enabled: true
  idle_timeout: "120s"
`;

Deno.test("parseConfig: the page's example works as it stands", () => {
  const config = parseConfig(PAGE, { get });
  assert.deepEqual(config, {
    ...DEFAULTS,
    realtime: { ...DEFAULTS.realtime, enabled: true, idle_timeout: 120_000 },
    backends: [{
      name: "voicechat",
      url: "http://10.0.0.5:8000",
      type: "vllm",
      headers: {},
      weight: 1,
      models: ["nvidia-nemotronlabs-voicechat-11b"],
      model_configs: [],
      realtime: { auth: "bearer" },
      health_check: { enabled: true },
    }],
  });
});

Deno.test("parseConfig: a file with every field of the specification is accepted", () => {
  const config = parseConfig(FULL, { get: getSecret });
  const [backend] = config.backends;
  assert.equal(backend?.api_key, SECRETS["VOICE_KEY"]);
  assert.deepEqual(backend?.model_configs, [{
    id: "my-voice",
    aliases: ["voice"],
    metadata: { display_name: "My voice", capabilities: ["audio", "text"] },
  }]);
  assert.deepEqual(config.circuit_breaker.backends, {
    voicechat: { failure_threshold: 2, timeout_seconds: 5 },
  });
});

Deno.test("parseConfig: the value is frozen all the way down", () => {
  const walk = (value: unknown, path: string) => {
    if (typeof value !== "object" || value === null) return;
    assert(Object.isFrozen(value), path);
    for (const [key, inner] of Object.entries(value)) walk(inner, `${path}.${key}`);
  };
  walk(parseConfig(FULL, { get: getSecret }), "config");
  walk(parseConfig("{}", { get }), "config");
});

Deno.test("parseConfig: two configurations share nothing", () => {
  const [a, b] = [parseConfig("{}", { get }), parseConfig("{}", { get })];
  assert.notEqual(a.server.cors.allow_methods, b.server.cors.allow_methods);
});

Deno.test("parseConfig: an optional key is absent, not undefined", () => {
  const config = parseConfig(PAGE, { get });
  assert(!Object.hasOwn(config, "model_metadata_file"));
  assert(!Object.hasOwn(config.health_checks, "endpoint"));
  assert(!Object.hasOwn(config.server, "tls"));
});

Deno.test("parseConfig: reports every problem at once, of types, names, variables and pairs", () => {
  const lines = errorsOf(`
realtime: { idle_timeout: 60, max_sessions: 0, backend_path: v1, idle_timout: "1s" }
backends:
  - { name: a, url: "http://h", api_key: "\${NOT_SET}" }
  - { name: a, url: "http://h/?q=1" }
admin: { auth: { method: basic, username: ops } }
loging: {}
`);
  assert.deepEqual(lines, [
    "backends[0].api_key: environment variable NOT_SET is not set and has no default",
    "realtime.max_sessions: must be a whole number from 1 to 1000000; found 0",
    'realtime.idle_timeout: must be a duration, such as "30s", "1m30s", "250ms" or "0"; ' +
    'found a number without a unit: write "60s" for 60 seconds',
    'realtime.backend_path: must be a path that begins with "/"; found a different string',
    "realtime.idle_timout: unknown field, did you mean idle_timeout? known here: enabled, " +
    "max_sessions, handshake_timeout, idle_timeout, max_session_duration, backend_path",
    'backends[1].url: must be a URL with http, https, ws, wss, such as "http://10.0.0.5:8000"; ' +
    "found a URL with a query",
    "loging: unknown field, did you mean logging? known here: server, realtime, api_keys, " +
    "model_metadata_file, backends, selection_strategy, health_checks, circuit_breaker, " +
    "timeouts, admin, metrics, control_plane, logging, console",
    "backends[1].name: must be unique; backends[0] has the same name",
    "admin.auth.password: is required with method basic; found nothing or an empty string",
  ]);
});

const ROOTS: readonly (readonly [string, string])[] = [
  ["[]", "must be a mapping of fields; found a list"],
  ["text", "must be a mapping of fields; found a string"],
  [
    "~",
    "must be a mapping of fields; found nothing: remove the line, or indent fields below it",
  ],
  [
    "realtime:\n",
    "realtime: must be a mapping of fields; found nothing: remove the line, or indent fields " +
    "below it",
  ],
];

for (const [text, message] of ROOTS) {
  Deno.test(`parseConfig: ${JSON.stringify(text)} is refused`, () => {
    assert.deepEqual(errorsOf(text), [message]);
  });
}

const URLS: readonly (readonly [string, string | undefined])[] = [
  ["http://h", undefined],
  ["HTTPS://h:8443/base/v1", undefined],
  ["ws://[::1]:80", undefined],
  ["wss://h/", undefined],
  ["http://user@h", "a URL with a user name or password"],
  ["http://user:pass@h", "a URL with a user name or password"],
  ["http://h?", "a URL with a query"],
  ["http://h/a?b=c", "a URL with a query"],
  ["http://h#", "a URL with a fragment"],
  ["http://h/#f", "a URL with a fragment"],
  ["ftp://h", "a URL with another scheme"],
  ["file:///etc/passwd", "a URL with another scheme"],
  ["http://", "a URL without a host or port"],
  ["http:///x", "a URL without a host or port"],
  ["http://:80", "a URL with a broken host or port"],
  ["http://h:", "a URL without a host or port"],
  ["http://h:99999", "a URL with a broken host or port"],
  ["http://[::zz]", "a URL with a broken host or port"],
  ["http:h", "a different string"],
  ["10.0.0.5:8000", "a different string"],
  ["http://h\\@evil", "a string with a space or backslash"],
  ["http://h /", "a string with a space or backslash"],
  ["http://h\t", "a string with a space or backslash"],
];

for (const [url, found] of URLS) {
  Deno.test(`parseConfig: backend URL ${JSON.stringify(url)} is ${found ?? "accepted"}`, () => {
    const text = JSON.stringify({ backends: [{ name: "b", url }] });
    if (found === undefined) {
      assert.equal(parseConfig(text, { get }).backends[0]?.url, url);
    } else {
      assert.deepEqual(errorsOf(text), [
        "backends[0].url: must be a URL with http, https, ws, wss, such as " +
        `"http://10.0.0.5:8000"; found ${found}`,
      ]);
    }
  });
}

const RESERVED_HEADERS = [
  "Host",
  "connection",
  "Upgrade",
  "Sec-WebSocket-Key",
  "sec-websocket-protocol",
  "Content-Length",
  "transfer-encoding",
  "TE",
  "Trailer",
  "Keep-Alive",
  "Proxy-Authorization",
  "bad name",
  "bad:name",
  "",
];

for (const name of RESERVED_HEADERS) {
  Deno.test(`parseConfig: backend header ${JSON.stringify(name)} is refused`, () => {
    const text = JSON.stringify({
      backends: [{ name: "b", url: "http://h", headers: { [name]: "v" } }],
    });
    const [line, ...more] = errorsOf(text);
    assert.deepEqual(more, []);
    assert.match(
      line ?? "",
      /^backends\[0\]\.headers: each name must be a header name that is not/,
    );
  });
}

const HEADER_VALUES = ["a\r\nb", "a\nX-Evil: 1", "a\0b", "ü", " a", "a\t"];

for (const value of HEADER_VALUES) {
  Deno.test(`parseConfig: backend header value ${JSON.stringify(value)} is refused`, () => {
    const text = JSON.stringify({
      backends: [{ name: "b", url: "http://h", headers: { X: value } }],
    });
    const [line] = errorsOf(text);
    assert.match(
      line ?? "",
      /^backends\[0\]\.headers\.X: must be a header value of printable ASCII/,
    );
  });
}

const ORIGINS: readonly (readonly [string, boolean])[] = [
  ["https://a.example:8443", true],
  ["chrome-extension://abcdef", true],
  ["http://[::1]:*", true],
  ["[::1]:*", true],
  ["null", true],
  ["https://*.example.com", false],
  ["https://a.example/path", false],
  ["https://user@a.example", false],
  ["a.example", false],
  ["http*://a.example", false],
  ["*:*", false],
  ["", false],
];

for (const [origin, accepted] of ORIGINS) {
  Deno.test(`parseConfig: origin ${JSON.stringify(origin)} is ${accepted ? "taken" : "refused"}`, () => {
    const text = JSON.stringify({ server: { cors: { allow_origins: [origin] } } });
    if (accepted) assert.deepEqual(parseConfig(text, { get }).server.cors.allow_origins, [origin]);
    else {assert.match(
        errorsOf(text).join(),
        /^server\.cors\.allow_origins\[0\]: must be an origin/,
      );}
  });
}

Deno.test("parseConfig: a missing space in a flow mapping does not show the secret", () => {
  const lines = errorsOf("api_keys: { api_keys: [{ id: a, key:sk-live-4f8a }] }");
  assert.deepEqual(lines, [
    "api_keys.api_keys[0]: has an unknown field; known here: key, key_sha256, id, name, user_id, " +
    "organization_id, enabled, expires_at, rate_limit, allowed_models, allowed_backends",
    "api_keys.api_keys[0]: needs exactly one of key and key_sha256; found neither",
  ]);
});

/** Replaces one leaf of a tree, counted in depth-first order. */
function replaceLeaf(tree: unknown, target: number, value: unknown): unknown {
  let index = 0;
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node === "object" && node !== null) {
      return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, walk(inner)]));
    }
    return index++ === target ? value : node;
  };
  return walk(tree);
}

Deno.test("parseConfig: a secret in any place, in any shape, is never in an error", () => {
  const base = JSON.parse(JSON.stringify(parseConfig(FULL, { get: getSecret })));
  const secret = fc.stringMatching(/^[a-z]7f3[0-9a-f]{10}9z$/);
  const shape = fc.constantFrom<(s: string) => unknown>(
    (s) => s,
    (s) => `${s} with spaces`,
    (s) => `http://u:${s}@h`,
    (s) => `\${${s}`,
    (s) => `${s}\n`,
    (s) => [s],
    (s) => ({ [s]: s }),
    (s) => [{ [`key:${s}`]: null }],
  );
  fc.assert(
    fc.property(secret, shape, fc.nat(140), (s, make, target) => {
      // The dump of the effective value is not a file, so every run has errors to look through.
      const text = JSON.stringify(replaceLeaf(base, target, make(s)));
      const message = errorsOf(text).join("\n");
      assert(!message.includes(s), message);
      for (const other of Object.values(SECRETS)) assert(!message.includes(other), message);
    }),
    { numRuns: 500 },
  );
});

Deno.test("parseConfig: what a variable holds is never in an error", () => {
  fc.assert(fc.property(fc.stringMatching(/^[0-9a-f]{12}[ \n:@/?#"]{0,2}$/), (value) => {
    const lines = errorsOf(`${FULL}unknown_section: {}\n`, () => value);
    assert(!lines.join("\n").includes(value.slice(0, 12)));
  }));
});
