// SPDX-License-Identifier: Apache-2.0

/** How much a line matters, least first. */
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error";

/** The levels, least first. */
export const logLevels: readonly LogLevel[] = ["trace", "debug", "info", "warn", "error"];

/** One line of a provider's log. */
export interface LogLine {
  /** How much it matters. */
  readonly level: LogLevel;
  /** What is said, without line end. */
  readonly message: string;
  /** Name of the logger, parts joined by dots: `provider`, `sdk.proto`. */
  readonly module?: string;
  /** File and line that logged, `read.ts:12`. */
  readonly caller?: string;
  /** When it was logged. */
  readonly timestamp?: Date;
  /** Everything else that was said, by key. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Keys of a line that are not fields. */
export const reservedKeys: ReadonlySet<string> = new Set(["@level", "@message", "@module", "@caller", "@timestamp"]);

/** A host cuts a longer line in pieces and takes none of them for JSON. Line end included. */
export const maxLineBytes = 65_535;
