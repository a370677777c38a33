// SPDX-License-Identifier: Apache-2.0
import { inspect } from "node:util";
import { type LogLevel, logLevels } from "@tenon/protocol/log-line";
import { type LogEntry, type Logger, silentLogger } from "../../logger.ts";

/**
 * Creates a logger that writes entries for a terminal, in the text format of go-hclog. It writes every entry at once, so that nothing is
 * missing while a debugger pauses the process.
 *
 * @param writeText writes to standard error synchronously
 * @param minLevel entries below this level are not formatted; undefined writes no entries
 */
export function readableLog(writeText: (text: string) => void, minLevel: LogLevel | undefined): Logger {
  if (minLevel === undefined) return silentLogger;
  const shown = new Set(logLevels.slice(logLevels.indexOf(minLevel)));
  return (entry) => {
    if (shown.has(entry.level)) writeText(formatEntry(entry, new Date()));
  };
}

/**
 * Formats an entry: time, level, message and fields in one line, and each field with several lines below it.
 *
 * @see go-hclog intlogger.go, logPlain
 */
export function formatEntry({ level, message, fields }: LogEntry, time: Date): string {
  const inLine: string[] = [];
  const below: string[] = [];
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const text = textOf(value);
    if (text.includes("\n")) below.push(`\n  ${key}=`, ...text.split("\n").map((line) => `\n  | ${line}`));
    else inLine.push(` ${key}=${/^[^\s"=]+$/.test(text) ? text : JSON.stringify(text)}`);
  }
  const bracketed = `[${level.toUpperCase()}]`.padEnd(7);
  return `${time.toISOString()} ${bracketed} ${message}${inLine.length > 0 ? ":" : ""}${inLine.join("")}${below.join("")}\n`;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value instanceof Error ? `${value.name}: ${value.message}` : inspect(value, { breakLength: Infinity, depth: 5 });
}
