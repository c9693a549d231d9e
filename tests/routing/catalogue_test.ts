import assert from "node:assert/strict";
import {
  BUILTIN_MODELS,
  Catalogue,
  type CatalogueLayer,
  type ModelDescription,
} from "../../src/routing/mod.ts";

function model(id: string, changes: Partial<ModelDescription> = {}): ModelDescription {
  return { id, aliases: [], capabilities: ["audio"], metadata: {}, ...changes };
}

function found(layers: readonly CatalogueLayer[], name: string): string | undefined {
  return new Catalogue(layers).lookup(name)?.id;
}

Deno.test.each(
  [
    // Step 1 and 2: exact id before exact alias.
    [[model("a"), model("b", { aliases: ["x"] })], "a", "a"],
    [[model("a"), model("b", { aliases: ["x"] })], "x", "b"],
    [[model("b", { aliases: ["a"] }), model("a")], "a", "a"],
    // An exact alias before an id in another case.
    [[model("Voice"), model("b", { aliases: ["voice"] })], "voice", "b"],
    // Step 3: any case, id before alias.
    [[model("My-Voice")], "my-voice", "My-Voice"],
    [[model("a", { aliases: ["Fast"] })], "FAST", "a"],
    [[model("b", { aliases: ["VOICE"] }), model("Voice")], "voice", "Voice"],
    [[model("m"), model("M")], "M", "M"],
    // Step 4: from the request.
    [[model("m")], "m-q4_k_m", "m"],
    [[model("m")], "M-Q4_K_M", "m"],
    [[model("m")], "m-2025-08-28", "m"],
    [[model("m")], "m-2025-08-28-fp8", "m"],
    [[model("a", { aliases: ["Fast"] })], "fast:q8_0", "a"],
    // Step 4: from the catalogue's names.
    [[model("m-q4_k_m")], "m", "m-q4_k_m"],
    [[model("m-2507")], "m-fp8", "m-2507"],
    [[model("a", { aliases: ["fast-2507"] })], "fast", "a"],
    // One suffix at a time, so that the nearest name wins.
    [[model("m"), model("m-2025-08-28")], "m-2025-08-28-q8_0", "m-2025-08-28"],
    [[model("m"), model("m-q4_0")], "m-q8_0", "m"],
    // Ambiguous only after step 4.
    [[model("m-q4_0"), model("m-q8_0")], "m", undefined],
    [[model("m-q4_0"), model("m-q8_0")], "m-fp16", undefined],
    [[model("m-q4_0"), model("m-q8_0")], "m-q8_0", "m-q8_0"],
    [[model("m-q4_0"), model("b", { aliases: ["m-q8_0"] })], "m", undefined],
    [[model("m-2507"), model("m-2508"), model("m-2509")], "m", undefined],
    // Several names of one entry are not ambiguous.
    [[model("m-q4_0", { aliases: ["m-q8_0", "m-2507"] })], "m", "m-q4_0"],
    // Nothing.
    [[model("m")], "n", undefined],
    [[model("m")], "mm", undefined],
    [[model("m")], "m-1024", undefined],
    [[model("m")], " m", undefined],
    [[model("m")], "", undefined],
    [[model("m")], "constructor", undefined],
    [[model("m")], "__proto__", undefined],
    [[], "m", undefined],
  ] as const,
)("Catalogue.lookup() case %#: %j", (layer, name, expected) => {
  assert.equal(found([layer], name), expected);
});

Deno.test("Catalogue lets the highest layer win, field by field", () => {
  const catalogue = new Catalogue([
    [model("m", { capabilities: undefined, metadata: { display_name: "Mine" }, aliases: ["x"] })],
    [model("m", { capabilities: ["Audio ", "text"], metadata: { display_name: "File", a: 1 } })],
    [model("m", { capabilities: ["vision"], metadata: { a: 2, b: 3 }, aliases: ["y"] })],
  ]);
  assert.equal(catalogue.entries.length, 1);
  const entry = catalogue.lookup("y");
  assert.deepEqual(entry, {
    id: "m",
    aliases: ["x", "y"],
    capabilities: new Set(["audio", "text"]),
    metadata: { display_name: "Mine", a: 1, b: 3 },
  });
});

Deno.test("Catalogue keeps an empty list of capabilities", () => {
  const layers = [[model("m", { capabilities: [] })], [model("m")]];
  assert.deepEqual(new Catalogue(layers).lookup("m")?.capabilities, new Set());
});

Deno.test.each(
  [
    ["m-fp8", true],
    ["M", true],
    ["other", false],
  ] as const,
)("Catalogue: %s without capabilities takes those its id leads to: %s", (id, described) => {
  const catalogue = new Catalogue([[model(id, { capabilities: undefined })], [model("m")]]);
  const entry = catalogue.lookup(id);
  assert.equal(entry?.id, id);
  assert.deepEqual(entry.capabilities, described ? new Set(["audio"]) : null);
});

Deno.test("Catalogue gives a name that a higher layer uses as an alias to that layer", () => {
  const layers = [[model("mine", { aliases: ["m"] })], [model("m", { aliases: ["vendor/m"] })]];
  assert.equal(found(layers, "m"), "mine");
  assert.equal(found(layers, "vendor/m"), undefined);
});

Deno.test("Catalogue.lookup() stays fast for a huge name", () => {
  const catalogue = new Catalogue([BUILTIN_MODELS]);
  assert.equal(catalogue.lookup("m" + "-q4_0".repeat(200_000)), undefined);
});
