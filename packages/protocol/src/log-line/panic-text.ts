// SPDX-License-Identifier: Apache-2.0
import { parseObject } from "./parse-log-line.ts";

/** Maximum number of lines kept of a crash: the stacks of all goroutines can be very long. */
const maxLines = 100;

/**
 * Collects the text of a provider's crash: from a line that starts with `panic: ` or `fatal error: `, up to 100 lines that are not JSON.
 *
 * @see go-plugin client.go, logStderr
 *
 * @example
 * const panic = new PanicText();
 * for (const line of ["panic: boom", "", "goroutine 1 [running]:"]) panic.add(line);
 * panic.text // => "panic: boom\n\ngoroutine 1 [running]:"
 */
export class PanicText {
  readonly #lines: string[] = [];

  /** Adds a line of standard error, without its line end. Returns whether it belongs to a crash. */
  add(line: string): boolean {
    if (this.#lines.length === 0 && !/^(panic: |fatal error: )/.test(line)) return false;
    if (parseObject(line) !== undefined) return false;
    if (this.#lines.length < maxLines) this.#lines.push(line);
    return true;
  }

  /** Collected text; undefined without a crash. */
  get text(): string | undefined {
    return this.#lines.length === 0 ? undefined : this.#lines.join("\n").trimEnd();
  }
}
