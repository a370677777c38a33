// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { createServiceClient, type ServiceClient } from "@tenon/protocol/carrier/calls";
import { openCarrierClient } from "@tenon/protocol/carrier/client";
import { ResourceProvider } from "@tenon/protocol/pulumi";

/** Maximum time for a plugin to answer, in milliseconds. It is long, because a busy machine takes long to load its sources. */
const connectTimeoutMs = 180_000;

/** A running plugin of a program of this folder, handshaken, and calls to it. */
export class PluginProcess implements AsyncDisposable {
  readonly calls: ServiceClient<typeof ResourceProvider>;
  readonly process: ChildProcess;
  readonly #close: () => Promise<void>;

  private constructor(process: ChildProcess, port: number) {
    this.process = process;
    const client = openCarrierClient({ address: { network: "tcp", host: "127.0.0.1", port }, readMaxBytes: 400 << 20, connectTimeoutMs });
    this.#close = () => client.close();
    this.calls = createServiceClient(ResourceProvider, client);
  }

  /** Starts the program. Its messages to the parent process arrive at `process`. */
  static async start(program: string, environment: NodeJS.ProcessEnv): Promise<PluginProcess> {
    const child = spawn(process.execPath, [program], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      env: { ...process.env, ...environment },
    });
    const [line] = (await once(createInterface(child.stdout!), "line")) as [string];
    const plugin = new PluginProcess(child, Number(line));
    await plugin.calls.handshake({ engineAddress: "" });
    return plugin;
  }

  /** Configures the provider. */
  async configure(packageName: string, config: object): Promise<void> {
    const urn = `urn:pulumi:dev::project::pulumi:providers:${packageName}::default`;
    const { inputs, failures } = await this.calls.checkConfig({ urn, news: config as never });
    if (failures.length > 0) throw new Error(failures.map(({ property, reason }) => `${property}: ${reason}`).join("; "));
    await this.calls.configure({ urn, args: inputs!, acceptSecrets: true, acceptResources: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    this.process.kill("SIGKILL");
    if (this.process.exitCode === null && this.process.signalCode === null) await once(this.process, "exit");
  }
}
