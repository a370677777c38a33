// SPDX-License-Identifier: Apache-2.0
import type { Type } from "./type.ts";

/** What every installed copy of this package that uses the same representation of types and values has in common. */
export interface Registry {
  /** Every type that is alive, by its structure; the keys name element types by {@link ids}. */
  readonly types: Map<string, WeakRef<Type>>;
  readonly ids: WeakMap<Type, number>;
  readonly collected: FinalizationRegistry<string>;
  nextId: number;
}

/** Raised when descriptors or payload nodes change shape, so that copies with different shapes never meet. */
const representation = 1;

function createRegistry(): Registry {
  const types = new Map<string, WeakRef<Type>>();
  return {
    types,
    ids: new WeakMap(),
    collected: new FinalizationRegistry((key) => {
      if (types.get(key)?.deref() === undefined) types.delete(key);
    }),
    nextId: 1,
  };
}

const slot = Symbol.for(`@tenon/cty/registry/${representation}`);
const shared = globalThis as { [slot]?: Registry };

export const registry: Registry = (shared[slot] ??= createRegistry());

/** The one object of the given kind that all installed copies use. */
export function singleton<T extends object>(name: string, create: () => T): T {
  const key = Symbol.for(`@tenon/cty/${name}/${representation}`);
  const holder = globalThis as unknown as Record<symbol, T | undefined>;
  return (holder[key] ??= create());
}
