// SPDX-License-Identifier: Apache-2.0

/** Tells a listener of the user's. What it throws must not change what is going on, nor pass unseen: it is an uncaught exception. */
export function tellListener<Event>(listener: ((event: Event) => void) | undefined, event: Event): void {
  try {
    listener?.(event);
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}
