// SPDX-License-Identifier: Apache-2.0
import { type Type, type Value } from "@tenon/cty";
import { type Payload, valueOf } from "@tenon/cty/unstable/payload";

/** The elements of a list, set or tuple; empty for null and unknown values. */
export function elementsOf({ type, payload }: Value): readonly Value[] {
  if (!Array.isArray(payload)) return [];
  const parts = payload as readonly Payload[];
  if (type.kind === "tuple") return parts.map((part, index) => valueOf(type.elements[index]!, part));
  return parts.map((part) => valueOf(elementType(type), part));
}

/** The entries of a map, or the attributes of an object; empty for null and unknown values. */
export function entriesOf({ type, payload }: Value): readonly (readonly [string, Value])[] {
  if (type.kind === "object" && Array.isArray(payload)) {
    const parts = payload as readonly Payload[];
    return type.names.map((name, slot) => [name, valueOf(type.attributes[name]!, parts[slot]!)]);
  }
  if (!(payload instanceof Map)) return [];
  return [...(payload as ReadonlyMap<string, Payload>)].map(([key, part]) => [key, valueOf(elementType(type), part)]);
}

/** An attribute of an object; undefined for null and unknown values, and if the type lacks the attribute. */
export function attributeOf({ type, payload }: Value, name: string): Value | undefined {
  if (type.kind !== "object" || !Array.isArray(payload)) return undefined;
  const slot = type.slots.get(name);
  return slot === undefined ? undefined : valueOf(type.attributes[name]!, (payload as readonly Payload[])[slot]!);
}

function elementType(type: Type): Type {
  if (type.kind === "list" || type.kind === "set" || type.kind === "map") return type.element;
  throw new TypeError(`the type ${type.kind} has no element type`);
}
