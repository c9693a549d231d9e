import assert from "node:assert/strict";
import {
  realtimeTokenFigures,
  tokenCount,
  tokenFigures,
} from "../../src/metering/usage_numbers.ts";

Deno.test.each(
  [
    [0, 0],
    [1, 1],
    [1000, 1000],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [Number.MAX_SAFE_INTEGER + 1, 0],
    [1e300, 0],
    [-0, 0],
    [-1, 0],
    [0.5, 0],
    [12.000001, 0],
    [Infinity, 0],
    [-Infinity, 0],
    [NaN, 0],
    ["12", 0],
    ["", 0],
    [null, 0],
    [undefined, 0],
    [true, 0],
    [[12], 0],
    [{ value: 12 }, 0],
    [12n, 0],
  ] as const,
)("tokenCount(%s) is %d", (value, expected) => {
  assert.equal(tokenCount(value), expected);
});

Deno.test.each(
  [
    // input, cached, output → input, cached, output, source
    [1000, 900, 50, 100, 900, 50, "engine_final"],
    [1000, 1000, 50, 0, 1000, 50, "engine_final"],
    [1000, 1001, 50, 0, 1001, 50, "engine_final"],
    [900, 9000, 0, 0, 9000, 0, "engine_final"],
    [1000, undefined, 50, 1000, 0, 50, "engine_final"],
    [1000, null, 50, 1000, 0, 50, "engine_final"],
    [1000, -900, 50, 1000, 0, 50, "engine_final"],
    [1000, "900", 50, 1000, 0, 50, "engine_final"],
    [1000, 900.5, 50, 1000, 0, 50, "engine_final"],
    [1000, Infinity, 50, 1000, 0, 50, "engine_final"],
    [undefined, 900, undefined, 0, 900, 0, "engine_final"],
    [undefined, undefined, 50, 0, 0, 50, "engine_final"],
    [7, undefined, undefined, 7, 0, 0, "engine_final"],
    [0, 0, 0, 0, 0, 0, "none"],
    [undefined, undefined, undefined, 0, 0, 0, "none"],
    [-5, "5", null, 0, 0, 0, "none"],
    [2 ** 60, 5.5, Infinity, 0, 0, 0, "none"],
  ] as const,
)(
  "tokenFigures() of input %s, cached %s, output %s",
  (input, cached, output, inputTokens, cachedTokens, outputTokens, source) => {
    assert.deepEqual(tokenFigures({ input, cached, output }), {
      input_tokens: inputTokens,
      cached_input_tokens: cachedTokens,
      output_tokens: outputTokens,
      token_source: source,
    });
  },
);

Deno.test.each(
  [
    ['{"input_tokens":10,"input_token_details":{"cached_tokens":4},"output_tokens":3}', 6, 4, 3],
    ['{"input_tokens":10,"input_token_details":null,"output_tokens":3}', 10, 0, 3],
    ['{"input_tokens":10,"input_token_details":[4],"output_tokens":3}', 10, 0, 3],
    ['{"input_tokens":10,"input_token_details":{},"output_tokens":3}', 10, 0, 3],
    ['{"input_tokens":10,"input_token_details":4,"output_tokens":3}', 10, 0, 3],
    ['{"input_tokens":10,"cached_tokens":4,"output_tokens":3}', 10, 0, 3],
    ['{"input_tokens":1e1,"output_tokens":3.0}', 10, 0, 3],
    ['{"input_tokens":1e999,"output_tokens":3}', 0, 0, 3],
    ['{"input_tokens":-0,"output_tokens":3}', 0, 0, 3],
    ['{"input_tokens":9007199254740993,"output_tokens":3}', 0, 0, 3],
    ['{"total_tokens":13}', 0, 0, 0],
    ['{"type":"duration","seconds":3}', 0, 0, 0],
    ["null", 0, 0, 0],
    ["[10,3]", 0, 0, 0],
    ['"10"', 0, 0, 0],
    ["7", 0, 0, 0],
  ] as const,
)("realtimeTokenFigures(%s)", (usage, input, cached, output) => {
  const figures = realtimeTokenFigures(JSON.parse(usage));
  assert.deepEqual(
    [figures.input_tokens, figures.cached_input_tokens, figures.output_tokens],
    [input, cached, output],
  );
  assert.equal(figures.token_source, input + cached + output === 0 ? "none" : "engine_final");
});
