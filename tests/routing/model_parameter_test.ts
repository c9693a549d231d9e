import assert from "node:assert/strict";
import fc from "fast-check";
import { readModel, withModel } from "../../src/routing/mod.ts";

Deno.test.each(
  [
    ["model=m", "m"],
    ["a=1&model=m&b=2", "m"],
    ["model=m+y%2Fz", "m y/z"],
    ["model=m%20y/z", "m y/z"],
    ["model=m%2By", "m+y"],
    ["model=a=b", "a=b"],
    ["model=%ED%95%9C", "한"],
    ["model=한", "한"],
    ["model=%20m%20", " m "],
    ["model=m&model=m", "m"],
    ["model=m&model=%6D", "m"],
    ["model=m&x&%6d%6F%64%65%6c=m", "m"],
    ["%6dodel=m", "m"],
    ["&&model=m&&", "m"],
    ["Model=x&model=m", "m"],
    ["xmodel=x&model[]=y&model%00=z&model=m", "m"],
    ["bad=%zz&%=1&%ff=2&model=m", "m"],
    ["model=m%0D%0Ax", "m\r\nx"],
  ] as const,
)("readModel(%j) is %j", (query, expected) => {
  assert.equal(readModel(query), expected);
});

Deno.test.each(
  [
    ["", "missing_model"],
    ["intent=transcription", "missing_model"],
    ["call_id=rtc_1", "missing_model"],
    ["model", "missing_model"],
    ["model=", "missing_model"],
    ["model=&model", "missing_model"],
    ["MODEL=m", "missing_model"],
    ["model+=m", "missing_model"],
    ["+model=m", "missing_model"],
    ["model=a&model=b", "invalid_model_parameter"],
    ["model=a&model=A", "invalid_model_parameter"],
    ["model=a&model=a+", "invalid_model_parameter"],
    ["model=a&%6dodel=b", "invalid_model_parameter"],
    ["model=a&model=", "invalid_model_parameter"],
    ["model=&model=a", "invalid_model_parameter"],
    ["model&model=a", "invalid_model_parameter"],
    ["model=a&model=b&model=a", "invalid_model_parameter"],
    ["model=%", "invalid_model_parameter"],
    ["model=%zz", "invalid_model_parameter"],
    ["model=%FF", "invalid_model_parameter"],
    ["model=%C0%AF", "invalid_model_parameter"],
    ["model=%ED%A0%80", "invalid_model_parameter"],
    ["model=m&model=%E0%A4", "invalid_model_parameter"],
    ["model=%u0061", "invalid_model_parameter"],
  ] as const,
)("readModel(%j) is refused: %s", (query, code) => {
  assert.throws(() => readModel(query), { code, status: 400, param: "model" });
});

Deno.test.each(
  [
    ["", "m", "model=m"],
    ["model=x", "m", "model=m"],
    ["a=1&model=x&b=2", "m", "a=1&model=m&b=2"],
    ["a=1&model=x&b=2&model=x&c=3", "m", "a=1&model=m&b=2&c=3"],
    ["%6dodel=x&a=1", "m", "model=m&a=1"],
    ["model&model=&%6D%6fdel=x", "m", "model=m"],
    ["a=1", "m", "a=1&model=m"],
    ["model=x", "org/m y&z=1#%+한", "model=org%2Fm%20y%26z%3D1%23%25%2B%ED%95%9C"],
    ["model=x", "\ud800", "model=%EF%BF%BD"],
    ["a=%7e+%zz&&=&model=x&q=a+b%20c&", "m", "a=%7e+%zz&&=&model=m&q=a+b%20c&"],
    ["model[]=y&xmodel=z", "m", "model[]=y&xmodel=z&model=m"],
    ["Model=x", "m", "model=m"],
    ["MODEL=x&a=1&model=m&%4Dodel=y&mode%4c=z", "m", "a=1&model=m"],
  ] as const,
)("withModel(%j, %j) is %j", (query, model, expected) => {
  assert.equal(withModel(query, model), expected);
});

Deno.test("withModel() leaves one model that every reader finds, and all other bytes", () => {
  const part = fc.oneof(
    fc.constantFrom("model=a", "model", "%6dodel=b", "x=1", "", "=", "m%6fdel=%zz", "y=model=c"),
    fc.string().map((text) => text.replaceAll("&", "")),
  );
  const isModel = (text: string) => readName(text) === "model";
  fc.assert(fc.property(fc.array(part), fc.string({ minLength: 1 }), (parts, model) => {
    const rewritten = withModel(parts.join("&"), model);
    assert.equal(readModel(rewritten), model.toWellFormed());
    assert.deepEqual(new URLSearchParams(rewritten).getAll("model"), [model.toWellFormed()]);
    const kept = rewritten.split("&").filter((text) => !isModel(text));
    const expected = parts.filter((text) => !isModel(text));
    // An empty query has no parts at all.
    assert.deepEqual(kept.join("&"), parts.join("&") === "" ? "" : expected.join("&"));
  }));
});

function readName(part: string): string {
  return [...new URLSearchParams(`x=&${part}`).keys()][1] ?? "";
}
