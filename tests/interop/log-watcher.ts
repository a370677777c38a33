// SPDX-License-Identifier: Apache-2.0
import type { LogRecord } from "@tenon/plugin-host";

/** Collects a provider's log records, so that a test can wait until the provider has started an operation. */
export class LogWatcher {
  readonly #records: LogRecord[] = [];
  readonly #waiting = new Set<() => void>();

  /** Callback for the option `onLog`. */
  readonly onLog = (record: LogRecord): void => {
    this.#records.push(record);
    for (const check of this.#waiting) check();
  };

  /** Resolves as soon as `count` records match. */
  waitFor(matches: (record: LogRecord) => boolean, count = 1): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (this.#records.filter(matches).length < count) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
      check();
    });
  }
}

/** Whether Go's framework wrote this record before it calls a resource's create function. */
export const isFrameworkCreate = ({ message }: LogRecord): boolean => message === "Calling provider defined Resource Create";
