import assert from "node:assert/strict";
import type { LogRecord } from "@logtape/logtape";
import { formatJson, formatPretty } from "../../src/observability/log.ts";
import { endLogging, type LogLevel, logOf, setUpLogging } from "../../src/observability/mod.ts";

const RECORD: LogRecord = {
  category: ["realtime-router", "realtime"],
  level: "info",
  message: ["session started"],
  rawMessage: "session started",
  timestamp: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  properties: {
    request_id: "r-1",
    model: "a model",
    count: 3,
    ok: true,
    key: null,
    gone: undefined,
  },
};

Deno.test("formatJson() writes one JSON object a line", () => {
  const line = formatJson(RECORD);
  assert.ok(line.endsWith("}\n"));
  assert.equal(line.indexOf("\n"), line.length - 1);
  assert.deepEqual(JSON.parse(line), {
    time: "2026-01-02T03:04:05.678Z",
    level: "info",
    msg: "session started",
    module: "realtime",
    request_id: "r-1",
    model: "a model",
    count: 3,
    ok: true,
    key: null,
  });
});

Deno.test("formatJson() keeps a record on its line whatever its fields hold", () => {
  const properties = { detail: 'two\nlines\r\n\u2028\0"}', "field\n": "x" };
  const line = formatJson({ ...RECORD, properties });
  assert.equal(line.indexOf("\n"), line.length - 1);
  assert.equal(JSON.parse(line).detail, properties.detail);
});

Deno.test("formatJson() does not let a field take the place of the record's own", () => {
  const properties = { time: "x", level: "x", msg: "x", module: "x", other: "y" };
  assert.deepEqual(JSON.parse(formatJson({ ...RECORD, properties })), {
    time: "2026-01-02T03:04:05.678Z",
    level: "info",
    msg: "session started",
    module: "realtime",
    other: "y",
  });
});

Deno.test("formatPretty() writes a line for people", () => {
  assert.equal(
    formatPretty(RECORD),
    '03:04:05.678 INFO  realtime: session started request_id=r-1 model="a model" count=3 ok=true\n',
  );
  assert.match(formatPretty({ ...RECORD, level: "warning" }), /^03:04:05\.678 WARN {2}realtime: /);
});

Deno.test("formatPretty() keeps a record on its line whatever its fields hold", () => {
  const line = formatPretty({ ...RECORD, properties: { detail: "two\nlines\x1b[31m" } });
  assert.equal(line.indexOf("\n"), line.length - 1);
  assert.ok(!line.includes("\x1b"));
});

/** The lines that are written while `act` runs. */
async function linesOf(
  options: { readonly level: LogLevel; readonly format?: "json" | "pretty" },
  act: () => void,
): Promise<string[]> {
  const lines: string[] = [];
  await setUpLogging({ format: "json", ...options, write: (line) => lines.push(line) });
  try {
    act();
  } finally {
    await endLogging();
  }
  return lines;
}

function logAll(): void {
  const log = logOf("http");
  log.trace("m");
  log.debug("m");
  log.info("m");
  log.warn("m");
  log.error("m");
}

Deno.test.each(
  [
    ["trace", ["trace", "debug", "info", "warn", "error"]],
    ["debug", ["debug", "info", "warn", "error"]],
    ["info", ["info", "warn", "error"]],
    ["warn", ["warn", "error"]],
    ["error", ["error"]],
    ["fatal", []],
  ] as const,
)("setUpLogging() at %s writes %j", async (level, expected) => {
  const lines = await linesOf({ level }, logAll);
  assert.deepEqual(lines.map((line) => JSON.parse(line).level), expected);
});

Deno.test("logOf() names its module and gives its fields", async () => {
  const lines = await linesOf({ level: "info" }, () => {
    logOf("wire").info("connected", { port: 1, host: undefined });
  });
  const { module, msg, port } = JSON.parse(lines[0] ?? "");
  assert.deepEqual([module, msg, port], ["wire", "connected", 1]);
});

Deno.test("logOf() writes a message with braces as it is", async () => {
  const message = "server.cors { enabled: {x} } {{y}}";
  for (const fields of [undefined, { x: "secret" }]) {
    const lines = await linesOf({ level: "info" }, () => logOf("main").warn(message, fields));
    assert.equal(JSON.parse(lines[0] ?? "").msg, message);
  }
});

Deno.test("setUpLogging() writes pretty lines when asked, and replaces what was set up before", async () => {
  const first: string[] = [];
  await setUpLogging({ level: "info", format: "json", write: (line) => first.push(line) });
  const lines = await linesOf({ level: "info", format: "pretty" }, () => logOf("main").info("hi"));
  assert.match(lines.join(""), /^[\d:.]{12} INFO {2}main: hi\n$/);
  assert.deepEqual(first, []);
});

Deno.test("endLogging() drops what is logged after it", async () => {
  const lines = await linesOf({ level: "trace" }, () => {});
  logAll();
  assert.deepEqual(lines, []);
});
