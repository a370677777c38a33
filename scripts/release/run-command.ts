// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";

/** A command that failed; the message has the command line and its output. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

const bin = join(import.meta.dirname, "..", "..", "node_modules", ".bin");

/**
 * Runs a command with the workspace's binaries first on PATH; returns its standard output.
 *
 * @param path - folders that are searched for programs before those binaries.
 * @throws CommandError when the command fails.
 */
export function runCommand(command: string, args: readonly string[], cwd: string, path: readonly string[] = []): string {
  const env = { ...process.env, FORCE_COLOR: "0", PATH: [...path, bin, process.env["PATH"]].join(delimiter) };
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: "utf8", maxBuffer: 64 << 20 });
  if (error === undefined && status === 0) return stdout;
  throw new CommandError(`${[command, ...args].join(" ")} failed in ${cwd}\n${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`);
}
