// SPDX-License-Identifier: Apache-2.0
import { type LogLevel, logLevels } from "@tenon/protocol/log-line";
import { notifyListener } from "../listener.ts";

/** A log record of a provider, or of the host about a call. */
export interface LogRecord {
  readonly level: LogLevel;
  /**
   * The logger, such as `provider` or `sdk.proto`; `stderr` for text on standard error that is not a log line; `stdout` and `stderr` for
   * lines that the provider's code printed; `host` for records about traced calls.
   */
  readonly name: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Time of the record; for plain text the time it was read. */
  readonly timestamp: Date;
  /** Name of the provider, see `LaunchOptions.name`. */
  readonly provider: string;
}

/** Writes records of at least one level to a listener. */
export interface LogSink {
  readonly level: LogLevel;
  /** Whether records of a level are written. */
  accepts(level: LogLevel): boolean;
  readonly write: (record: LogRecord) => void;
}

/** Creates the sink for `onLog`; undefined without a listener, or with the level `off`. */
export function createLogSink(onLog: ((record: LogRecord) => void) | undefined, level: LogLevel | "off"): LogSink | undefined {
  if (onLog === undefined || level === "off") return undefined;
  const least = logLevels.indexOf(level);
  const accepts = (checked: LogLevel): boolean => logLevels.indexOf(checked) >= least;
  return {
    level,
    accepts,
    write: (record) => {
      if (accepts(record.level)) notifyListener(onLog, record);
    },
  };
}
