// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describeExit, PluginHostError, type ProcessExit, type ProcessReport } from "../error.ts";
import { killGroup, ownGroup } from "./process-group.ts";
import { processEnded, processStarted } from "./live-processes.ts";
import type { LogSink } from "../output/log-record.ts";
import { presentable, secretsOf } from "../output/redact.ts";
import { StandardErrorReader } from "../output/standard-error.ts";
import { Tail } from "../output/tail.ts";
import { readExecutableFormat, whyForeign, whyNotStartable } from "./executable-format.ts";

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string>>;

/** Settings of a provider's process. */
export interface ProcessOptions {
  readonly name: string;
  /** Absolute path. */
  readonly executable: string;
  readonly args: readonly string[];
  readonly environment: Environment;
  readonly cwd: string | undefined;
  /** Folder to remove when the process has ended. */
  readonly socketFolder: string | undefined;
  readonly sink: LogSink | undefined;
}

/** Time limit for reading the output of a process that has ended, in milliseconds. Its descendants may keep the pipes open forever. */
const drainMs = 200;

/** Backoff between attempts to start a file that is open for writing, for example in a forked child of an installer, in milliseconds. */
const busyPausesMs = [50, 100, 200];

/** A provider's process. Its output is read from the first byte to the last. */
export class ProviderProcess {
  readonly pid: number;
  /** Start time, as `performance.now()`. */
  readonly startedAt: number;
  /** Resolves when the process has ended and its output has been read. */
  readonly exited: Promise<ProcessExit>;
  /** Resolves as soon as the process ends, before the rest of its output is read. */
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
    // The event `close` would wait for every descendant that inherited a pipe.
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

  /** Exit code or signal; undefined while the process runs. */
  get exit(): ProcessExit | undefined {
    return this.#exit;
  }

  /** Kills the process with all its descendants. */
  kill(): void {
    if (this.#exit === undefined) killGroup(this.pid);
    // The process may not lead its group yet, and leads none on Windows.
    this.#child.kill("SIGKILL");
  }

  /** Returns the current report about the process. `hide` masks secrets of calls in its output. */
  report(hide: (text: string) => string = (text) => text): ProcessReport {
    const secrets = secretsOf(this.#options.environment);
    const shown = (text: string): string => presentable(hide(text), secrets);
    const panic = this.#stderr.panic;
    return {
      provider: this.#options.name,
      executable: this.#options.executable,
      ...(this.#exit === undefined ? {} : { exit: this.#exit }),
      stdout: shown(this.#stdoutTail.lines),
      stderr: shown(this.#stderrTail.lines),
      ...(panic === undefined ? {} : { panic: shown(panic) }),
    };
  }
}

/**
 * Starts a provider's process.
 *
 * @throws PluginHostError `EXECUTABLE_NOT_FOUND`, `EXECUTABLE_NOT_RUNNABLE`, `SPAWN_FAILED`
 */
export async function startProcess(options: ProcessOptions): Promise<ProviderProcess> {
  const { executable } = options;
  const reason = whyNotStartable(executable);
  if (reason !== undefined) throw new PluginHostError("EXECUTABLE_NOT_RUNNABLE", `${executable} ${reason}`);
  for (const pause of [...busyPausesMs, undefined]) {
    try {
      return await spawnOnce(options);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ETXTBSY" || pause === undefined) throw spawnFailure(error as NodeJS.ErrnoException, options);
      await sleep(pause);
    }
  }
  throw new Error("unreachable: the last attempt returns or throws");
}

/** Starts the process. Rejects with the operating system's error. */
async function spawnOnce(options: ProcessOptions): Promise<ProviderProcess> {
  const startedAt = performance.now();
  const child = spawn(options.executable, options.args, {
    env: options.environment,
    cwd: options.cwd,
    // Standard input may be the user's terminal, which the provider must not read.
    stdio: ["ignore", "pipe", "pipe"],
    detached: ownGroup,
    windowsHide: true,
  });
  // Node throws some errors, and emits others as an event of a child without a process.
  if (child.pid === undefined) {
    return await new Promise((_, reject) => {
      child.once("error", reject);
    });
  }
  child.on("error", () => {});
  return new ProviderProcess(child, options, startedAt);
}

function spawnFailure(error: NodeJS.ErrnoException, { name, executable, args }: ProcessOptions): PluginHostError {
  const format = readExecutableFormat(executable);
  const foreign = whyForeign(format);
  if (foreign !== undefined) return new PluginHostError("EXECUTABLE_NOT_RUNNABLE", `${executable} ${foreign}`, { cause: error });
  switch (error.code) {
    case "ENOENT": {
      const missing =
        format.interpreter === undefined
          ? "needs a loader that does not exist; install a build for this system's C library"
          : `is a script for ${format.interpreter}, which does not exist`;
      return new PluginHostError("EXECUTABLE_NOT_FOUND", `${executable} ${missing}`, { cause: error });
    }
    case "EACCES":
      return new PluginHostError(
        "EXECUTABLE_NOT_RUNNABLE",
        `${executable} is not executable: its mode, its mount, or its interpreter forbids it`,
        {
          cause: error,
        },
      );
    case "ENOEXEC":
      return new PluginHostError("EXECUTABLE_NOT_RUNNABLE", `${executable} is not an executable file; is its download complete?`, {
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

/** Describes how a process ended, with its panic or the end of its standard error. */
export function describeEnd({ provider, executable, exit, panic, stderr }: ProcessReport): string {
  const state = exit === undefined ? "is not responding" : `ended with ${describeExit(exit)}`;
  const output = panic ?? (stderr === "" ? undefined : `standard error ends with:\n${stderr}`);
  return `the provider ${provider} (${executable}) ${state}${output === undefined ? ", and printed no reason" : `\n${output}`}`;
}
