// SPDX-License-Identifier: Apache-2.0
import { type LogLevel, type LogLine, logLevels, reservedKeys } from "./log-line.ts";

/** A parsed line of a provider's standard error. */
export interface ParsedLogLine extends LogLine {
  /** Values by key, without the reserved keys; empty for plain text. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether the line was a JSON object with a known level. Otherwise it is plain text, and its message is the whole line. */
  readonly structured: boolean;
}

/**
 * Parses one line of a provider's standard error, without its line end. Never throws.
 *
 * A JSON object with a known `@level` is a structured line. Anything else is plain text, with the level of a leading `[TRACE]`,
 * `[DEBUG]`, `[INFO]`, `[WARN]` or `[ERROR]`, or else debug. Values that make hosts in Go crash or treat the line as text (a message that
 * is not a string, a timestamp with three fractional digits) are accepted as far as possible.
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

/** JSON object in a line; undefined when the line is something else. */
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
