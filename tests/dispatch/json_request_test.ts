import assert from "node:assert/strict";
import {
  bodyWithModel,
  type JsonRequest,
  JsonRequestReader,
} from "../../src/dispatch/json_request.ts";
import { RouterError } from "../../src/http/mod.ts";

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function readJsonRequest(all: Uint8Array<ArrayBuffer>): JsonRequest {
  const reader = new JsonRequestReader();
  reader.push(all);
  return reader.end(all);
}

function codeOf(text: string): string | undefined {
  try {
    readJsonRequest(bytes(text));
    return undefined;
  } catch (error) {
    assert.ok(error instanceof RouterError);
    assert.equal(error.param, error.code === "invalid_request" ? null : "model");
    return error.code;
  }
}

Deno.test.each([
  ["", "invalid_request"],
  ["[]", "invalid_request"],
  ['{"model":"a"', "invalid_request"],
  ["{}", "missing_model"],
  ['{"model":""}', "missing_model"],
  ['{"nested":{"model":"a"}}', "missing_model"],
  ['{"Model":"a"}', "missing_model"],
  ['{"\ufeffmodel":"a"}', "missing_model"],
  ['{"model":null}', "invalid_model_parameter"],
  ['{"model":["a"]}', "invalid_model_parameter"],
  ['{"model":1}', "invalid_model_parameter"],
  ['{"model":"a","model":"b"}', "invalid_model_parameter"],
  ['{"model":"a","model":null}', "invalid_model_parameter"],
  ['{"model":"a","MODEL":"a"}', "invalid_model_parameter"],
  ['{"model":"a","m\\u006fdel":"\\u0061"}', undefined],
  ['{"model":"a","\\u006dodel":"b"}', "invalid_model_parameter"],
  ['{"model":"a","MODEL":"b"}', "invalid_model_parameter"],
  ['{"Model":"a","model":"b"}', "invalid_model_parameter"],
  ['{"model":"a","mode":"b","models":["c"]}', undefined],
  [`{"model":"${"a".repeat(4_094)}"}`, undefined],
  [`{"model":"${"a".repeat(4_095)}"}`, "invalid_model_parameter"],
])("readJsonRequest() %j: %s", (text, code) => {
  assert.equal(codeOf(text), code);
});

Deno.test("readJsonRequest() resolves the escapes of name and model", () => {
  const { model } = readJsonRequest(bytes('{"\\u006dodel":"org\\/\\u00e9\\ud83d\\ude42"}'));
  assert.equal(model, "org/é🙂");
});

Deno.test.each([
  ['{"model":"a"}', false],
  ['{"model":"a","stream":true}', true],
  ['{"model":"a","stream":false}', false],
  ['{"model":"a","stream":"true"}', false],
  ['{"model":"a","stream":[true]}', false],
  ['{"model":"a","stream":true,"stream":false}', false],
  ['{"model":"a","options":{"stream":true}}', false],
  ['{"model":"a","stream_format":"sse"}', true],
  ['{"model":"a","stream_format":"audio"}', false],
])("readJsonRequest() %j: stream %s", (text, stream) => {
  assert.equal(readJsonRequest(bytes(text)).stream, stream);
});

Deno.test("bodyWithModel() gives the very bytes when the name stays", () => {
  const body = bytes('{"model":"\\u0061"}');
  assert.equal(bodyWithModel(readJsonRequest(body), "a"), body);
});

Deno.test("bodyWithModel() changes every value of a name that is repeated", () => {
  const request = readJsonRequest(bytes('{"model":"a", "n":"a","model": "\\u0061","x":1}'));
  assert.equal(
    new TextDecoder().decode(bodyWithModel(request, "longer")),
    '{"model":"longer", "n":"a","model": "longer","x":1}',
  );
});

Deno.test("bodyWithModel() changes nothing but the name", () => {
  const before = ' {"seed":12345678901234567890 ,\t"é":1.0, "model" : "alias" ,"b":1e2,"a":[ ]} ';
  const after = before.replace('"alias"', '"say \\"é\\" \\\\"');
  const changed = bodyWithModel(readJsonRequest(bytes(before)), 'say "é" \\');
  assert.equal(new TextDecoder().decode(changed), after);
});
