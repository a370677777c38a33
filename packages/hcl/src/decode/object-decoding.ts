// SPDX-License-Identifier: Apache-2.0
import { objectOf, type ObjectType, type Type, type Value } from "@tenon/cty";
import { normalizeString, valueOf } from "@tenon/cty/unstable/payload";
import type { ObjectSpec, Spec } from "./spec.ts";

const known = new WeakMap<ObjectSpec, ObjectDecoding>();

/** How objects of a spec are made. Computed once for each spec. */
export function objectDecoding(spec: ObjectSpec): ObjectDecoding {
  let decoding = known.get(spec);
  if (decoding === undefined) known.set(spec, (decoding = new ObjectDecoding(spec)));
  return decoding;
}

/** Makes the objects of a spec. Most objects have the type of the one before, which is faster to check than a type is to find. */
class ObjectDecoding {
  readonly #names: readonly string[];
  readonly #specs: readonly Spec[];
  #last: { readonly type: ObjectType; readonly slots: readonly Slot[] } | undefined;

  constructor({ specs }: ObjectSpec) {
    const byName = new Map(Object.entries(specs).map(([name, spec]) => [normalizeString(name), spec]));
    this.#names = [...byName.keys()];
    this.#specs = [...byName.values()];
  }

  /** Returns the object of the values that `decode` returns for each spec. */
  value(decode: (spec: Spec) => Value): Value {
    const values = this.#specs.map(decode);
    if (this.#last?.slots.every(({ position, type }) => values[position]!.type === type)) {
      return valueOf(
        this.#last.type,
        this.#last.slots.map(({ position }) => values[position]!.payload),
      );
    }
    const value = objectOf(new Map(this.#names.map((name, position) => [name, values[position]!])));
    const { type } = value;
    const slots = type.names.map((name) => ({ position: this.#names.indexOf(name), type: type.attributes[name]! }));
    this.#last = { type, slots };
    return value;
  }
}

interface Slot {
  /** Position of the spec of the attribute. */
  readonly position: number;
  readonly type: Type;
}
