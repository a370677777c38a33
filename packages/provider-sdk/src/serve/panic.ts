// SPDX-License-Identifier: Apache-2.0
import { maskedStack, maskedText, releaseOutput } from "./output-mask.ts";
import { writeAll } from "./write-all.ts";

/** Grace period, in milliseconds, for responses with saved states to reach the host before the process exits. */
const savedStatesTimeoutMs = 100;

// Node's original function, because `refuseExitInHandlers` replaces it and an uncaught error may come from a handler.
const exit = process.exit.bind(process);

/**
 * Ends the process on an uncaught error, and prints the error in the format that hosts recognise as a crash.
 *
 * Node would end the process as well, but the host would treat Node's message as ordinary log lines, and the message could contain
 * secrets of calls in flight.
 *
 * @param endHandlers sends the responses of all running handlers that have saved state; returns whether there is such a handler.
 * @see go-plugin client.go, logStderr: a crash starts with `panic: `
 */
export function panicOnUncaughtErrors(endHandlers: (reason: Error) => boolean): void {
  let panicking = false;
  const panic = (error: unknown): void => {
    if (panicking) return;
    panicking = true;
    releaseOutput();
    writeAll(2, `panic: ${error instanceof Error ? "" : "thrown: "}${maskedStack(error)}\n`);
    const message = maskedText(error instanceof Error ? error.message : String(error));
    if (!endHandlers(new Error(`the provider crashed: ${message}`, { cause: error }))) exit(2);
    setTimeout(() => exit(2), savedStatesTimeoutMs);
  };
  process.on("uncaughtException", panic);
  process.on("unhandledRejection", panic);
}
