// SPDX-License-Identifier: Apache-2.0
import { PanicText, parseLogLine } from "@tenon/protocol/log-line";
import { LineSplitter } from "./line-splitter.ts";
import type { LogRecord, LogSink } from "./log-record.ts";

const openingBrace = 123;

/**
 * Reads a provider's standard error: log records, and the panic text of a crash.
 *
 * @see go-plugin client.go, logStderr
 */
export class StandardErrorReader {
  readonly #panic = new PanicText();
  readonly #splitter: LineSplitter;
  readonly #provider: string;
  readonly #sink: LogSink | undefined;

  constructor(provider: string, sink: LogSink | undefined) {
    this.#provider = provider;
    this.#sink = sink;
    this.#splitter = new LineSplitter((line) => this.#read(line));
  }

  add(chunk: Buffer): void {
    this.#splitter.add(chunk);
  }

  end(): void {
    this.#splitter.end();
  }

  /** The panic text; undefined without a panic. */
  get panic(): string | undefined {
    return this.#panic.text;
  }

  #read(line: Buffer): void {
    if (line.length === 0 && this.#panic.text === undefined) return;
    // Providers can log half a megabyte for each call: without a sink, log lines are not decoded.
    if (this.#sink === undefined && line[0] === openingBrace) return;
    const text = line.toString("utf8");
    this.#panic.add(text);
    this.#sink?.write(toRecord(text, this.#provider));
  }
}

function toRecord(line: string, provider: string): LogRecord {
  const { level, module, message, caller, timestamp, fields, structured } = parseLogLine(line);
  return {
    level,
    name: module ?? (structured ? "provider" : "stderr"),
    message,
    fields: caller === undefined ? fields : { caller, ...fields },
    timestamp: timestamp ?? new Date(),
    provider,
  };
}
