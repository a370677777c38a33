// SPDX-License-Identifier: Apache-2.0
import { type LogLevel, logLevels } from "@tenon/protocol/log-line";
import { tellListener } from "../listener.ts";

/** One thing a provider said. */
export interface LogRecord {
  readonly level: LogLevel;
  /**
   * Which logger of the provider: `provider`, `sdk.proto`; or the output it came from: `stderr` for text that is no log line,
   * `stdout` and `stderr` for what the provider's code printed. Such text is whole lines. `host`: it is about a call that is traced.
   */
  readonly name: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** When the provider said it; for text that does not say, when it was read. */
  readonly timestamp: Date;
  /** Name of the provider, see `LaunchOptions.name`. */
  readonly provider: string;
}

/** Takes records of at least one level; undefined where nobody wants any. */
export interface LogSink {
  readonly level: LogLevel;
  /** Whether records of a level get anywhere. */
  takes(level: LogLevel): boolean;
  readonly write: (record: LogRecord) => void;
}

/** The way to `onLog`. */
export function createLogSink(onLog: ((record: LogRecord) => void) | undefined, level: LogLevel | "off"): LogSink | undefined {
  if (onLog === undefined || level === "off") return undefined;
  const least = logLevels.indexOf(level);
  const takes = (wanted: LogLevel): boolean => logLevels.indexOf(wanted) >= least;
  return {
    level,
    takes,
    write: (record) => {
      if (takes(record.level)) tellListener(onLog, record);
    },
  };
}
