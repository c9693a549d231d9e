import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { crossCheck, crossCheckKeys, crossCheckModels } from "../../src/config/cross_checks.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

interface Case {
  readonly name: string;
  readonly tree: unknown;
  readonly issues: readonly (readonly [path: string, message: string])[];
}

const CASES: readonly Case[] = [
  {
    name: "two backends with one name",
    tree: { backends: [{ name: "a" }, { name: "b" }, { name: "a" }] },
    issues: [["backends[2].name", "must be unique; backends[0] has the same name"]],
  },
  {
    name: "a header twice",
    tree: { backends: [{ headers: { "X-A": "1", "x-a": "2" } }] },
    issues: [[
      "backends[0].headers",
      "must name each header once; upper and lower case are the same",
    ]],
  },
  {
    name: "authorization beside api_key",
    tree: { backends: [{ api_key: "k", headers: { Authorization: "Basic x" } }] },
    issues: [["backends[0].headers", "must not have authorization beside api_key, which sets it"]],
  },
  {
    name: "authorization without api_key",
    tree: { backends: [{ headers: { Authorization: "Basic x" } }] },
    issues: [],
  },
  {
    name: "an address in both listeners",
    tree: { server: { bind_address: ["[::1]:80", "h:81"] }, admin: { bind_address: "H:81" } },
    issues: [["admin.bind_address", "must not repeat an address of server.bind_address"]],
  },
  {
    name: "port 0 twice",
    tree: { server: { bind_address: ["h:0", "h:0"] } },
    issues: [],
  },
  {
    name: "admin methods without their credentials",
    tree: { admin: { auth: { method: "basic", password: "" } } },
    issues: [
      [
        "admin.auth.username",
        "is required with method basic; found nothing or an empty string",
      ],
      [
        "admin.auth.password",
        "is required with method basic; found nothing or an empty string",
      ],
    ],
  },
  {
    name: "bearer_token without a token",
    tree: { admin: { auth: { method: "bearer_token" } } },
    issues: [[
      "admin.auth.token",
      "is required with method bearer_token; found nothing or an empty string",
    ]],
  },
  {
    name: "api_key without a key",
    tree: { admin: { auth: { method: "api_key", token: "t" } } },
    issues: [[
      "admin.auth.api_key",
      "is required with method api_key; found nothing or an empty string",
    ]],
  },
  {
    name: "an admin method called like a built-in property",
    tree: { admin: { auth: { method: "constructor" } } },
    issues: [],
  },
  {
    name: "control_plane without url and token",
    tree: { control_plane: { enabled: true } },
    issues: [
      ["control_plane.url", "is required when control_plane is enabled"],
      ["control_plane.token", "is required when control_plane is enabled"],
    ],
  },
  { name: "control_plane that is off", tree: { control_plane: { enabled: false } }, issues: [] },
  { name: "a tree of another shape", tree: [{ backends: 3 }, "x", null], issues: [] },
  { name: "sections of other kinds", tree: { backends: { a: 1 }, admin: "x" }, issues: [] },
];

for (const { name, tree, issues } of CASES) {
  Deno.test(`crossCheck: ${name}`, () => {
    assert.deepEqual(crossCheck(tree).map((issue) => [issue.path, issue.message]), issues);
  });
}

Deno.test("crossCheckKeys: ids and secrets are unique over all files, in either form", () => {
  const issues = crossCheckKeys([
    {
      path: "api_keys.api_keys",
      file: "c.yaml",
      entries: [{ id: "a", key: "s1" }, { id: "a", key: "s2" }, { id: "b", key: "s1" }],
    },
    {
      path: "api_keys",
      file: "k.yaml",
      entries: [{ id: "c", key_sha256: sha256("s2").toUpperCase() }, { id: "b", key: "s3" }],
    },
  ]);
  assert.deepEqual(issues, [
    {
      path: "api_keys.api_keys[1].id",
      message: "must be unique; api_keys.api_keys[0] has the same id",
      file: "c.yaml",
    },
    {
      path: "api_keys.api_keys[2].key",
      message: "must be unique; api_keys.api_keys[0] is the same key",
      file: "c.yaml",
    },
    {
      path: "api_keys[0].key_sha256",
      message: "must be unique; c.yaml: api_keys.api_keys[1] is the same key",
      file: "k.yaml",
    },
    {
      path: "api_keys[1].id",
      message: "must be unique; c.yaml: api_keys.api_keys[2] has the same id",
      file: "k.yaml",
    },
  ]);
});

Deno.test("crossCheckKeys: each key has exactly one form of its secret", () => {
  const entries = [{ id: "a" }, { id: "b", key: "s", key_sha256: sha256("t") }, "text", null];
  assert.deepEqual(crossCheckKeys([{ path: "k", entries }]), [
    { path: "k[0]", message: "needs exactly one of key and key_sha256; found neither" },
    { path: "k[1]", message: "needs exactly one of key and key_sha256; found both" },
  ]);
});

Deno.test("crossCheckModels: an id is there once and a name stands for one model", () => {
  const entries = [
    { id: "a", aliases: ["a", "x"] },
    { id: "b", aliases: ["x", "y"] },
    { id: "a" },
    { id: "c", aliases: ["b"] },
  ];
  assert.deepEqual(crossCheckModels(entries, "m"), [
    { path: "m[2].id", message: "must be unique; m[0] has the same id" },
    { path: "m[1].aliases[0]", message: "must stand for one model; it is a name of m[0] too" },
    { path: "m[3].aliases[0]", message: "must stand for one model; it is a name of m[1] too" },
  ]);
});
