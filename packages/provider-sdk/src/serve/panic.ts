// SPDX-License-Identifier: Apache-2.0
import { writeAll } from "./write-all.ts";

/**
 * Ends the process on an error nobody caught, in the words a host looks for on standard error to show as a crash.
 *
 * Without this Node would end it too, but the host would take what Node prints for ordinary log lines.
 *
 * @see go-plugin client.go, logStderr: a crash starts with `panic: `
 */
export function panicOnUncaughtErrors(): void {
  const panic = (error: unknown): void => {
    writeAll(2, `panic: ${describe(error)}\n`);
    process.exit(2);
  };
  process.on("uncaughtException", panic);
  process.on("unhandledRejection", panic);
}

/** The error with its stack and its causes; a thrown thing that is no error as text. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${String(error)}`;
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause === undefined ? own : `${own}\ncaused by ${describe(error.cause)}`;
}
