// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { createInterface } from "node:readline";
import { type CarrierClient, registration } from "@tenon/protocol/carrier";
import { createServiceClient, type ServiceClient } from "@tenon/protocol/carrier/calls";
import { openCarrierClient } from "@tenon/protocol/carrier/client";
import { createCarrierServer } from "@tenon/protocol/carrier/server";
import { Engine, LogSeverity, ResourceProvider } from "@tenon/protocol/pulumi";
import { bundledPlugin } from "./pulumi-bundle.ts";

/** A message of the plugin to the engine. */
export interface EngineMessage {
  readonly severity: string;
  readonly message: string;
  readonly urn: string;
}

/** Names of the severities of messages, by number. */
const severities: ReadonlyMap<number, string> = new Map(
  Object.entries(LogSeverity).map(([name, number]) => [number, name.toLowerCase()] as const),
);

/** An engine that records the messages it gets. */
export class TestEngine implements AsyncDisposable {
  readonly messages: EngineMessage[] = [];
  readonly #server: Server;
  readonly #carrier = createCarrierServer({
    services: [
      registration(Engine, {
        log: ({ severity, message, urn }) => {
          this.messages.push({ severity: severities.get(severity) ?? "", message, urn });
          return {};
        },
      }),
    ],
  });

  private constructor(server: Server) {
    this.#server = server;
    server.on("connection", (socket) => this.#carrier.accept(socket));
  }

  static async start(): Promise<TestEngine> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new TestEngine(server);
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    await this.#carrier.close();
  }
}

/** A running plugin, and calls to it. */
export class PluginProcess implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly port: number;
  readonly #clients: CarrierClient[] = [];

  private constructor(process: ChildProcess, port: number) {
    this.process = process;
    this.port = port;
  }

  /** Starts the packaged plugin as the engine does, or the plugin of a program from its sources, and waits for its port. */
  static async start(args: readonly string[], environment: NodeJS.ProcessEnv = {}, program?: string): Promise<PluginProcess> {
    const command = program === undefined ? ([await bundledPlugin()] as const) : ([process.execPath, program] as const);
    return await PluginProcess.startCommand([...command, ...args], environment);
  }

  /** Starts a plugin by a command, and waits for its port. */
  static async startCommand([file, ...args]: readonly [string, ...string[]], environment: NodeJS.ProcessEnv = {}): Promise<PluginProcess> {
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, ...environment } });
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    return new PluginProcess(child, Number(line));
  }

  /** Opens a connection of its own. */
  connect(): ServiceClient<typeof ResourceProvider> {
    return this.callsOver(this.open());
  }

  /** Returns the calls over a connection. */
  callsOver(connection: CarrierClient): ServiceClient<typeof ResourceProvider> {
    return createServiceClient(ResourceProvider, connection);
  }

  /** Opens a connection without calls. */
  open(): CarrierClient {
    const client = openCarrierClient({ address: { network: "tcp", host: "127.0.0.1", port: this.port }, readMaxBytes: 400 << 20 });
    this.#clients.push(client);
    return client;
  }

  /** Exit code and signal, when the process has ended. */
  async exit(): Promise<readonly [code: number | null, signal: NodeJS.Signals | null]> {
    if (this.process.exitCode === null && this.process.signalCode === null) await once(this.process, "exit");
    return [this.process.exitCode, this.process.signalCode];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    this.process.kill("SIGKILL");
    await this.exit();
  }
}
