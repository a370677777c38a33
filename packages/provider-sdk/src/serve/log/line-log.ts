// SPDX-License-Identifier: Apache-2.0
import { formatLogLine, type LogLevel, logLevels } from "@tenon/protocol/log-line";
import { type LogFields, type Logger, silentLogger } from "../../logger.ts";

/**
 * Creates a logger that writes entries in the line format of hosts. It writes all lines of one event loop turn at once.
 *
 * @param writeText writes to standard error synchronously
 * @param minLevel entries below this level are not formatted; undefined writes no entries
 * @param common fields that every line carries
 */
export function lineLog(writeText: (text: string) => void, minLevel: LogLevel | undefined, common: LogFields): Logger {
  if (minLevel === undefined) return silentLogger;
  const shown = new Set(logLevels.slice(logLevels.indexOf(minLevel)));
  let pending = "";
  const flush = (): void => {
    const text = pending;
    pending = "";
    if (text !== "") writeText(text);
  };
  // The last lines must reach the host even when the process crashes or exits.
  process.on("exit", flush);
  return ({ level, message, fields }) => {
    if (!shown.has(level)) return;
    if (pending === "") setImmediate(flush);
    pending += formatLogLine({ level, message, module: "provider", timestamp: new Date(), fields: { ...common, ...fields } });
  };
}
