// SPDX-License-Identifier: Apache-2.0
import { inspect } from "node:util";
import { activeLog, type Log } from "../logger.ts";
import { inSources } from "./source-positions.ts";

/** Maximum depth of causes to show, and maximum number of errors of an `AggregateError`. */
const limit = 5;

/** Logs an error with its stack. The stack is computed only if the log has a reader: it may need source maps. */
export function logError(log: Log, message: string, error: unknown): void {
  activeLog(log)?.error(message, { error: stackOf(error) });
}

/**
 * Returns the stack of an error and the stacks of its causes, with positions in the sources; for logs and crashes. For a thrown value that
 * is not an Error, returns its text.
 *
 * @see inSources
 */
export function stackOf(error: unknown): string {
  return stackBelow(error, [], limit).join("\n");
}

/** @param above lines of the stack of the error that this one caused. */
function stackBelow(error: unknown, above: readonly string[], depth: number): readonly string[] {
  if (!(error instanceof Error)) return textOf(error).split("\n");
  const lines = inSources(error.stack ?? `${error.name}: ${error.message}`).split("\n");
  const below = (prefix: string, other: unknown): readonly string[] => {
    if (depth === 0 || other === undefined || other === null) return [];
    const [first = "", ...rest] = stackBelow(other, lines, depth - 1);
    return [prefix + first, ...rest];
  };
  const parts: readonly unknown[] = error instanceof AggregateError ? error.errors.slice(0, limit) : [];
  return [...withoutShared(lines, above), ...parts.flatMap((part) => below("contains ", part)), ...below("caused by ", error.cause)];
}

/** Replaces the last frames, if the stack above ends with the same ones. */
function withoutShared(lines: readonly string[], above: readonly string[]): readonly string[] {
  let shared = 0;
  while (shared < lines.length - 1 && lines.at(-1 - shared) === above.at(-1 - shared)) shared += 1;
  return shared < 2 ? lines : [...lines.slice(0, -shared), `    (${shared} more frames as above)`];
}

/** Returns the text of a thrown value that is not an Error. */
export function textOf(thrown: unknown): string {
  return typeof thrown === "string" ? thrown : inspect(thrown, { depth: 2 });
}
