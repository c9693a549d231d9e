/**
 * For every field of the schema: a good value and what it becomes, a bad value and the exact error.
 *
 * @module
 */

import assert from "node:assert/strict";
import { ConfigError, listFields, parseConfig } from "../../src/config/mod.ts";
import { valueAt } from "../../src/config/tree.ts";
import { apiKeyCases } from "./golden/api_keys.ts";
import { backendCases } from "./golden/backends.ts";
import type { GoldenCase } from "./golden/case.ts";
import { operationCases } from "./golden/operation.ts";
import { protectionCases } from "./golden/protection.ts";
import { realtimeCases } from "./golden/realtime.ts";
import { serverCases } from "./golden/server.ts";

const CASES: readonly GoldenCase[] = [
  ...serverCases,
  ...realtimeCases,
  ...apiKeyCases,
  ...backendCases,
  ...protectionCases,
  ...operationCases,
];

/** What an entry needs besides the field under test. */
const ENTRIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "backends[]": { name: "b", url: "http://h" },
  "backends[].model_configs[]": { id: "m" },
};

type Path = readonly (string | number)[];

/** `backends[].url` as a path of data: `["backends", 0, "url"]`; a free name becomes `b`. */
function dataPath(field: string): Path {
  return field.split(".").flatMap((part): Path => {
    if (part === "*") return ["b"];
    return part.endsWith("[]") ? [part.slice(0, -2), 0] : [part];
  });
}

/** A file with one field set and just enough around it. */
function fileWith(golden: GoldenCase, value: unknown): string {
  const parts = golden.field.split(".");
  let tree: unknown = value;
  for (let i = parts.length - 1; i >= 0; i--) {
    const part = parts[i] ?? "";
    const parent = parts.slice(0, i).join(".");
    const key = part === "*" ? "b" : part.replace("[]", "");
    const isField = i === parts.length - 1;
    const beside = isField && golden.beside !== undefined ? golden.beside : ENTRIES[parent] ?? {};
    const inner = part.endsWith("[]") ? [tree] : tree;
    const { [key]: _field, ...others } = beside;
    tree = inner === undefined ? others : { ...others, [key]: inner };
  }
  // JSON is YAML.
  return JSON.stringify(tree);
}

const get = () => undefined;

for (const golden of CASES) {
  Deno.test(`config ${golden.field}: a good value becomes what the golden case says`, () => {
    const [written, effective] = golden.valid;
    const config = parseConfig(fileWith(golden, written), { get });
    assert.deepEqual(valueAt(config, dataPath(golden.field)), effective);
  });

  Deno.test(`config ${golden.field}: a bad value is refused with the exact message`, () => {
    const [written, message] = golden.invalid;
    const path = golden.at ??
      golden.field.replaceAll("[]", "[0]").replaceAll(".*", ".b");
    assert.throws(
      () => parseConfig(fileWith(golden, written), { get, file: "c.yaml" }),
      (error) => {
        assert(error instanceof ConfigError);
        assert.equal(error.message.split("\n")[0], `c.yaml: ${path}: ${message}`);
        return true;
      },
    );
  });
}

Deno.test("config schema: every field has golden cases, and every golden case a field", () => {
  const fields = listFields().map((field) => field.path);
  assert.deepEqual(CASES.map((golden) => golden.field).sort(), [...fields].sort());
});

Deno.test("config schema: every field says what it is, what it allows and what its absence means", () => {
  for (const field of listFields()) {
    assert.match(field.description, /^.{10,}\.$/s, field.path);
    assert.notEqual(field.allowed, "", field.path);
    assert.equal(Object.hasOwn(field, "default"), field.presence === "default", field.path);
    if (field.presence === "optional") assert.match(field.description, /Absent = /, field.path);
  }
});

Deno.test("config schema: a required field that is left out is an error", () => {
  const required = listFields().filter((field) => field.presence === "required");
  assert(required.length >= 6);
  for (const field of required) {
    const golden = CASES.find((candidate) => candidate.field === field.path);
    assert(golden !== undefined);
    assert.throws(
      () => parseConfig(fileWith(golden, undefined), { get }),
      (error) => error instanceof ConfigError && /is required: write /.test(error.message),
      field.path,
    );
  }
});
