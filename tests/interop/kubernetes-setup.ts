// SPDX-License-Identifier: Apache-2.0
import { createConnection, createServer, type AddressInfo, type Socket } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  ApiClient,
  findClusterAccess,
  type ApiResource,
  type ClusterAccess,
  type KubernetesObject,
} from "@tenon/bridge/kubernetes/machinery";
import type { KubernetesServer } from "@tenon/peers/kubernetes";

/** Config maps: objects that no controller changes. */
export const configMaps: ApiResource = { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true };

/** A config map. */
export interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** The access of an administrator. */
export async function adminAccess(server: KubernetesServer): Promise<ClusterAccess> {
  const kubeconfig = join(server.folder, "admin.kubeconfig");
  writeFileSync(kubeconfig, server.kubeconfig());
  return await findClusterAccess({ kubeconfig });
}

/** A client of an administrator. */
export async function adminClient(server: KubernetesServer): Promise<ApiClient> {
  return await ApiClient.open(await adminAccess(server));
}

/** A TCP proxy before an API server, with which a test breaks connections. */
export class BreakableNetwork implements AsyncDisposable {
  readonly #server = createServer((socket) => this.#connect(socket));
  readonly #sockets = new Set<Socket>();
  readonly #target: URL;
  #mode: "open" | "silent" | "closed" = "open";

  private constructor(target: URL) {
    this.#target = target;
  }

  static async open(target: URL): Promise<BreakableNetwork> {
    const network = new BreakableNetwork(target);
    await new Promise<void>((resolve) => network.#server.listen(0, "127.0.0.1", resolve));
    return network;
  }

  /** Port of the proxy on loopback. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Access through the proxy. */
  through(access: ClusterAccess): ClusterAccess {
    return { ...access, server: new URL(`https://127.0.0.1:${this.port}`) };
  }

  /** Closes all connections. New ones are allowed. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** `silent` keeps connections open, but forwards nothing; `closed` closes connections and rejects new ones. */
  set(mode: "open" | "silent" | "closed"): void {
    this.#mode = mode;
    if (mode === "closed") this.cut();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #connect(client: Socket): void {
    if (this.#mode === "closed") return void client.destroy();
    const server = createConnection({ host: this.#target.hostname, port: Number(this.#target.port) });
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on("data", (chunk) => {
        if (this.#mode === "open") to.write(chunk);
      });
      from.on("error", () => {});
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }
}

/** Waits until a condition holds: polls it, until the time limit of the test. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}
