// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcess } from "node:child_process";
import { reattachVariable } from "@tenon/protocol/reattach";

/** A process of a provider to which any number of cores attach. */
export class ProviderServer implements Disposable {
  /** The value of `TF_REATTACH_PROVIDERS`. */
  readonly reattach: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, reattach: string) {
    this.#child = child;
    this.reattach = reattach;
  }

  /** Starts the process, and waits until it can be attached to. */
  static async start(
    command: string,
    args: readonly string[],
    options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
  ): Promise<ProviderServer> {
    const child = spawn(command, args, { ...options, env: { ...process.env, ...options.env }, stdio: ["ignore", "pipe", "ignore"] });
    let output = "";
    for await (const chunk of child.stdout.setEncoding("utf8")) {
      output += chunk as string;
      const value = new RegExp(`${reattachVariable}='(.*)'`).exec(output)?.[1];
      if (value !== undefined) {
        child.stdout.resume();
        return new ProviderServer(child, value);
      }
    }
    throw new Error(`the provider ended before it could be attached to: ${output}`);
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }
}
