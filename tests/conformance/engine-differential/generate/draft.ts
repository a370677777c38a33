// SPDX-License-Identifier: Apache-2.0
import type { Random } from "@tenon/testing/generate";
import type { Module } from "./module.ts";
import type { PeerProvider } from "./peer-types.ts";
import type { ResourceType } from "./resource-types.ts";

/** A configuration in the making: its modules, and what its blocks are chosen from. */
export class Draft {
  readonly random: Random;
  /** Makes the choices about deprecated outputs, so that they change no other choice. */
  readonly deprecations: Random;
  readonly types: readonly ResourceType[];
  readonly peers: readonly PeerProvider[];
  /** The modules; the first one is the root module. */
  readonly modules: Module[] = [{ name: "", items: [] }];
  /** Names of the constructs that the configuration has had, for the distribution. */
  readonly constructs: Set<string> = new Set();
  /** Names of the functions that its expressions have called. */
  readonly functions: Set<string> = new Set();
  #next = 0;

  /** @param peers Providers that the configuration uses beside the tfcoremock example. */
  constructor(random: Random, deprecations: Random, types: readonly ResourceType[], peers: readonly PeerProvider[]) {
    this.random = random;
    this.deprecations = deprecations;
    this.types = [...types, ...peers.flatMap((peer) => peer.types)];
    this.peers = peers;
  }

  get root(): Module {
    return this.modules[0]!;
  }

  /** A name that no other item of the configuration has. */
  name(prefix: string): string {
    return `${prefix}${this.#next++}`;
  }

  /** The root module more often than another one. */
  anyModule(): Module {
    return this.random.chance(0.65) ? this.root : this.random.pick(this.modules);
  }

  /** Whether a provider has ephemeral resources. */
  get hasEphemeral(): boolean {
    return this.peers.some(({ ephemeral }) => ephemeral !== undefined);
  }

  /** Whether expressions can call the functions of the framework provider. */
  get hasProviderFunctions(): boolean {
    return this.peers.some(({ name }) => name === "framework");
  }

  /** The module that a call calls. */
  called(name: string): Module {
    return this.modules.find((module) => module.name === name)!;
  }
}
