// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** Result of a command. */
export interface TofuResult {
  /** Exit code. */
  readonly code: number | null;
  /** What the command wrote to standard output. */
  readonly output: string;
}

/** A panic of tofu. */
export class TofuCrash extends Error {
  override name = "TofuCrash";
  /** What the panic is about. */
  readonly reason: string;

  constructor(args: readonly string[], errors: string) {
    super(`tofu ${args.join(" ")} ended with a panic\n${errors}`);
    this.reason = /OPENTOFU CRASH[^]*?!\n\n[^]*?!\n\n(.*)\ngoroutine /.exec(errors)?.[1] ?? /^panic: (.*)$/m.exec(errors)?.[1] ?? "";
  }
}

/** Runs commands of tofu. */
export interface TofuCommands extends Disposable {
  /**
   * Runs a command in a folder, which is also its home folder.
   *
   * @throws TofuCrash if tofu ends with a panic.
   */
  run(folder: string, args: readonly string[]): Promise<TofuResult>;
}

/**
 * The environment of commands of tofu.
 *
 * @param reattach Values of `TF_REATTACH_PROVIDERS`.
 */
export function tofuEnvironment(reattach: readonly string[], cliConfiguration: string): NodeJS.ProcessEnv {
  const running = Object.assign({}, ...reattach.map((one) => JSON.parse(one) as object)) as object;
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("TF_"));
  return {
    ...Object.fromEntries(kept),
    TF_REATTACH_PROVIDERS: JSON.stringify(running),
    TF_CLI_CONFIG_FILE: cliConfiguration,
    CHECKPOINT_DISABLE: "1",
    TF_IN_AUTOMATION: "1",
    // A command lives too short for a garbage collection to pay off.
    GOGC: "off",
  };
}

/** Runs each command in a process of its own. */
export class TofuProcesses implements TofuCommands {
  readonly #path: string;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(path: string, environment: NodeJS.ProcessEnv) {
    this.#path = path;
    this.#environment = environment;
  }

  async run(folder: string, args: readonly string[]): Promise<TofuResult> {
    const child = spawn(this.#path, args, { cwd: folder, env: { ...this.#environment, HOME: folder }, stdio: ["ignore", "pipe", "pipe"] });
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    if (errors.includes("panic:") || errors.includes("OPENTOFU CRASH")) throw new TofuCrash(args, errors);
    return { code: child.exitCode, output };
  }

  [Symbol.dispose](): void {
    // Each process ends with its command.
  }
}
