// SPDX-License-Identifier: Apache-2.0
import { EngineSide } from "./engine-side.ts";
import { PeerProviders, type PeerProviderPaths } from "./peer-providers.ts";
import { TfcoremockServer } from "./tfcoremock-server.ts";
import { TofuSide } from "./tofu-side.ts";

/** The programs of the other side. */
export interface DifferentialPeers {
  readonly tofu: string;
  readonly providers: PeerProviderPaths;
}

/** The two sides of one worker, with processes of the providers of their own. */
export class Sides implements Disposable {
  readonly tofu: TofuSide;
  readonly engine: EngineSide;
  readonly #processes: readonly Disposable[];

  private constructor(tofu: TofuSide, engine: EngineSide, processes: readonly Disposable[]) {
    this.tofu = tofu;
    this.engine = engine;
    this.#processes = processes;
  }

  /**
   * Starts the processes.
   *
   * @param dynamicResources Declares the resource types of the tfcoremock example.
   */
  static async start(peers: DifferentialPeers, dynamicResources: string): Promise<Sides> {
    const [server, theirs, ours] = await Promise.all([
      TfcoremockServer.start(dynamicResources),
      PeerProviders.start(peers.providers),
      PeerProviders.start(peers.providers),
    ]);
    return new Sides(
      new TofuSide(peers.tofu, [server.reattach, ...theirs.reattach], server.cliConfiguration),
      new EngineSide(server.declarations, ours.factories),
      [server, theirs, ours],
    );
  }

  [Symbol.dispose](): void {
    for (const one of this.#processes) one[Symbol.dispose]();
  }
}
