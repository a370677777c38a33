// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { Answer, Request } from "./killed-apply.ts";

/** A process of `killed-apply.ts`. */
export class ApplyProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #ended: Promise<void>;
  readonly #lines: AsyncIterator<string>;
  /** Whether the process was not killed. */
  isAlive: boolean = true;

  constructor([program, ...args]: readonly [string, ...string[]]) {
    this.#child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#ended = new Promise((resolve) => this.#child.once("close", () => resolve()));
    this.#child.stdin.on("error", () => undefined);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Sends a request. Returns the answers until the process is ready again or was killed. */
  async run(request: Request): Promise<readonly Answer[]> {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    const answers: Answer[] = [];
    for (;;) {
      const line = await this.#lines.next();
      if (line.done === true) {
        this.isAlive = false;
        await this.#ended;
        return answers;
      }
      if (line.value === "ready") return answers;
      answers.push(JSON.parse(line.value) as Answer);
    }
  }

  /** Ends the process once it is ready. */
  async close(): Promise<void> {
    this.#child.stdin.end();
    await this.#ended;
  }
}
