// SPDX-License-Identifier: Apache-2.0
import { writeAll } from "./write-all.ts";

/** How long answers that are on their way may take, in milliseconds, when the process is at its end. */
const answersWithinMs = 100;

/**
 * Ends the process on an error nobody caught, in the words a host looks for on standard error to show as a crash.
 *
 * Without this Node would end it too, but the host would take what Node prints for ordinary log lines.
 *
 * @param lastAnswers has handlers answer what they have saved so far, and says whether there is any such thing.
 * @see go-plugin client.go, logStderr: a crash starts with `panic: `
 */
export function panicOnUncaughtErrors(lastAnswers: (reason: Error) => boolean): void {
  let panicking = false;
  const panic = (error: unknown): void => {
    if (panicking) return;
    panicking = true;
    writeAll(2, `panic: ${describe(error)}\n`);
    const message = error instanceof Error ? error.message : String(error);
    if (!lastAnswers(new Error(`the provider crashed: ${message}`, { cause: error }))) process.exit(2);
    setTimeout(() => process.exit(2), answersWithinMs);
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
