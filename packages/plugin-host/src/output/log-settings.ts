// SPDX-License-Identifier: Apache-2.0
import type { LogLevel } from "@tenon/protocol/log-line";
import type { LogRecord } from "./log-record.ts";

/** Settings for a provider's log. */
export interface LogSettings {
  /** Called with each record of at least `logLevel`, in order. An exception it throws is uncaught. Default: no listener. */
  readonly onLog?: (record: LogRecord) => void;
  /**
   * The lowest level to log. Providers get it as `TF_LOG_PROVIDER`, because creating records that are dropped would slow some of them down
   * by half. Default: `info` with `onLog`, otherwise `off`.
   */
  readonly logLevel?: LogLevel | "off";
}

/** The log level to use: `off` without a listener. */
export function resolveLogLevel({ onLog, logLevel }: LogSettings): LogLevel | "off" {
  return onLog === undefined ? "off" : (logLevel ?? "info");
}
