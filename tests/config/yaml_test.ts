import assert from "node:assert/strict";
import fc from "fast-check";
import { ConfigError } from "../../src/config/issues.ts";
import { MAX_YAML_LENGTH, parseYaml, writeYaml } from "../../src/config/yaml.ts";

function messageOf(text: string): string {
  try {
    parseYaml(text, { file: "c.yaml" });
  } catch (error) {
    assert(error instanceof ConfigError);
    return error.message;
  }
  return "";
}

Deno.test("parseYaml: reads the core schema and nothing more", () => {
  const tree = parseYaml("a: 1\nb: yes\nc: true\nd: 2027-01-01T00:00:00Z\ne: [x, ~]\n");
  assert.deepEqual(tree, { a: 1, b: "yes", c: true, d: "2027-01-01T00:00:00Z", e: ["x", null] });
});

const REFUSED: readonly (readonly [string, string, string])[] = [
  ["an empty text", "", "c.yaml: is empty"],
  ["comments only", "# a: 1\n\n  # b: 2\n", "c.yaml: is empty"],
  [
    "a key that is there twice",
    "a: sk-1\na: sk-2\n",
    "c.yaml: is not valid YAML: duplicated mapping key (line 2, column 1)",
  ],
  [
    "bad indentation",
    "a:\n  b: sk-1\n c: sk-2\n",
    "c.yaml: is not valid YAML: bad indentation of a mapping entry (line 3, column 2)",
  ],
  [
    "an alias",
    "token: *sk-1\n",
    'c.yaml: is not valid YAML: aliases are not supported; put a value that begins with "*" in ' +
    "quotes (line 1, column 9)",
  ],
  [
    "a tag",
    "token: !sk-1 x\n",
    'c.yaml: is not valid YAML: tags are not supported; put a value that begins with "!" in ' +
    "quotes (line 1, column 8)",
  ],
  [
    "a second document",
    "a: 1\n---\nb: 2\n",
    "c.yaml: is not valid YAML: expected a single document in the stream, but found more",
  ],
  [
    "deep nesting",
    "[".repeat(30) + "]".repeat(30),
    "c.yaml: is not valid YAML: nesting exceeded maxDepth (20) (line 1, column 20)",
  ],
  [
    "a text that is too long",
    "#".repeat(MAX_YAML_LENGTH + 1),
    `c.yaml: is longer than ${MAX_YAML_LENGTH} characters`,
  ],
];

for (const [name, text, message] of REFUSED) {
  Deno.test(`parseYaml: ${name} is refused with its place`, () => {
    assert.equal(messageOf(text), message);
  });
}

Deno.test("parseYaml: no text of the file is in an error, whatever is broken", () => {
  const secret = fc.stringMatching(/^[0-9a-f]{16}$/);
  const broken = fc.constantFrom(
    (s: string) => `a: *${s}`,
    (s: string) => `a: !${s} b`,
    (s: string) => `a: !${s}!x b`,
    (s: string) => `a: !<${s}> b`,
    (s: string) => `%TAG !${s} x\n---\na: 1`,
    (s: string) => `a: "${s}`,
    (s: string) => `a: "\\q${s}"`,
    (s: string) => `a: '${s}`,
    (s: string) => `a: [${s}`,
    (s: string) => `a: {${s}: 1, ${s}: 2}`,
    (s: string) => `a: b: ${s}`,
    (s: string) => `a: &${s} &x b`,
    (s: string) => `- ${s}\nb: 1`,
    (s: string) => `a: @${s}`,
    (s: string) => `a: |9${s}`,
    (s: string) => `? {${s}: 1}\n: 2`,
    (s: string) => `a: 1\n--- ${s}\nb`,
    (s: string) => `a: 1\n\t${s}: 2`,
  );
  fc.assert(fc.property(secret, broken, (s, make) => {
    const message = messageOf(make(s));
    assert.notEqual(message, "", make(s));
    assert(!message.includes(s), message);
  }));
});

Deno.test("writeYaml: what it writes is read back the same", () => {
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean());
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.array(leaf)), (tree) => {
      fc.pre(Object.keys(tree).length > 0);
      assert.deepEqual(parseYaml(writeYaml(tree)), { ...tree });
    }),
  );
});
