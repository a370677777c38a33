// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describeExit, PluginHostError, type ProcessExit, type ProcessReport } from "../error.ts";
import { killGroup, ownGroup } from "../orphans/process-group.ts";
import { processEnded, processStarted } from "../orphans/live-processes.ts";
import type { LogSink } from "../output/log-record.ts";
import { presentable, secretsOf } from "../output/redact.ts";
import { StandardErrorReader } from "../output/standard-error.ts";
import { Tail } from "../output/tail.ts";
import type { Environment } from "./child-environment.ts";
import { readExecutableKind, whyForeign } from "./machine.ts";

/** What is needed to start a provider's process. */
export interface ProcessOptions {
  readonly name: string;
  /** Absolute. */
  readonly executable: string;
  readonly args: readonly string[];
  readonly environment: Environment;
  readonly cwd: string | undefined;
  /** Removed when the process has ended. */
  readonly socketFolder: string | undefined;
  readonly sink: LogSink | undefined;
}

/** How long output may still come after a process has ended, in milliseconds. Its descendants may hold the pipes open for ever. */
const drainMs = 200;

/** Pauses between attempts to start a file that somebody has open for writing, such as an installer's forked child, in milliseconds. */
const busyPausesMs = [50, 100, 200];

/** A provider's process, its output read from its first byte to its last. */
export class ProviderProcess {
  readonly pid: number;
  /** When it was started, as `performance.now()`. */
  readonly startedAt: number;
  /** Fulfilled when the process has ended and what it said has been read. Nothing of it is left then. */
  readonly exited: Promise<ProcessExit>;
  /** Fulfilled at once when the process ends, before its last words are read. */
  readonly ended: Promise<ProcessExit>;
  readonly stdout: Readable;
  readonly #child: ChildProcess;
  readonly #options: ProcessOptions;
  readonly #stderr: StandardErrorReader;
  readonly #stdoutTail = new Tail();
  readonly #stderrTail = new Tail();
  #exit: ProcessExit | undefined;

  constructor(child: ChildProcess, options: ProcessOptions, startedAt: number) {
    this.#child = child;
    this.#options = options;
    this.pid = child.pid!;
    this.startedAt = startedAt;
    this.stdout = child.stdout!;
    this.#stderr = new StandardErrorReader(options.name, options.sink);
    processStarted(this.pid, options.socketFolder);
    this.stdout.on("data", (chunk: Buffer) => this.#stdoutTail.add(chunk)).on("error", () => {});
    child
      .stderr!.on("data", (chunk: Buffer) => {
        this.#stderrTail.add(chunk);
        this.#stderr.add(chunk);
      })
      .on("error", () => {});
    const drained = Promise.all([closed(this.stdout), closed(child.stderr!)]);
    // Not `close`: that waits for every descendant that inherited a pipe.
    this.ended = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.#exit = { code, signal };
        processEnded(this.pid);
        resolve(this.#exit);
      });
    });
    this.exited = this.ended.then(async (exit) => {
      await Promise.race([drained, sleep(drainMs, undefined, { ref: false })]);
      this.stdout.destroy();
      child.stderr!.destroy();
      this.#stderr.end();
      return exit;
    });
  }

  /** How it ended; undefined while it runs. */
  get exit(): ProcessExit | undefined {
    return this.#exit;
  }

  /** Ends it at once, with all its descendants. */
  kill(): void {
    if (this.#exit === undefined) killGroup(this.pid);
    // Where it leads no group, or was started too recently to lead one.
    this.#child.kill("SIGKILL");
  }

  /** What is known of it by now. */
  report(): ProcessReport {
    const secrets = secretsOf(this.#options.environment);
    const panic = this.#stderr.panic;
    return {
      provider: this.#options.name,
      executable: this.#options.executable,
      ...(this.#exit === undefined ? {} : { exit: this.#exit }),
      stdout: presentable(this.#stdoutTail.text, secrets),
      stderr: presentable(this.#stderrTail.text, secrets),
      ...(panic === undefined ? {} : { panic: presentable(panic, secrets) }),
    };
  }
}

/**
 * Starts a provider.
 *
 * @throws PluginHostError `EXECUTABLE_NOT_FOUND`, `EXECUTABLE_NOT_RUNNABLE`, `SPAWN_FAILED`.
 */
export async function startProcess(options: ProcessOptions): Promise<ProviderProcess> {
  for (const pause of [...busyPausesMs, undefined]) {
    try {
      return await spawnOnce(options);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ETXTBSY" || pause === undefined) throw await spawnFailure(error as NodeJS.ErrnoException, options);
      await sleep(pause);
    }
  }
  throw new Error("unreachable: the last attempt returns or throws");
}

/** Rejects with the operating system's error. */
async function spawnOnce(options: ProcessOptions): Promise<ProviderProcess> {
  const startedAt = performance.now();
  const child = spawn(options.executable, options.args, {
    env: options.environment,
    cwd: options.cwd,
    // Standard input is the user's terminal, and not the provider's to read.
    stdio: ["ignore", "pipe", "pipe"],
    detached: ownGroup,
    windowsHide: true,
  });
  // Node reports some errors by throwing and others, without a process, by an event.
  if (child.pid === undefined) {
    return await new Promise((_, reject) => {
      child.once("error", reject);
    });
  }
  child.on("error", () => {});
  return new ProviderProcess(child, options, startedAt);
}

async function spawnFailure(error: NodeJS.ErrnoException, { name, executable, args }: ProcessOptions): Promise<PluginHostError> {
  const kind = await readExecutableKind(executable);
  const foreign = whyForeign(kind);
  if (foreign !== undefined) return new PluginHostError("EXECUTABLE_NOT_RUNNABLE", `${executable} ${foreign}`, { cause: error });
  switch (error.code) {
    case "ENOENT": {
      const missing =
        kind.interpreter === undefined
          ? "is there, but not the loader it was linked for; install a build for this system's C library"
          : `is a script for ${kind.interpreter}, which is not there`;
      return new PluginHostError("EXECUTABLE_NOT_FOUND", `${executable} ${missing}`, { cause: error });
    }
    case "EACCES":
      return new PluginHostError(
        "EXECUTABLE_NOT_RUNNABLE",
        `${executable} may not be executed: its mode, or that of its disk or interpreter, forbids it`,
        {
          cause: error,
        },
      );
    case "ENOEXEC":
      return new PluginHostError("EXECUTABLE_NOT_RUNNABLE", `${executable} is no executable file; is its download complete?`, {
        cause: error,
      });
    case "ETXTBSY":
      return new PluginHostError("SPAWN_FAILED", `${executable} is open for writing; let its installation finish first`, { cause: error });
    default:
      return new PluginHostError("SPAWN_FAILED", `cannot start ${name} (${[executable, ...args].join(" ")}): ${error.message}`, {
        cause: error,
      });
  }
}

function closed(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.once("close", () => resolve());
  });
}

/** One sentence for how a process ended, with what it said when it died. */
export function describeEnd({ provider, executable, exit, panic, stderr }: ProcessReport): string {
  const how = exit === undefined ? "does not answer any more" : `ended with ${describeExit(exit)}`;
  const said = panic ?? (stderr === "" ? undefined : `standard error ends with:\n${stderr}`);
  return `the provider ${provider} (${executable}) ${how}${said === undefined ? ", and said nothing about it" : `\n${said}`}`;
}
