// SPDX-License-Identifier: Apache-2.0
/**
 * Log lines on the standard error of a provider: formatting and parsing.
 *
 * @module
 */
export { formatLogLine } from "./format-log-line.ts";
export { type LogLevel, type LogLine, logLevels } from "./log-line.ts";
export { PanicText } from "./panic-text.ts";
export { type ParsedLogLine, parseLogLine } from "./parse-log-line.ts";
