// SPDX-License-Identifier: Apache-2.0
import { formatModuleInstance, type ModuleInstance } from "../address/module.ts";
import {
  formatAbsoluteResource,
  formatResource,
  formatResourceInstance,
  type Resource,
  type ResourceInstance,
} from "../address/resource.ts";
import type { InstanceKey } from "../address/instance-key.ts";
import { instanceOf } from "../address/resource-address.ts";
import type { State, StateInstance, StateResource } from "../state/state.ts";
import { movableKey, type Movable } from "./movable.ts";
import { moduleDestination, resourceModuleDestination, selectsModule } from "./move-pattern.ts";
import type { MoveStatement } from "./move-statement.ts";
import { orderStatements } from "./statement-order.ts";

/** A resource instance with a new address. */
export interface MovedInstance {
  /** The address before the first of the moves. */
  readonly from: ResourceInstance;
  readonly to: ResourceInstance;
  /** Whether the last move was implied, which never changes the resource type. */
  readonly implied: boolean;
}

/** A move that was not made, because another object already has the destination. */
export interface BlockedMove {
  /** The object that was not moved. */
  readonly actual: Movable;
  /** The destination. */
  readonly wanted: Movable;
}

/** The result of applying move statements to a state. */
export interface MoveResults {
  /** The same object as before if nothing was moved. */
  readonly state: State;
  /** By the text of the new address. An instance that was moved several times has one entry. */
  readonly moved: ReadonlyMap<string, MovedInstance>;
  /** In the order of the statements. */
  readonly blocked: readonly BlockedMove[];
}

/**
 * Moves the objects of a state to the addresses that the statements declare. An object that already has a destination keeps it, and blocks
 * the move. If the statements form a cycle, nothing is moved; {@link validateMoves} reports the cycle.
 *
 * Objects keep their attributes, even if their resource type changes: the provider converts them when the object is planned.
 *
 * @see OpenTofu refactoring.ApplyMoves
 */
export function applyMoves(statements: readonly MoveStatement[], state: State): MoveResults {
  const { sorted = [] } = statements.length === 0 ? {} : orderStatements(statements);
  if (sorted.length === 0) return { state, moved: new Map(), blocked: [] };
  const moves = new Moves(state);
  for (const statement of sorted) moves.apply(statement);
  return moves.results(state);
}

/** A resource during the moves. Its instances are copied before the first of them is moved. */
interface MovingResource {
  readonly resource: StateResource;
  instances: ReadonlyMap<InstanceKey | undefined, StateInstance>;
}

interface MovingModule {
  readonly address: ModuleInstance;
  /** By type and name. */
  readonly resources: Map<string, MovingResource>;
}

class Moves {
  /** The module instances that have resources, and the root module. */
  readonly #modules = new Map<string, MovingModule>();
  readonly #moved = new Map<string, MovedInstance>();
  readonly #blocked = new Map<string, BlockedMove>();

  constructor({ resources }: State) {
    this.#module([]);
    for (const resource of resources.values()) {
      const { module, resource: name } = resource.address;
      this.#module(module).resources.set(formatResource(name), { resource, instances: resource.instances });
    }
  }

  results(before: State): MoveResults {
    const [moved, blocked] = [this.#moved, [...this.#blocked.values()]];
    const resources = new Map<string, StateResource>();
    let isChanged = false;
    for (const { address, resources: members } of this.#modules.values()) {
      for (const { resource, instances } of members.values()) {
        const text = formatAbsoluteResource({ module: address, resource: resource.address.resource });
        const isSame = before.resources.get(text) === resource && resource.instances === instances;
        isChanged ||= !isSame;
        resources.set(
          text,
          isSame ? resource : { address: { module: address, resource: resource.address.resource }, provider: resource.provider, instances },
        );
      }
    }
    return { state: isChanged ? { ...before, resources } : before, moved, blocked };
  }

  apply(statement: MoveStatement): void {
    const { from } = statement;
    for (const module of this.#candidates(statement)) {
      if (from.subject.kind === "moduleCall" || from.subject.kind === "moduleInstance") this.#applyToModule(statement, module);
      else if (selectsModule(from, module.address)) this.#applyToResource(statement, module);
    }
  }

  /** The module instances that may be affected by a statement. */
  #candidates({ from }: MoveStatement): readonly MovingModule[] {
    const isModule = from.subject.kind === "moduleCall" || from.subject.kind === "moduleInstance";
    if (isModule || from.module.length > 0) return [...this.#modules.values()];
    const module = this.#modules.get(formatModuleInstance(from.subject.module));
    return module === undefined ? [] : [module];
  }

  #applyToModule({ from, to, implied }: MoveStatement, { address, resources }: MovingModule): void {
    const destination = moduleDestination(address, from, to);
    if (destination === undefined) return;
    const text = formatModuleInstance(destination);
    if (this.#modules.has(text)) {
      this.#block({ kind: "moduleInstance", module: address }, { kind: "moduleInstance", module: destination });
      return;
    }
    for (const { resource, instances } of resources.values()) {
      const { resource: name } = resource.address;
      for (const key of instances.keys()) this.#record(instanceOf(address, name, key), instanceOf(destination, name, key), implied);
    }
    this.#modules.delete(formatModuleInstance(address));
    this.#modules.set(text, { address: destination, resources });
  }

  #applyToResource({ from, to, implied }: MoveStatement, module: MovingModule): void {
    if (!("resource" in from.subject) || !("resource" in to.subject)) return;
    const name = from.subject.resource;
    const moving = module.resources.get(formatResource(name));
    const destination = resourceModuleDestination(module.address, from, to);
    if (moving === undefined || destination === undefined) return;
    const known = this.#modules.get(formatModuleInstance(destination))?.resources.get(formatResource(to.subject.resource));
    const target = { module: destination, resource: to.subject.resource };
    if (from.subject.kind === "resource") {
      if (known !== undefined) {
        this.#block({ kind: "resource", module: module.address, resource: name }, { kind: "resource", ...target });
        return;
      }
      for (const key of moving.instances.keys()) {
        this.#record(instanceOf(module.address, name, key), instanceOf(destination, target.resource, key), implied);
      }
      this.#remove(module, name);
      this.#module(destination).resources.set(formatResource(target.resource), {
        resource: { ...moving.resource, address: target },
        instances: moving.instances,
      });
      return;
    }
    if (from.subject.kind !== "resourceInstance" || to.subject.kind !== "resourceInstance") return;
    const instance = moving.instances.get(from.subject.key);
    if (instance === undefined) return;
    const [source, wanted] = [instanceOf(module.address, name, from.subject.key), instanceOf(destination, target.resource, to.subject.key)];
    if (known?.instances.has(to.subject.key)) {
      this.#block({ kind: "resourceInstance", ...source }, { kind: "resourceInstance", ...wanted });
      return;
    }
    this.#record(source, wanted, implied);
    moving.instances = new Map([...moving.instances].filter(([key]) => key !== source.key));
    if (moving.instances.size === 0) this.#remove(module, name);
    this.#add(wanted, instance, moving.resource);
  }

  /** Adds an instance. A new resource gets the provider of the resource that had the instance before. */
  #add({ module, resource, key }: ResourceInstance, instance: StateInstance, from: StateResource): void {
    const { resources } = this.#module(module);
    const text = formatResource(resource);
    const known = resources.get(text);
    const { key: _, ...objects } = instance;
    const instances = new Map(known?.instances).set(key, key === undefined ? objects : { key, ...objects });
    if (known !== undefined) known.instances = instances;
    else resources.set(text, { resource: { ...from, address: { module, resource } }, instances });
  }

  #module(address: ModuleInstance): MovingModule {
    const text = formatModuleInstance(address);
    let module = this.#modules.get(text);
    if (module === undefined) this.#modules.set(text, (module = { address, resources: new Map() }));
    return module;
  }

  /** Removes a resource, and its module instance with its last resource. */
  #remove({ address, resources }: MovingModule, name: Resource): void {
    resources.delete(formatResource(name));
    if (resources.size === 0 && address.length > 0) this.#modules.delete(formatModuleInstance(address));
  }

  #record(from: ResourceInstance, to: ResourceInstance, implied: boolean): void {
    const text = formatResourceInstance(from);
    const earlier = this.#moved.get(text);
    this.#moved.delete(text);
    this.#moved.set(formatResourceInstance(to), { from: earlier?.from ?? from, to, implied });
  }

  #block(actual: Movable, wanted: Movable): void {
    this.#blocked.set(movableKey(actual), { actual, wanted });
  }
}
