// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { TestingError } from "../../error.ts";

/** The result of a command. */
export interface CommandResult {
  /** Exit code; null if a signal ended the command. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where and how commands run. */
export interface CommandSettings {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Names of the variables that commands do not inherit, because they change what a command does. Commands inherit those for the author's logs, and for
 * the configuration of the command line, which says from where it installs providers.
 */
const notInherited = /^(TF_(?!CLI_CONFIG_FILE$|PLUGIN_CACHE_DIR$|LOG)|PLUGIN_)/;

/**
 * Runs a command line to its end.
 *
 * @throws TestingError `RUNNER_FAILED` if it cannot be started.
 */
export async function runCommand(command: string, args: readonly string[], settings: CommandSettings): Promise<CommandResult> {
  const { folder, environment, signal } = settings;
  const kept = Object.entries(process.env).filter(([name]) => !notInherited.test(name));
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...Object.fromEntries(kept), CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1", TF_INPUT: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    ...(signal && { signal }),
  });
  try {
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { code: child.exitCode, stdout, stderr };
  } catch (cause) {
    signal?.throwIfAborted();
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "it is not installed, or not in PATH" : message;
    throw new TestingError("RUNNER_FAILED", `cannot run ${command}: ${reason}`, { cause });
  }
}
