// SPDX-License-Identifier: Apache-2.0
import { parseObject } from "./parse-log-line.ts";

/** Lines kept of one crash; stacks of many goroutines are longer than anybody reads. */
const maxLines = 100;

/**
 * Collects what a dying provider says: from a line that starts with `panic: ` or `fatal error: ` on, every line that is not
 * JSON, up to 100.
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

  /** Takes a line of standard error, without its line end. True when it belongs to a crash. */
  add(line: string): boolean {
    if (this.#lines.length === 0 && !/^(panic: |fatal error: )/.test(line)) return false;
    if (parseObject(line) !== undefined) return false;
    if (this.#lines.length < maxLines) this.#lines.push(line);
    return true;
  }

  /** What was collected; undefined as long as nothing crashed. */
  get text(): string | undefined {
    return this.#lines.length === 0 ? undefined : this.#lines.join("\n").trimEnd();
  }
}
