// SPDX-License-Identifier: Apache-2.0
// Makes configurations, and changes them from step to step.
import type { Random } from "@tenon/testing/generate";
import { isBlock } from "./block.ts";
import { changeLifecycle, edit, removeItem, repeat, toggleCount } from "./change.ts";
import { addCheck } from "./condition.ts";
import { Draft } from "./draft.ts";
import { fillModule, makeModule, unusedModules } from "./fill.ts";
import { addCall } from "./module-call.ts";
import type { Module } from "./module.ts";
import { addOutputs } from "./named-values.ts";
import type { PeerProvider } from "./peer-types.ts";
import { mockProvider, peerProvider, requirements } from "./provider-blocks.ts";
import { addImport, addRemoved, forget, moveIntoModule, rekey, rename, settleRefactoring, type ForgottenResource } from "./refactoring.ts";
import type { ResourceType } from "./resource-types.ts";

/** A configuration that grows and changes. Methods that return false have changed nothing. */
export class ConfigurationMaker {
  readonly #draft: Draft;

  /** @param peers Providers that the case uses beside the tfcoremock example. */
  constructor(random: Random, deprecations: Random, types: readonly ResourceType[], peers: readonly PeerProvider[]) {
    const draft = new Draft(random, deprecations, types, peers);
    this.#draft = draft;
    for (const { name } of peers) draft.constructs.add(`${name} provider`);
    const { root } = draft;
    root.items.push(requirements(draft), mockProvider(draft));
    if (random.chance(0.3)) root.items.push(mockProvider(draft, "other"));
    if (random.chance(0.2)) root.items.push(mockProvider(draft, "each"));
    for (const peer of peers) root.items.push(...peerProvider(draft, peer));
    const inner = random.weighted([
      [3, 0],
      [4, 1],
      [3, 2],
    ] as const);
    for (const index of Array(inner).keys()) makeModule(draft, `m${index}`);
    fillModule(draft, root, 3 + random.int(6));
    for (let tries = 0; tries < 4 && unusedModules(draft).length > 0; tries++) addCall(draft, root, unusedModules(draft)[0]!);
    addOutputs(draft, root, 1 + random.int(3));
    if (random.chance(0.25)) addCheck(draft, root);
  }

  get modules(): readonly Module[] {
    return this.#draft.modules;
  }

  /** Names of the constructs that the configuration has had. */
  get constructs(): ReadonlySet<string> {
    return this.#draft.constructs;
  }

  /** Names of the functions that its expressions have called. */
  get functions(): ReadonlySet<string> {
    return this.#draft.functions;
  }

  /** Adds a resource, local value, data source or call to a module. */
  grow(): void {
    fillModule(this.#draft, this.#draft.anyModule(), 1 + this.#draft.random.int(2));
  }

  /** Replaces some expressions. */
  edit(): void {
    edit(this.#draft);
  }

  /** Changes how often a resource or module exists. */
  repeat(): boolean {
    return repeat(this.#draft);
  }

  /** Removes an item and what mentions it, sometimes with a `removed` block. */
  remove(): boolean {
    const { random } = this.#draft;
    const removed = removeItem(this.#draft);
    if (removed === undefined) return false;
    const { module, item } = removed;
    const isManaged = item.sort === "call" || (item.sort === "resource" && item.type?.provider !== undefined);
    if (isManaged && random.chance(0.4)) addRemoved(this.#draft, module, item, random.chance(0.5));
    return true;
  }

  /** Renames a resource or call, with a `moved` block or without one. */
  rename(): boolean {
    return rename(this.#draft);
  }

  /** Gives the instances of a resource other keys, with `moved` blocks. */
  rekey(): boolean {
    return rekey(this.#draft);
  }

  /** Moves a resource into a called module. */
  moveIntoModule(): boolean {
    return moveIntoModule(this.#draft);
  }

  /** Makes a single resource counted, or the other way round: a move that the core finds itself. */
  toggleCount(): boolean {
    return toggleCount(this.#draft);
  }

  /** Changes the lifecycle of a resource. */
  changeLifecycle(): boolean {
    return changeLifecycle(this.#draft);
  }

  /** Removes a resource but keeps its objects, so that they can be imported. */
  forget(): ForgottenResource | undefined {
    return forget(this.#draft);
  }

  /** Imports the objects of a forgotten resource into a new one. */
  addImport(forgotten: ForgottenResource): void {
    addImport(this.#draft, forgotten);
  }

  /** Makes operations of the provider fail for some objects. */
  fail(operation: string, ids: readonly string[]): void {
    this.#draft.constructs.add("failing provider");
    const provider = this.#draft.root.items.find(({ sort, id }) => sort === "provider" && id === "default")!;
    provider.block.entries.push({ name: `fail_on_${operation}`, expression: JSON.stringify(ids) });
  }

  /** Ends what {@link fail} began. */
  succeed(): void {
    for (const { sort, block } of this.#draft.root.items) {
      if (sort !== "provider") continue;
      const kept = block.entries.filter((entry) => isBlock(entry) || !entry.name.startsWith("fail_on"));
      block.entries.splice(0, block.entries.length, ...kept);
    }
  }

  /** Removes blocks that have had their effect: moves, imports and removals. */
  settle(): void {
    settleRefactoring(this.#draft);
  }

  /** Ids that objects of the root module probably have. */
  probableIds(): readonly string[] {
    const resources = this.#draft.root.items.filter(({ sort }) => sort === "resource");
    return resources.flatMap(({ id }) => [id, `${id}-0`, `${id}-a`, `${id}-b`]);
  }
}
