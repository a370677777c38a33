// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";

/**
 * A server of other software that a test has started. It ends with the test's process at the latest, even if that is killed: a shell
 * waits for the end of a pipe that the system closes then. Needs a POSIX system.
 */
export class PeerProcess implements AsyncDisposable {
  /** Command line, for error texts. */
  readonly command: string;
  readonly #child: ChildProcess;
  readonly #guard: ChildProcess;
  readonly #exit: Promise<unknown>;
  #output = "";

  /** Starts a program. `folder` is its working directory, which the guard deletes when it must end the program. */
  constructor(path: string, args: readonly string[], folder: string) {
    this.command = [path, ...args].join(" ");
    this.#child = spawn(path, args, { cwd: folder, env: { PATH: process.env["PATH"] ?? "" }, stdio: ["ignore", "pipe", "pipe"] });
    this.#exit = once(this.#child, "exit").catch(() => undefined);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on("data", (chunk) => {
        this.#output = (this.#output + String(chunk)).slice(-20_000);
      });
    }
    // The guard has a session of its own, so that a signal to the group of the test does not end it.
    const script = 'read -r _; kill -9 "$1" 2>/dev/null; rm -rf "$2"';
    this.#guard = spawn("/bin/sh", ["-c", script, "guard", String(this.#child.pid), folder], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    this.#guard.on("error", () => undefined);
  }

  /** Identifier of the process, for tests that send signals. */
  get pid(): number {
    if (this.#child.pid === undefined) throw new Error(`${this.command} could not be started`);
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The last 20,000 characters of the program's output and errors. */
  get output(): string {
    return this.#output;
  }

  /**
   * Waits until the probe returns true. Rejects with the program's output when the program ends first. A probe is repeated when its signal
   * aborts: a program that is still starting can accept a request and never answer it.
   */
  async ready(probe: (signal: AbortSignal) => Promise<boolean>): Promise<void> {
    while (!(await probe(AbortSignal.timeout(5000)))) {
      if (!this.isRunning) throw new Error(`${this.command} ended before it was ready:\n${this.output}`);
      await Promise.race([this.#exit, new Promise((resolve) => void setTimeout(resolve, 50))]);
    }
  }

  /** Ends the program by a signal, SIGKILL by default, and waits for its end. */
  async end(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    this.#guard.kill("SIGKILL");
    if (!this.isRunning) return;
    this.#child.kill(signal);
    await this.#exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}
