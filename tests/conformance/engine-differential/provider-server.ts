// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reattachVariable } from "@tenon/protocol/reattach";

const main = join(import.meta.dirname, "../../../apps/examples/tfcoremock/src/main.ts");

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

/** A process of the tfcoremock example, with declared resource types. */
export class TfcoremockServer implements Disposable {
  /** The file that declares its dynamic resources. */
  readonly declarations: string;
  /** A CLI configuration without settings. */
  readonly cliConfiguration: string;
  readonly reattach: string;
  readonly #server: ProviderServer;
  readonly #folder: string;

  private constructor(server: ProviderServer, folder: string) {
    this.#server = server;
    this.#folder = folder;
    this.reattach = server.reattach;
    this.declarations = join(folder, "dynamic_resources.json");
    this.cliConfiguration = join(folder, "cli.tfrc");
    writeFileSync(this.cliConfiguration, "");
  }

  static async start(dynamicResources: string): Promise<TfcoremockServer> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-differential-")));
    writeFileSync(join(folder, "dynamic_resources.json"), dynamicResources);
    const env = { TENON_PROVIDER_ADDRESS: "registry.opentofu.org/hashicorp/tfcoremock" };
    return new TfcoremockServer(await ProviderServer.start(process.execPath, [main, "--debug"], { cwd: folder, env }), folder);
  }

  [Symbol.dispose](): void {
    this.#server[Symbol.dispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
