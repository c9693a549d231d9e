import assert from "node:assert/strict";
import { checkLowRooms, checkRooms } from "../../../tools/layout/rooms.ts";
import { imports, type LayoutCase, placesOf, treeOf } from "./tree_of.ts";

const ROOM_CASES: readonly LayoutCase[] = [
  {
    name: "a known room with a door",
    tree: { "src/auth/mod.ts": "", "src/auth/bearer.ts": "" },
    found: [],
  },
  {
    name: "a room without a door, once",
    tree: { "src/auth/bearer.ts": "", "src/auth/identity.ts": "" },
    found: ["src/auth/bearer.ts:1"],
  },
  {
    name: "a door further down is no door",
    tree: { "src/config/schema/mod.ts": "" },
    found: ["src/config/schema/mod.ts:1"],
  },
  {
    name: "an unknown room",
    tree: { "src/billing/mod.ts": "" },
    found: ["src/billing/mod.ts:1"],
  },
  { name: "a file in no room", tree: { "src/app.ts": "" }, found: ["src/app.ts:1"] },
  { name: "folders besides src", tree: { "demo/backend.ts": "", "main.ts": "" }, found: [] },
];

Deno.test.each(ROOM_CASES)("checkRooms: $name", ({ tree, found }) => {
  assert.deepEqual(placesOf(checkRooms(treeOf(tree))), found);
});

const LOW_ROOM_CASES: readonly LayoutCase[] = [
  {
    name: "a pure room may know http",
    tree: { "src/auth/bearer.ts": imports("../http/mod.ts") },
    found: [],
  },
  {
    name: "a pure room may not know routing",
    tree: { "src/origin/policy.ts": `\n${imports("../routing/mod.ts")}` },
    found: ["src/origin/policy.ts:2"],
  },
  {
    name: "wire knows no other room",
    tree: { "src/wire/edge.ts": imports("../http/mod.ts") },
    found: ["src/wire/edge.ts:1"],
  },
  {
    name: "files of the same room",
    tree: { "src/config/schema/field.ts": imports("../tree.ts") },
    found: [],
  },
  {
    name: "metering knows no configuration",
    tree: { "src/metering/control_plane.ts": imports("../config/mod.ts") },
    found: ["src/metering/control_plane.ts:1"],
  },
  {
    name: "the composition may know any",
    tree: { "src/router/router.ts": imports("../wire/mod.ts") },
    found: [],
  },
];

Deno.test.each(LOW_ROOM_CASES)("checkLowRooms: $name", ({ tree, found }) => {
  assert.deepEqual(placesOf(checkLowRooms(treeOf(tree))), found);
});
