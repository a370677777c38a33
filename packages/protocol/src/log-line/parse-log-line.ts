// SPDX-License-Identifier: Apache-2.0
import { type LogLevel, type LogLine, logLevels, reservedKeys } from "./log-line.ts";

/** A line as it was read from a provider's standard error. */
export interface ParsedLogLine extends LogLine {
  /** Everything but the line's own keys; empty for plain text. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** False for plain text; its message is then the whole line. */
  readonly structured: boolean;
}

/**
 * Reads one line of a provider's standard error, without its line end. Never throws.
 *
 * A JSON object with a known `@level` is a structured line. Anything else is plain text: its level is that of a leading
 * `[TRACE]`, `[DEBUG]`, `[INFO]`, `[WARN]` or `[ERROR]`, otherwise debug. Text where a host written in Go would crash or give
 * up (a message that is no string, a timestamp with three digits) is read as far as it makes sense.
 *
 * @see go-plugin log_entry.go, parseJSON; client.go, logStderr
 */
export function parseLogLine(line: string): ParsedLogLine {
  const object = parseObject(line);
  const level = parseLevel(object?.["@level"]);
  if (object === undefined || level === undefined) return { level: prefixedLevel(line), message: line, fields: {}, structured: false };
  const message = object["@message"] ?? "";
  const timestamp = typeof object["@timestamp"] === "string" ? new Date(object["@timestamp"]) : undefined;
  return {
    level,
    message: typeof message === "string" ? message : JSON.stringify(message),
    ...(typeof object["@module"] === "string" ? { module: object["@module"] } : {}),
    ...(typeof object["@caller"] === "string" ? { caller: object["@caller"] } : {}),
    ...(timestamp !== undefined && !Number.isNaN(timestamp.getTime()) ? { timestamp } : {}),
    fields: Object.fromEntries(Object.entries(object).filter(([key]) => !reservedKeys.has(key))),
    structured: true,
  };
}

/** The object a line of JSON holds; undefined when it holds none. */
export function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

function parseLevel(value: unknown): LogLevel | undefined {
  return typeof value === "string" ? logLevels.find((level) => level === value.toLowerCase()) : undefined;
}

function prefixedLevel(line: string): LogLevel {
  return parseLevel(/^\[(TRACE|DEBUG|INFO|WARN|ERROR)\]/.exec(line)?.[1]) ?? "debug";
}
