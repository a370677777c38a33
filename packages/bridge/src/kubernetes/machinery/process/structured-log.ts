// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from "node:crypto";

/** The level of a log line. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** The fields of a log line. They must not contain values of resources, which may be secret. */
export type LogFields = Readonly<Record<string, unknown>>;

const levels: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Options of a {@link StructuredLog}. */
export interface StructuredLogSettings {
  /** The lowest level that is written. Default: `info`. */
  readonly level?: LogLevel;
  /** Writes a line, which includes its line break. Default: to standard error. */
  readonly write?: (line: string) => void;
}

/** A log with a JSON object on each line. */
export class StructuredLog {
  readonly #settings: StructuredLogSettings;
  readonly #fields: LogFields;

  constructor(settings: StructuredLogSettings = {}, fields: LogFields = {}) {
    this.#settings = settings;
    this.#fields = fields;
  }

  /** Returns a log with additional fields. */
  with(fields: LogFields): StructuredLog {
    return new StructuredLog(this.#settings, { ...this.#fields, ...fields });
  }

  debug(message: string, fields?: LogFields): void {
    this.#write("debug", message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#write("info", message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#write("warn", message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#write("error", message, fields);
  }

  #write(level: LogLevel, message: string, fields: LogFields = {}): void {
    const { level: lowest = "info", write = writeToStandardError } = this.#settings;
    if (levels[level] < levels[lowest]) return;
    const line = { time: new Date().toISOString(), level, message, ...this.#fields, ...fields };
    write(`${JSON.stringify(line, serializableValue)}\n`);
  }
}

function serializableValue(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (!(value instanceof Error)) return value;
  const { code } = value as { readonly code?: unknown };
  return { message: value.message, ...(code === undefined ? {} : { code }) };
}

function writeToStandardError(line: string): void {
  process.stderr.write(line);
}

/** Creates a trace id for the log lines of one operation: 16 random bytes in hexadecimal, as in W3C Trace Context. */
export function createTraceId(): string {
  return randomBytes(16).toString("hex");
}
