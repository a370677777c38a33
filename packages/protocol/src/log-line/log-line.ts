// SPDX-License-Identifier: Apache-2.0

/** Level of a log line. */
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error";

/** All levels, lowest first. */
export const logLevels: readonly LogLevel[] = ["trace", "debug", "info", "warn", "error"];

/** One line of a provider's log. */
export interface LogLine {
  /** Level of the line. */
  readonly level: LogLevel;
  /** Text of the line, without line end. */
  readonly message: string;
  /** Name of the logger, with dots between its parts: `provider`, `sdk.proto`. */
  readonly module?: string;
  /** Source file and line of the log call: `read.ts:12`. */
  readonly caller?: string;
  /** Time of the log call. */
  readonly timestamp?: Date;
  /** Additional values by key. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Keys with a defined meaning, which are not fields. */
export const reservedKeys: ReadonlySet<string> = new Set(["@level", "@message", "@module", "@caller", "@timestamp"]);

/** Maximum length of a line with its line end, in bytes: a host splits a longer line, and does not recognise the parts as JSON. */
export const maxLineBytes = 65_535;
