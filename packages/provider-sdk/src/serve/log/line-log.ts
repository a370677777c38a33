// SPDX-License-Identifier: Apache-2.0
import { formatLogLine, type LogLevel, logLevels } from "@tenon/protocol/log-line";
import { type LogFields, type Logger, silent } from "../../logger.ts";

/**
 * Writes log entries as the lines a host reads, those of one turn of the event loop together.
 *
 * @param writeText writes to standard error before it returns
 * @param minLevel lines below are not even formatted; undefined: none is
 * @param common what every line says of this process
 */
export function lineLog(writeText: (text: string) => void, minLevel: LogLevel | undefined, common: LogFields): Logger {
  if (minLevel === undefined) return silent;
  const shown = new Set(logLevels.slice(logLevels.indexOf(minLevel)));
  let pending = "";
  const flush = (): void => {
    const text = pending;
    pending = "";
    if (text !== "") writeText(text);
  };
  // Neither a crash nor an end may lose the lines that explain it.
  process.on("exit", flush);
  return ({ level, message, fields }) => {
    if (!shown.has(level)) return;
    if (pending === "") setImmediate(flush);
    pending += formatLogLine({ level, message, module: "provider", timestamp: new Date(), fields: { ...common, ...fields } });
  };
}
