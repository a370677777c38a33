// SPDX-License-Identifier: Apache-2.0
import { EngineSide } from "./engine-side.ts";
import { PeerProviders, type PeerProviderPaths } from "./peer-providers.ts";
import { TfcoremockServer } from "./tfcoremock-server.ts";
import { TofuProcesses, tofuEnvironment } from "./tofu-commands.ts";
import { TofuServer } from "./tofu-server.ts";
import { TofuSide } from "./tofu-side.ts";

/** The programs of the other side. */
export interface DifferentialPeers {
  readonly tofu: string;
  /** Path of the peer `tofu-server`. Absent: each command of tofu is a process of its own. */
  readonly server?: string;
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
    const environment = tofuEnvironment([server.reattach, ...theirs.reattach], server.cliConfiguration);
    const commands = peers.server === undefined ? new TofuProcesses(peers.tofu, environment) : new TofuServer(peers.server, environment);
    const tofu = new TofuSide(commands);
    return new Sides(tofu, new EngineSide(server.declarations, ours.factories), [tofu, server, theirs, ours]);
  }

  [Symbol.dispose](): void {
    for (const one of this.#processes) one[Symbol.dispose]();
  }
}
