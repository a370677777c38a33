// SPDX-License-Identifier: Apache-2.0
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reattachVariable } from "@tenon/protocol/reattach";

const main = join(import.meta.dirname, "../../../apps/examples/tfcoremock/src/main.ts");

/** A process of the tfcoremock example to which any number of cores attach. */
export class ProviderServer implements Disposable {
  /** The file that declares its dynamic resources. */
  readonly declarations: string;
  /** The value of `TF_REATTACH_PROVIDERS`. */
  readonly reattach: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(child: ChildProcess, folder: string, reattach: string) {
    this.#child = child;
    this.#folder = folder;
    this.declarations = join(folder, "dynamic_resources.json");
    this.reattach = reattach;
  }

  /** Starts the process, and waits until it can be attached to. */
  static async start(dynamicResources: string): Promise<ProviderServer> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-differential-")));
    writeFileSync(join(folder, "dynamic_resources.json"), dynamicResources);
    const child = spawn(process.execPath, [main, "--debug"], {
      cwd: folder,
      env: { ...process.env, TENON_PROVIDER_ADDRESS: "registry.opentofu.org/hashicorp/tfcoremock" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let output = "";
    for await (const chunk of child.stdout!.setEncoding("utf8")) {
      output += chunk as string;
      const value = new RegExp(`${reattachVariable}='(.*)'`).exec(output)?.[1];
      if (value !== undefined) {
        child.stdout!.resume();
        return new ProviderServer(child, folder, value);
      }
    }
    throw new Error(`the provider ended before it could be attached to: ${output}`);
  }

  [Symbol.dispose](): void {
    this.#child.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
