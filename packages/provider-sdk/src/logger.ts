// SPDX-License-Identifier: Apache-2.0

/** Severity of a log line, lowest first. */
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error";

/** The fields of a log line, besides its message. */
export type LogFields = Readonly<Record<string, unknown>>;

/** One log line. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** Receives log lines: the logger of `serve` writes them for the core, and a test can collect them. It must not throw. */
export type Logger = (entry: LogEntry) => void;

/**
 * Writes lines to the core's log; `TF_LOG_PROVIDER` shows them. The SDK adds the RPC, the type name and the id of the request
 * (`tf_req_id`) to every line, and masks values of sensitive attributes.
 */
export type Log = { readonly [L in LogLevel]: (message: string, fields?: LogFields) => void };

const levels: readonly LogLevel[] = ["trace", "debug", "info", "warn", "error"];

/** A logger that discards all lines. */
export const silentLogger: Logger = () => {};

/** A log that writes nothing. */
export const silentLog: Log = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Returns the log; undefined for {@link silentLog}, so that callers do not create lines for it. */
export function activeLog(log: Log): Log | undefined {
  return log === silentLog ? undefined : log;
}

/** Creates a log that adds `fields` to every line, and applies `mask` to the message and the fields of each line. */
export function createLog(logger: Logger, fields: LogFields, mask: <T>(value: T) => T): Log {
  // Masking is expensive, so it is skipped for lines that are discarded.
  if (logger === silentLogger) return silentLog;
  const write =
    (level: LogLevel) =>
    (message: string, more: LogFields = {}): void =>
      logger({ level, message: mask(message), fields: { ...fields, ...mask(more) } });
  return Object.fromEntries(levels.map((level) => [level, write(level)])) as unknown as Log;
}
