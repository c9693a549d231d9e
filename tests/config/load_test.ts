import assert from "node:assert/strict";
import { ConfigError, loadConfig, searchPaths } from "../../src/config/mod.ts";

/** A file system of strings, with the error names of the runtime. */
function filesOf(files: Readonly<Record<string, string | Error>>) {
  const read: string[] = [];
  const readTextFile = (path: string): Promise<string> => {
    read.push(path);
    const content = Object.hasOwn(files, path) ? files[path] : undefined;
    if (content === undefined) return Promise.reject(named("NotFound"));
    return content instanceof Error ? Promise.reject(content) : Promise.resolve(content);
  };
  return { read, readTextFile };
}

function named(name: string): Error {
  const error = new Error(`${name}: os error about /secret/path`);
  error.name = name;
  return error;
}

const get = (name: string) => (name === "KEY" ? "sk-env" : undefined);

/** The whole message of the ConfigError that `promise` ends with. */
async function messageOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    assert(error instanceof ConfigError);
    return error.message;
  }
  return assert.fail("no error");
}

Deno.test("searchPaths: the working folder, the home folder, the system", () => {
  assert.deepEqual(searchPaths("/users/u"), [
    "./config.yaml",
    "/users/u/.config/realtime-router/config.yaml",
    "/etc/realtime-router/config.yaml",
  ]);
  const without = ["./config.yaml", "/etc/realtime-router/config.yaml"];
  assert.deepEqual(searchPaths(), without);
  assert.deepEqual(searchPaths(""), without);
});

for (const [index, path] of searchPaths("/users/u").entries()) {
  Deno.test(`loadConfig: takes ${path} if nothing before it exists`, async () => {
    const { read, readTextFile } = filesOf({
      [path]: "realtime: { max_sessions: 3 }",
      "/etc/realtime-router/config.yaml": "realtime: { max_sessions: 3 }",
    });
    const loaded = await loadConfig({ readTextFile, get, home: "/users/u" });
    assert.equal(loaded.path, path);
    assert.deepEqual(loaded.files, [path]);
    assert.deepEqual(read, searchPaths("/users/u").slice(0, index + 1));
    assert.equal(loaded.config.realtime.max_sessions, 3);
  });
}

Deno.test("loadConfig: --config is the only file that is looked for", async () => {
  const { read, readTextFile } = filesOf({ "./config.yaml": "logging: {}" });
  const message = await messageOf(loadConfig({ path: "/x.yaml", readTextFile, get }));
  assert.equal(message, "/x.yaml: does not exist");
  assert.deepEqual(read, ["/x.yaml"]);
});

Deno.test("loadConfig: no file at all says where it looked", async () => {
  const { readTextFile } = filesOf({});
  assert.equal(
    await messageOf(loadConfig({ readTextFile, get, home: "/users/u" })),
    "no configuration file: looked for ./config.yaml, " +
      "/users/u/.config/realtime-router/config.yaml, /etc/realtime-router/config.yaml; " +
      "name one with --config",
  );
});

const UNREADABLE: readonly (readonly [string, string])[] = [
  ["PermissionDenied", "may not be read: the operating system denies it"],
  ["NotCapable", "may not be read: --allow-read does not cover it"],
  ["IsADirectory", "is a folder"],
  ["InvalidData", "is not UTF-8 text"],
  ["constructor", "cannot be read"],
];

for (const [name, reason] of UNREADABLE) {
  Deno.test(`loadConfig: a file that exists and fails with ${name} is not passed over`, async () => {
    const { read, readTextFile } = filesOf({ "./config.yaml": named(name) });
    const message = await messageOf(loadConfig({ readTextFile, get }));
    assert.equal(message, `./config.yaml: ${reason}`);
    assert.deepEqual(read, ["./config.yaml"]);
  });
}

const MAIN = `
api_keys:
  api_keys_file: keys.yaml
  api_keys: [{ id: a, key: sk-a }]
model_metadata_file: /models/all.yaml
backends: [{ name: b, url: "http://h", api_key: "\${KEY}" }]
`;
const MODELS = "models: [{ id: m, aliases: [n], metadata: { capabilities: [audio] } }]";

for (const keys of ["- { id: b, key: '${KEY}' }", "api_keys: [{ id: b, key: '${KEY}' }]"]) {
  Deno.test(`loadConfig: joins the files that the configuration names: ${keys}`, async () => {
    const { readTextFile } = filesOf({
      "/etc/rr/config.yaml": MAIN,
      "/etc/rr/keys.yaml": keys,
      "/models/all.yaml": MODELS,
    });
    const loaded = await loadConfig({ path: "/etc/rr/config.yaml", readTextFile, get });
    assert.deepEqual(loaded.files, [
      "/etc/rr/config.yaml",
      "/etc/rr/keys.yaml",
      "/models/all.yaml",
    ]);
    assert.deepEqual(loaded.variables, ["KEY"]);
    assert.deepEqual(loaded.config.api_keys.api_keys.map((key) => [key.id, key.key]), [
      ["a", "sk-a"],
      ["b", "sk-env"],
    ]);
    assert.deepEqual(loaded.modelMetadata, [
      { id: "m", aliases: ["n"], metadata: { capabilities: ["audio"] } },
    ]);
    assert(Object.isFrozen(loaded.config.api_keys.api_keys[1]));
    assert(Object.isFrozen(loaded.modelMetadata[0]?.metadata));
  });
}

Deno.test("loadConfig: reports the problems of all files at once, each with its file", async () => {
  const { readTextFile } = filesOf({
    "etc/config.yaml": `${MAIN}realtime: { max_sessions: 0 }`,
    "etc/keys.yaml": "[{ id: a, key: sk-b }, { id: c, key: sk-a }, { id: d, key: '${NONE}' }]",
    "/models/all.yaml": "models: [{ id: m, alias: [n] }, { id: m }]",
  });
  const message = await messageOf(loadConfig({ path: "etc/config.yaml", readTextFile, get }));
  assert.deepEqual(message.split("\n"), [
    "etc/config.yaml: realtime.max_sessions: must be a whole number from 1 to 1000000; found 0",
    "etc/keys.yaml: api_keys[2].key: environment variable NONE is not set and has no default",
    "/models/all.yaml: models[0].alias: unknown field, did you mean aliases? " +
    "known here: id, aliases, metadata",
    "/models/all.yaml: models[1].id: must be unique; models[0] has the same id",
    "etc/keys.yaml: api_keys[0].id: must be unique; " +
    "etc/config.yaml: api_keys.api_keys[0] has the same id",
    "etc/keys.yaml: api_keys[1].key: must be unique; " +
    "etc/config.yaml: api_keys.api_keys[0] is the same key",
  ]);
});

const BAD_EXTRA: readonly (readonly [string, string, string])[] = [
  ["keys.yaml", "keys: []", "api_keys: is required: write a list of keys"],
  ["keys.yaml", "sk-12345", "must be a mapping of fields; found a string"],
  ["keys.yaml", "- sk-12345", "api_keys[0]: must be a mapping of fields; found a string"],
  ["keys.yaml", "", "is empty"],
  ["models.yaml", "[]", "must be a mapping of fields; found a list"],
  ["models.yaml", "models: m", "models: must be a list of models; found a string"],
];

for (const [file, content, message] of BAD_EXTRA) {
  Deno.test(`loadConfig: ${file} with ${JSON.stringify(content)} is refused`, async () => {
    const { readTextFile } = filesOf({
      "config.yaml": "api_keys: { api_keys_file: keys.yaml }\nmodel_metadata_file: models.yaml",
      "keys.yaml": "[]",
      "models.yaml": "models: []",
      [file]: content,
    });
    const all = await messageOf(loadConfig({ path: "config.yaml", readTextFile, get }));
    assert(all.split("\n").includes(`${file}: ${message}`), all);
    assert(!all.includes("sk-12345"));
  });
}

Deno.test("loadConfig: a named file that is missing is an error with its path", async () => {
  const { readTextFile } = filesOf({ "/etc/c.yaml": "model_metadata_file: sub/models.yaml" });
  const message = await messageOf(loadConfig({ path: "/etc/c.yaml", readTextFile, get }));
  assert.equal(message, "/etc/sub/models.yaml: does not exist");
});

Deno.test("loadConfig: a file name whose variable is not set is not looked for", async () => {
  const { read, readTextFile } = filesOf({ "c.yaml": "model_metadata_file: '${NONE}'" });
  const message = await messageOf(loadConfig({ path: "c.yaml", readTextFile, get }));
  assert.equal(
    message,
    "c.yaml: model_metadata_file: environment variable NONE is not set and has no default",
  );
  assert.deepEqual(read, ["c.yaml"]);
});
