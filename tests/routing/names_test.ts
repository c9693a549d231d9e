import assert from "node:assert/strict";
import fc from "fast-check";
import { normaliseName, stripSuffix } from "../../src/routing/mod.ts";

const QUANTISATIONS = [
  "q4_k_m",
  "Q4_K_M",
  "q4_k_s",
  "q3_k_l",
  "q3_k_xl",
  "q6_k",
  "q8_0",
  "q4_0",
  "q4_1",
  "q4_0_4_8",
  "q4",
  "q8",
  "UD-Q4_K_XL",
  "iq4_xs",
  "iq2_xxs",
  "iq4_nl",
  "tq1_0",
  "fp16",
  "f16",
  "bf16",
  "fp32",
  "f32",
  "fp8",
  "FP8-dynamic",
  "fp8_e4m3",
  "fp4",
  "nvfp4",
  "mxfp4",
  "int8",
  "int4",
  "8bit",
  "4bit",
  "4-bit",
  "w4a16",
  "w8a8",
  "awq",
  "gptq",
  "gguf",
  "ggml",
  "mlx",
  "exl2",
  "hqq",
  "bnb",
  "onnx",
  "quantized",
];

Deno.test.each(QUANTISATIONS.map((suffix) => [suffix] as const))(
  "normaliseName() removes %s after every separator",
  (suffix) => {
    for (const separator of ["-", "_", ".", ":", "@"]) {
      assert.equal(normaliseName(`Model-7B${separator}${suffix}`), "model-7b");
    }
  },
);

Deno.test.each(
  [
    ["m-2025-08-28", "m"],
    ["한국어음성-Q8_0", "한국어음성"],
    ["голос-2025-08-28", "голос"],
    ["m-20250828", "m"],
    ["m@20250828", "m"],
    ["m@2025-08-28", "m"],
    ["m_20250828", "m"],
    ["m:20250828", "m"],
    ["m.20250828", "m"],
    ["m-2024-02-29", "m"],
    ["m-0613", "m"],
    ["m-1106", "m"],
    ["m-0125", "m"],
    ["m-0229", "m"],
    ["m@0613", "m"],
    ["m-2507", "m"],
    ["m-2602", "m"],
    ["m-2312", "m"],
    // Several, in any order.
    ["m-2025-08-28-q4_k_m", "m"],
    ["m-q4_k_m-2025-08-28", "m"],
    ["m-2507-fp8", "m"],
    ["m-bnb-4bit", "m"],
    ["m-GPTQ-Int4", "m"],
    ["m-quantized.w4a16", "m"],
    ["m-2602-MLX-4bit", "m"],
    ["m-AWQ-4bit-GGUF-0613", "m"],
    ["org/Model-7B-Instruct-FP8", "org/model-7b-instruct"],
    ["llama3:8b-instruct-q4_0", "llama3:8b-instruct"],
    ["gpt-4o-mini-realtime-preview-2024-12-17", "gpt-4o-mini-realtime-preview"],
  ] as const,
)("normaliseName(%s) is %s", (name, expected) => {
  assert.equal(normaliseName(name), expected);
});

const UNTOUCHED = [
  // Not a suffix.
  "m",
  "gpt-4",
  "gpt-4o",
  "gpt-realtime-1.5",
  "gpt-realtime-2",
  "gpt-realtime-2.1",
  "model-7b",
  "model-30b-a3b",
  "model-128k",
  "model-v2",
  "model:latest",
  "q4_k_m",
  "fp8",
  "awq-model",
  "q4_k_m-model",
  "2025-08-28",
  "org/q4_0",
  "org/-q4_0",
  "-q4_0",
  "",
  // No separator in front.
  "modelq4_k_m",
  "modelawq",
  "model0613",
  "model20250828",
  // Near misses of quantisations.
  "m-q9_0",
  "m-q0",
  "m-q44",
  "m-q4_k_q",
  "m-q4_2",
  "m-q4_k_mm",
  "m-iq4",
  "m-iq5_xs",
  "m-iq4_xx",
  "m-fp160",
  "m-fp17",
  "m-fp8x",
  "m-int16",
  "m-int80",
  "m-16bit",
  "m-1bit",
  "m-4bits",
  "m-w4a",
  "m-w4a32",
  "m-w3a16",
  "m-nvfp8",
  "m-mxfp16",
  "m-awqs",
  "m-gguf2",
  "m-mlxcel",
  "m-exl",
  "m-dynamic",
  "m-xs",
  // Near misses of dates.
  "m-2025-13-01",
  "m-2025-00-10",
  "m-2025-08-32",
  "m-2025-02-30",
  "m-2025-8-28",
  "m-2025-08",
  "m-202508-28",
  "m-1999-08-28",
  "m-3025-08-28",
  "m-20251301",
  "m-20250832",
  "m-120250828",
  "m-250828",
  "m-08-2024",
  "m-4096",
  "m-2048",
  "m-8192",
  "m-1024",
  "m-1300",
  "m-0631",
  "m-0230",
  "m-0000",
  "m-0100",
  "m-0012",
  "m-2500",
  "m-2513",
  "m-4007",
  "m-9999",
  "m-512",
  "m-16384",
  "m-v1.0613",
];

Deno.test.each(UNTOUCHED.map((name) => [name] as const))(
  "normaliseName() leaves %j alone",
  (name) => {
    assert.equal(normaliseName(name), name);
  },
);

Deno.test("stripSuffix() takes one suffix at a time", () => {
  assert.equal(stripSuffix("m-2025-08-28-q8_0"), "m-2025-08-28");
  assert.equal(stripSuffix("m-2025-08-28"), "m");
  assert.equal(stripSuffix("m"), null);
});

Deno.test("normaliseName() leaves names that are too long alone, at once", () => {
  const name = "m" + "-q4_0".repeat(200_000);
  assert.equal(normaliseName(name), name);
});

Deno.test("normaliseName() is idempotent and only ever shortens", () => {
  const part = fc.constantFrom("m", "7b", "-q4_0", "-0613", ".awq", ":", "@2025-08-28", "/", "_k");
  fc.assert(fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
    const name = parts.join("");
    const normal = normaliseName(name);
    assert.ok(name.startsWith(normal));
    assert.equal(normaliseName(normal), normal);
    assert.equal(normal === "", name === "");
  }));
});
