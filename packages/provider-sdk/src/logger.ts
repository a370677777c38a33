// SPDX-License-Identifier: Apache-2.0

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error";

/** Whatever belongs to a log line besides its message. */
export type LogFields = Readonly<Record<string, unknown>>;

/** One log line. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** Where log lines go: `serve` writes them for the core, a test may collect them. It must not throw. */
export type Logger = (entry: LogEntry) => void;

/**
 * Lines for the core's log, shown with `TF_LOG_PROVIDER`. Every line also has the RPC, the type and an id of the request
 * (`tf_req_id`); values of sensitive attributes are masked in it.
 */
export type Log = { readonly [L in LogLevel]: (message: string, fields?: LogFields) => void };

const levels: readonly LogLevel[] = ["trace", "debug", "info", "warn", "error"];

/** The logger that nobody reads. */
export const silent: Logger = () => {};

/** The log that writes nothing. */
export const silentLog: Log = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A log that somebody reads; undefined for the one that writes nothing. */
export function heard(log: Log): Log | undefined {
  return log === silentLog ? undefined : log;
}

/** A log whose lines all have `fields` and go through `mask` on their way. */
export function createLog(logger: Logger, fields: LogFields, mask: <T>(value: T) => T): Log {
  // Masking has to look for every secret: not for lines that go nowhere.
  if (logger === silent) return silentLog;
  const write =
    (level: LogLevel) =>
    (message: string, more: LogFields = {}): void =>
      logger({ level, message: mask(message), fields: { ...fields, ...mask(more) } });
  return Object.fromEntries(levels.map((level) => [level, write(level)])) as unknown as Log;
}
