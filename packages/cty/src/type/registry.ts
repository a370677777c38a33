// SPDX-License-Identifier: Apache-2.0
import type { Type } from "../model/type.ts";
import { singleton } from "../payload/singleton.ts";

/** The types that exist in all installed copies of this package with the same representation of types and values. */
export interface Registry {
  /** Every type in memory, by its structure. A key refers to the types inside by their {@link ids}. */
  readonly types: Map<string, WeakRef<Type>>;
  /** A number for each type in memory, capsule types included. */
  readonly ids: WeakMap<Type, number>;
  /** Removes a collected type from {@link types}. */
  readonly collected: FinalizationRegistry<string>;
  /** The id of the next new type. */
  nextId: number;
}

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

/** The one registry of the process. */
export const registry: Registry = singleton("registry", createRegistry);
