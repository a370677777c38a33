// SPDX-License-Identifier: Apache-2.0
import { attachProvider } from "@tenon/plugin-host";
import { parseReattachProviders } from "@tenon/protocol/reattach";
import type { ProviderFactory } from "@tenon/schema";
import { ProviderServer } from "@tenon/peers/provider-server";

/** Paths of the Go providers, by their source addresses. */
export type PeerProviderPaths = Readonly<Record<string, string>>;

const addresses = {
  "framework-provider": "registry.terraform.io/tenon/framework",
  "sdkv2-provider": "registry.terraform.io/tenon/sdkv2",
  "provider-time": "registry.terraform.io/hashicorp/time",
} as const;

/** Names of the peers that the differential needs. */
export const differentialPeers = ["tofu", "framework-provider", "sdkv2-provider", "provider-time"] as const;

/** The Go providers among the peers. */
export function peerProviderPaths(pathOf: (peer: keyof typeof addresses) => string): PeerProviderPaths {
  const names = Object.keys(addresses) as (keyof typeof addresses)[];
  return Object.fromEntries(names.map((name) => [addresses[name], pathOf(name)]));
}

/**
 * A process of each Go provider, for one side of one worker: such a process has one configuration at a time, so cores that run at the
 * same time cannot share it.
 */
export class PeerProviders implements Disposable {
  readonly #servers: readonly ProviderServer[];
  /** Values of `TF_REATTACH_PROVIDERS`. */
  readonly reattach: readonly string[];
  /** Attach to the processes. */
  readonly factories: Readonly<Record<string, ProviderFactory>>;

  private constructor(servers: readonly ProviderServer[]) {
    this.#servers = servers;
    this.reattach = servers.map(({ reattach }) => reattach);
    const all = this.reattach.flatMap((text) => [...parseReattachProviders(text)]);
    this.factories = Object.fromEntries(all.map(([address, running]) => [address, () => attachProvider(running)]));
  }

  /** Starts the processes. */
  static async start(paths: PeerProviderPaths): Promise<PeerProviders> {
    return new PeerProviders(await Promise.all(Object.values(paths).map((path) => ProviderServer.start(path, ["-debug"]))));
  }

  [Symbol.dispose](): void {
    for (const server of this.#servers) server[Symbol.dispose]();
  }
}
