// SPDX-License-Identifier: Apache-2.0
import { rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { type CarrierServer, type CarrierSession, sessionKey } from "@tenon/protocol/carrier";
import { createCarrierServer } from "@tenon/protocol/carrier/server";
import type { PluginAddress } from "@tenon/protocol/handshake";
import { brokerService, controllerService, healthService, stdioService } from "@tenon/protocol/plugin-services";
import { formatReattachProviders, reattachVariable } from "@tenon/protocol/reattach";
import type { Provider, ProviderFactory } from "@tenon/schema";
import { createProviderService } from "@tenon/schema/wire/v6";
import { inCallerContext } from "./calls-in-context.ts";

/** Serves the providers of a case from this process, so that a command line attaches to them. Each connection has an instance of its own. */
export class AttachedProviders implements AsyncDisposable {
  readonly #servers: ServedProvider[] = [];
  readonly #addresses = new Map<string, PluginAddress>();

  private constructor() {}

  /** @param folder Folder for the sockets. */
  static async serve(providers: Readonly<Record<string, ProviderFactory>>, folder: string): Promise<AttachedProviders> {
    const attached = new AttachedProviders();
    try {
      for (const [source, factory] of Object.entries(providers)) {
        const served = new ServedProvider(inCallerContext(factory));
        attached.#servers.push(served);
        attached.#addresses.set(source, await served.listen(join(folder, `p${attached.#servers.length}`)));
      }
      return attached;
    } catch (error) {
      await attached[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The environment that makes a command line attach. */
  get environment(): Readonly<Record<string, string>> {
    // `test` makes the command line leave the providers running.
    const entry = (address: PluginAddress) => ({ protocolVersion: 6, pid: process.pid, test: true, address }) as const;
    const entries = [...this.#addresses].map(([source, address]) => [source, entry(address)] as const);
    return entries.length === 0 ? {} : { [reattachVariable]: formatReattachProviders(new Map(entries)) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }
}

/** One provider on a socket. */
class ServedProvider {
  readonly #factory: ProviderFactory;
  readonly #instances = new Map<CarrierSession | undefined, Promise<Provider>>();
  readonly #carrier: CarrierServer;
  readonly #server: Server;
  readonly #stdio = stdioService();
  readonly #closing = new Set<Promise<void>>();
  #path: string | undefined;

  constructor(factory: ProviderFactory) {
    this.#factory = factory;
    this.#carrier = createCarrierServer({
      services: [
        createProviderService((context) => this.#instance(context.values.get(sessionKey))),
        controllerService(() => {}),
        this.#stdio.registration,
        brokerService(),
        healthService(),
      ],
      onSessionClose: (session) => this.#release(session),
    });
    this.#server = createServer((socket) => this.#carrier.accept(socket));
  }

  async listen(path: string): Promise<PluginAddress> {
    const isWindows = process.platform === "win32";
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      if (isWindows) this.#server.listen(0, "127.0.0.1", resolve);
      else this.#server.listen(path, resolve);
    });
    if (!isWindows) {
      this.#path = path;
      return { network: "unix", path };
    }
    return { network: "tcp", host: "127.0.0.1", port: (this.#server.address() as { readonly port: number }).port };
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#stdio.end();
    await this.#carrier.close();
    for (const session of this.#instances.keys()) this.#release(session);
    await Promise.all(this.#closing);
    if (this.#path !== undefined) rmSync(this.#path, { force: true });
  }

  #instance(session: CarrierSession | undefined): Promise<Provider> {
    let instance = this.#instances.get(session);
    if (instance === undefined) this.#instances.set(session, (instance = this.#factory()));
    return instance;
  }

  #release(session: CarrierSession | undefined): void {
    const instance = this.#instances.get(session);
    if (instance === undefined) return;
    this.#instances.delete(session);
    // An instance that could not be opened has nothing to close; its callers have the error.
    const closed: Promise<void> = instance
      .then((provider) => provider.close())
      .catch(() => {})
      .finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }
}
