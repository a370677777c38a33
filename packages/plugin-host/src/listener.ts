// SPDX-License-Identifier: Apache-2.0

/** Calls a listener of the caller. An exception of the listener does not interrupt the operation; it becomes uncaught. */
export function notifyListener<Event>(listener: ((event: Event) => void) | undefined, event: Event): void {
  try {
    listener?.(event);
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}
