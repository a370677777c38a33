// SPDX-License-Identifier: Apache-2.0
import type { RecordedEnd } from "./exchange.ts";

/** An error of a connection as it is recorded. */
export function endOf(error: unknown): RecordedEnd {
  const { code, message } = error as NodeJS.ErrnoException;
  return { ...(typeof code === "string" && { code }), message };
}

/** The error of a recorded end. */
export function errorOf({ code, message }: Exclude<RecordedEnd, "cancelled">): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

/** Waits until the client cancels its request, or the test ends. Returns the reason. */
export function cancellation(...signals: readonly AbortSignal[]): Promise<unknown> {
  return new Promise((resolve) => {
    const signal = AbortSignal.any([...signals]);
    if (signal.aborted) resolve(signal.reason);
    else signal.addEventListener("abort", () => resolve(signal.reason), { once: true });
  });
}
