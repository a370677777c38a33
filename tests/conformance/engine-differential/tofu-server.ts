// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { TofuCrash, type TofuCommands, type TofuResult } from "./tofu-commands.ts";

/**
 * Runs commands one after the other in a process of the peer `tofu-server`, which saves the start of a process for each command. The process
 * is replaced after a number of commands, because tofu watches the providers of each command until the process ends.
 */
export class TofuServer implements TofuCommands {
  readonly #path: string;
  readonly #environment: NodeJS.ProcessEnv;
  #process: ServerProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string, environment: NodeJS.ProcessEnv) {
    this.#path = path;
    this.#environment = environment;
  }

  run(folder: string, args: readonly string[]): Promise<TofuResult> {
    const result = this.#last.then(() => this.#run(folder, args));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #run(folder: string, args: readonly string[]): Promise<TofuResult> {
    if (this.#process?.isUsedUp === true) this[Symbol.dispose]();
    this.#process ??= new ServerProcess(this.#path, this.#environment);
    try {
      return await this.#process.run(folder, args);
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#process?.end();
    this.#process = undefined;
  }
}

/** Number of commands after which a process is replaced. */
const maxCommands = 30;

class ServerProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lines: Interface;
  readonly #end: Promise<unknown>;
  #errors = "";
  #commands = 0;

  constructor(path: string, environment: NodeJS.ProcessEnv) {
    // Each attached provider is watched until the process ends, by handles that only a garbage collection closes.
    this.#child = spawn(path, [], { env: { ...environment, GOGC: "400" }, stdio: ["pipe", "pipe", "pipe"] });
    this.#lines = createInterface({ input: this.#child.stdout });
    this.#end = once(this.#child, "close");
    this.#child.stderr.setEncoding("utf8").on("data", (chunk: string) => (this.#errors += chunk));
    // The end of the process is reported where a response is waited for.
    this.#child.stdin.on("error", () => undefined);
  }

  get isUsedUp(): boolean {
    return this.#commands >= maxCommands;
  }

  async run(folder: string, args: readonly string[]): Promise<TofuResult> {
    this.#commands++;
    this.#errors = "";
    const line = once(this.#lines, "line") as Promise<[string]>;
    this.#child.stdin.write(`${JSON.stringify({ folder, arguments: args, environment: { HOME: folder } })}\n`);
    const response = await Promise.race([line, this.#end.then(() => undefined)]);
    if (response === undefined) throw new TofuCrash(args, this.#errors);
    return JSON.parse(response[0]) as TofuResult;
  }

  end(): void {
    // tofu takes SIGTERM as a request to stop the command in progress, and the process goes on without one.
    this.#child.kill("SIGKILL");
  }
}
