// SPDX-License-Identifier: Apache-2.0
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Styles a text when standard output is a terminal and `NO_COLOR` is not set. */
export function styled(style: Style, text: string): string {
  return styleText(style, text);
}

/** Prints to standard output: a heading for each step, and an animated line while something runs. */
export class Screen {
  #steps = 0;

  line(text = ""): void {
    process.stdout.write(`${text}\n`);
  }

  /** Starts the next numbered step. */
  step(title: string, explanation: string): void {
    this.#steps += 1;
    this.line(`\n${styled(["bold", "cyan"], `${this.#steps} ${title}`)}  ${styled("dim", explanation)}`);
  }

  get steps(): number {
    return this.#steps;
  }

  /** Whether texts have colors: standard output is a terminal and `NO_COLOR` is not set. */
  get colors(): boolean {
    return styled("bold", "") !== "";
  }

  /** Prints a block of text under the current step. */
  block(text: string): void {
    this.line(
      text
        .trimEnd()
        .split("\n")
        .map((line) => (line === "" ? "" : `  ${line}`))
        .join("\n"),
    );
  }

  /**
   * Shows a description of `work` with its elapsed time while it runs, then its result. Without a terminal, prints only the result.
   */
  async during<T>(doing: string | (() => string), work: () => Promise<T>, done: (result: T) => string): Promise<T> {
    const start = performance.now();
    const text = typeof doing === "string" ? (): string => doing : doing;
    const elapsed = (): string => styled("dim", `${((performance.now() - start) / 1000).toFixed(1)} s`);
    const moving = process.stdout.isTTY && !process.env["NO_COLOR"];
    const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
    let frame = 0;
    const draw = (): void => {
      frame += 1;
      process.stdout.write(`\r\u001B[2K  ${frames[frame % frames.length] ?? ""} ${text()} ${elapsed()}`);
    };
    const timer = moving ? setInterval(draw, 80) : undefined;
    if (moving) draw();
    const clear = (): void => {
      clearInterval(timer);
      if (moving) process.stdout.write("\r\u001B[2K");
    };
    try {
      const result = await work();
      clear();
      this.line(`  ${styled("green", "✓")} ${done(result)} ${elapsed()}`);
      return result;
    } catch (error) {
      clear();
      this.line(`  ${styled("red", "✗")} ${text()} ${elapsed()}`);
      throw error;
    }
  }
}

/** Formats a duration in milliseconds. */
export function milliseconds(ms: number): string {
  return ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : `${ms.toFixed(0)} ms`;
}
