/**
 * Logging (spec §13): one line a record, JSON or for people, never a payload and never a secret.
 *
 * @module
 */

import { configure, getLogger, type LogRecord, reset } from "@logtape/logtape";

/** Typed fields of a record. Values must be safe to show. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** What the rooms log with. */
export interface Log {
  trace(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Levels of the configuration, from chatty to grave. */
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "fatal";

/** What {@link setUpLogging} takes. */
export interface LoggingOptions {
  readonly level: LogLevel;
  readonly format: "json" | "pretty";
  /** Takes finished lines, each with its line feed. */
  readonly write: (line: string) => void;
}

const ROOT = "realtime-router";

/** Sends every record of the router to `write`. Replaces what was set up before. */
export async function setUpLogging(options: LoggingOptions): Promise<void> {
  const format = options.format === "json" ? formatJson : formatPretty;
  const sink = (record: LogRecord) => options.write(format(record));
  await configure({
    reset: true,
    sinks: { lines: sink },
    loggers: [
      { category: ROOT, sinks: ["lines"], lowestLevel: toLogTapeLevel(options.level) },
      { category: ["logtape", "meta"], sinks: ["lines"], lowestLevel: "error" },
    ],
  });
}

/** Ends logging; records are dropped until it is set up again. */
export async function endLogging(): Promise<void> {
  await reset();
}

/** The log of one module, whose name stands in every record. */
export function logOf(module: string): Log {
  const logger = getLogger([ROOT, module]);
  return {
    trace: (message, fields) => logger.trace(literally(message), fields),
    debug: (message, fields) => logger.debug(literally(message), fields),
    info: (message, fields) => logger.info(literally(message), fields),
    warn: (message, fields) => logger.warn(literally(message), fields),
    error: (message, fields) => logger.error(literally(message), fields),
  };
}

/** LogTape would put fields in the place of words in braces. */
function literally(message: string): string {
  return message.replace(/[{}]/g, "$&$&");
}

/** One JSON object: `time`, `level`, `msg`, `module` and the record's own fields. */
export function formatJson(record: LogRecord): string {
  const own = {
    time: new Date(record.timestamp).toISOString(),
    level: levelName(record),
    msg: record.message.join(""),
    module: moduleOf(record),
  };
  return JSON.stringify({ ...own, ...record.properties, ...own }) + "\n";
}

/** The same for people. */
export function formatPretty(record: LogRecord): string {
  const time = new Date(record.timestamp).toISOString().slice(11, 23);
  const fields = Object.entries(record.properties)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => ` ${name}=${typeof value === "string" ? quoted(value) : value}`);
  const level = levelName(record).toUpperCase().padEnd(5);
  return `${time} ${level} ${moduleOf(record)}: ${record.message.join("")}${fields.join("")}\n`;
}

function quoted(value: string): string {
  return /^[\w.:/@-]+$/.test(value) ? value : JSON.stringify(value);
}

function levelName(record: LogRecord): LogLevel {
  return record.level === "warning" ? "warn" : record.level;
}

function toLogTapeLevel(level: LogLevel): LogRecord["level"] {
  return level === "warn" ? "warning" : level;
}

function moduleOf(record: LogRecord): string {
  return record.category.slice(1).join(".");
}
