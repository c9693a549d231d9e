import assert from "node:assert/strict";
import { anonymous, type Identity } from "../../src/auth/mod.ts";
import { findModel, type ListedModel, listModels } from "../../src/dispatch/model_list.ts";
import { RouterError } from "../../src/http/mod.ts";
import { DispatchScenario } from "../support/dispatch_scenario.ts";
import { backendConfig } from "../support/live_backends.ts";

const { gate: { catalogue, registry } } = new DispatchScenario({
  backends: [
    backendConfig("a", { models: ["voice", "org/talker"] }),
    backendConfig("b", { models: ["voice", "unknown-to-all"] }),
  ],
});

interface Allowed {
  readonly models?: readonly string[];
  readonly backends?: readonly string[];
}

function identity({ models, backends }: Allowed = {}): Identity {
  return {
    kind: "key",
    keyId: "k",
    name: null,
    userId: null,
    organizationId: null,
    allowedModels: models === undefined ? null : new Set(models),
    allowedBackends: backends === undefined ? null : new Set(backends),
  };
}

function ids(models: readonly ListedModel[]): readonly string[] {
  return models.map(({ id }) => id);
}

function find(name: string, allowed?: Allowed): ListedModel | string {
  try {
    return findModel(name, { identity: identity(allowed), catalogue, registry });
  } catch (error) {
    assert.ok(error instanceof RouterError);
    return error.code;
  }
}

Deno.test("listModels(): everything that is served, for a caller without limits", () => {
  const listed = listModels(anonymous("no_key"), { catalogue, registry });
  assert.deepEqual(ids(listed), ["voice", "org/talker", "unknown-to-all"]);
});

Deno.test.each(
  [
    ["models", { models: ["org/talker", "nobodys"] }, ["org/talker"]],
    ["an alias, which is not its model", { models: ["alias"] }, ["alias"]],
    ["backends", { backends: ["b"] }, ["voice", "unknown-to-all"]],
    ["both", { backends: ["b"], models: ["voice", "org/talker"] }, ["voice"]],
    ["a backend that is not there", { backends: ["c"] }, []],
  ] satisfies readonly (readonly [string, Allowed, readonly string[]])[],
)("listModels(): limited to %s", (_name, allowed, expected) => {
  assert.deepEqual(ids(listModels(identity(allowed), { catalogue, registry })), expected);
});

Deno.test("findModel() describes a model with what the metadata says", () => {
  assert.deepEqual(find("org/talker"), {
    id: "org/talker",
    object: "model",
    created: 0,
    owned_by: "realtime-router",
    capabilities: ["text"],
    display_name: "Talker",
  });
  assert.deepEqual(find("unknown-to-all"), {
    id: "unknown-to-all",
    object: "model",
    created: 0,
    owned_by: "realtime-router",
  });
});

Deno.test("findModel() shows an alias by the name that was asked for", () => {
  const found = find("alias");
  assert.ok(typeof found === "object");
  assert.deepEqual([found.id, found.capabilities], ["alias", ["audio", "text"]]);
});

Deno.test.each(
  [
    ["model_not_found", "nobodys", {}],
    ["model_not_found", "", {}],
    ["model_not_allowed", "alias", { models: ["voice"] }],
    ["model_not_allowed", "nobodys", { models: ["voice"] }],
    ["backend_not_allowed", "org/talker", { backends: ["b"] }],
  ] satisfies readonly (readonly [string, string, Allowed])[],
)("findModel() refuses with %s: %j", (code, name, allowed) => {
  assert.equal(find(name, allowed), code);
});
