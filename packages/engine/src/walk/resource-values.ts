// SPDX-License-Identifier: Apache-2.0
import { dynamic, nullOf, objectOf, tupleOf, unknown, type Value } from "@tenon/cty";
import { impliedType, type Block } from "@tenon/schema";
import type { InstanceKey } from "../address/instance-key.ts";
import { formatResource } from "../address/resource.ts";
import { isRemoteModule } from "../configuration/configuration.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import { Cell, UpstreamError } from "../evaluation/cell.ts";
import type { ModuleScope } from "../evaluation/module-scope.ts";
import { hasDeprecation, withDeprecations } from "../evaluation/resource-deprecation.ts";
import type { Expansion } from "../expansion/repetition.ts";
import type { InstanceNode } from "./instance-node.ts";

/** The declared instances of a resource in a module instance. */
export interface ExpandedResource {
  readonly block: ResourceBlock;
  readonly expansion: Expansion;
  /** The value of each instance, with marks. */
  readonly instances: ReadonlyMap<InstanceKey, Cell<Value | undefined>>;
}

/** Gives the values of the objects of a resource that the configuration does not declare any more, for references to the resource. */
export type UndeclaredValues = (scope: ModuleScope, block: ResourceBlock) => Promise<ReadonlyMap<InstanceKey, Value>>;

/** Gives the values of all recorded objects of a resource whose instances could not be determined; undefined if the error counts. */
export type RecordedValues = (scope: ModuleScope, block: ResourceBlock) => Promise<ReadonlyMap<InstanceKey, Value> | undefined>;

/** Where {@link ResourceValues} finds objects that the configuration does not give. */
export interface OtherValues {
  readonly undeclared?: UndeclaredValues | undefined;
  readonly recorded?: RecordedValues | undefined;
}

/** A walk through the instances of resources. */
interface InstanceWalk {
  /** The declared instances of a resource. */
  resource(scope: ModuleScope, block: ResourceBlock): Promise<ExpandedResource>;
  readonly providers: { resourceSchema(block: ResourceBlock): Promise<Block> };
}

/** The values of resources, which references to them get. They consist of the values of their instances. */
export class ResourceValues {
  readonly #walk: InstanceWalk;
  readonly #others: OtherValues;
  /** The values of whole resources, by address. */
  readonly #values = new Map<string, Cell<Value>>();

  constructor(walk: InstanceWalk, others: OtherValues) {
    this.#walk = walk;
    this.#others = others;
  }

  /** The value of a resource, which waits for all its instances. */
  all(scope: ModuleScope, block: ResourceBlock): Promise<Value> {
    const id = scope.addressOf(formatResource(block.address));
    let cell = this.#values.get(id);
    if (cell === undefined) this.#values.set(id, (cell = new Cell(() => this.#wholeValue(scope, block))));
    return cell.get();
  }

  /** The value of a resource for a reference to one instance, which waits only for this instance: the others are missing, or unknown. */
  async single(scope: ModuleScope, block: ResourceBlock, key: NonNullable<InstanceKey>): Promise<Value> {
    const values = [await (await this.#expanded(scope, block)).instances.get(key)?.get()];
    if (values[0] === undefined) return this.all(scope, block);
    await this.#markDeprecations(scope, block, values);
    if (typeof key === "string") return objectOf(new Map([[key, values[0]]]));
    return tupleOf([...Array.from({ length: key }, () => unknown(dynamic)), values[0]]);
  }

  /** The value of a resource. It has no instances without objects, but for holes between those of `count`. */
  async #wholeValue(scope: ModuleScope, block: ResourceBlock): Promise<Value> {
    const { expansion, instances } = await this.#expanded(scope, block);
    const waiting = [...instances.values()].map((cell) => cell.get());
    const values: (Value | undefined)[] = [];
    for (const one of waiting) values.push(await one);
    const keys = [...instances.keys()];
    for (const [key, value] of (await this.#others.undeclared?.(scope, block)) ?? []) {
      // Those with keys of another kind cannot be referred to.
      if (expansion.kind === "forEach" ? typeof key !== "string" : expansion.kind !== "count" || typeof key !== "number") continue;
      if (typeof key === "number") values[key] = value;
      else values[keys.push(key) - 1] = value;
    }
    await this.#markDeprecations(scope, block, values);
    switch (expansion.kind) {
      case "count": {
        const existing = Array.from(values.slice(0, values.findLastIndex((value) => value !== undefined) + 1));
        const hole = existing.includes(undefined) ? unknown(await this.#objectType(block)) : undefined;
        return tupleOf(existing.map((value) => value ?? hole!));
      }
      case "forEach": {
        const entries = keys.map((key, index) => [String(key), values[index]] as const);
        return objectOf(new Map(entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]))));
      }
      case "enabled":
        return values[0] ?? nullOf(await this.#objectType(block));
      case "unknown":
        return unknown(expansion.argument === "enabled" ? await this.#objectType(block) : dynamic);
      default:
        return values[0] ?? unknown(dynamic);
    }
  }

  /** The declared instances of a resource, or the recorded ones. */
  async #expanded(scope: ModuleScope, block: ResourceBlock): Promise<Pick<ExpandedResource, "expansion" | "instances">> {
    try {
      return await this.#walk.resource(scope, block);
    } catch (error) {
      const recorded = error instanceof UpstreamError ? await this.#others.recorded?.(scope, block) : undefined;
      if (recorded === undefined) throw error;
      const instances = new Map(Array.from(recorded, ([key, value]) => [key, new Cell<Value | undefined>(async () => value)]));
      return { expansion: recordedExpansion(block, recorded.size), instances };
    }
  }

  /** Marks what is deprecated in the values of a resource's instances. */
  async #markDeprecations(scope: ModuleScope, block: ResourceBlock, values: (Value | undefined)[]): Promise<void> {
    if (values.length === 0 || block.provider === undefined) return;
    const schema = await this.#walk.providers.resourceSchema(block);
    if (!hasDeprecation(schema)) return;
    const isRemote = isRemoteModule(scope.configuration);
    for (const [index, value] of values.entries()) values[index] = value && withDeprecations(value, schema, block, isRemote);
  }

  /** The value of an instance as references get it: with the deprecations of its schema. */
  async forReferences({ scope, block }: InstanceNode, value: Value): Promise<Value> {
    const values: (Value | undefined)[] = [value];
    await this.#markDeprecations(scope, block, values);
    return values[0]!;
  }

  async #objectType(block: ResourceBlock): Promise<ReturnType<typeof impliedType> | typeof dynamic> {
    return block.provider === undefined ? dynamic : impliedType(await this.#walk.providers.resourceSchema(block));
  }
}

/** The repetition of a resource whose argument has errors. */
function recordedExpansion({ count, forEach, enabled }: ResourceBlock, instances: number): Expansion {
  if (forEach !== undefined) return { kind: "forEach", values: new Map() };
  if (count !== undefined) return { kind: "count", count: instances };
  return enabled === undefined ? { kind: "single" } : { kind: "enabled", enabled: instances > 0 };
}
