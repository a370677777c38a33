// SPDX-License-Identifier: Apache-2.0
import { EngineSide } from "./engine-side.ts";
import { PeerProviders, type PeerProviderPaths } from "./peer-providers.ts";
import type { TfcoremockServer } from "./tfcoremock-server.ts";
import { TofuSide } from "./tofu-side.ts";

/** The programs of the other side. */
export interface DifferentialPeers {
  readonly tofu: string;
  readonly providers: PeerProviderPaths;
}

/** The two sides of one worker, with processes of the Go providers of their own. */
export class Sides implements Disposable {
  readonly tofu: TofuSide;
  readonly engine: EngineSide;
  readonly #providers: readonly PeerProviders[];

  private constructor(tofu: TofuSide, engine: EngineSide, providers: readonly PeerProviders[]) {
    this.tofu = tofu;
    this.engine = engine;
    this.#providers = providers;
  }

  /** Starts the processes. */
  static async start(peers: DifferentialPeers, server: TfcoremockServer): Promise<Sides> {
    const [theirs, ours] = await Promise.all([PeerProviders.start(peers.providers), PeerProviders.start(peers.providers)]);
    return new Sides(
      new TofuSide(peers.tofu, [server.reattach, ...theirs.reattach], server.cliConfiguration),
      new EngineSide(server.declarations, ours.factories),
      [theirs, ours],
    );
  }

  [Symbol.dispose](): void {
    for (const providers of this.#providers) providers[Symbol.dispose]();
  }
}
