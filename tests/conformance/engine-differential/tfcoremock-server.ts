// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProviderServer } from "@tenon/peers/provider-server";

const main = join(import.meta.dirname, "../../../apps/examples/tfcoremock/src/main.ts");

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
