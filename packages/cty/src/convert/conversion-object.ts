// SPDX-License-Identifier: Apache-2.0
import { CtyError } from "../error.ts";
import type { Path } from "../path-step.ts";
import type { MapType, ObjectType, TupleType } from "../type.ts";
import { nullOf, objectOf, tupleOf } from "../value-init.ts";
import { elements } from "../value-ops.ts";
import { valueOf, type Value } from "../value.ts";
import { goQuote } from "../go-quote.ts";
import { childrenOf } from "../children.ts";
import { indexStep } from "../path.ts";
import { conversionError, remadeNull, type Rules, type StepConversion } from "./rules.ts";
import type { Payload } from "../payload.ts";

/** An object type is met by every object that has its attributes; those it lacks are dropped, optional ones are null. */
export function objectToObject(rules: Rules, from: ObjectType, to: ObjectType): StepConversion | undefined {
  const conversions = new Map<string, StepConversion | undefined>();
  for (const name of to.names) {
    const source = from.attributes[name];
    const target = to.attributes[name]!;
    if (source === undefined) {
      if (to.optionalNames.includes(name)) continue;
      return undefined;
    }
    const conversion = source === target ? undefined : rules.find(source, target);
    if (conversion === undefined && source !== target) return undefined;
    conversions.set(name, conversion);
  }
  return (value, path) => {
    // Unification can bring objects here that are not of the type, but have the attributes.
    const given = value.type as ObjectType;
    const slots = value.payload as readonly Payload[];
    const attributes = new Map<string, Value>();
    for (const name of to.names) {
      if (!from.slots.has(name)) {
        attributes.set(name, nullOf(to.attributes[name]!));
        continue;
      }
      const slot = given.kind === "object" ? given.slots.get(name) : undefined;
      if (slot === undefined) throw new CtyError("MISUSE", `value has no attribute of that name: ${goQuote(name)}`, path);
      const attribute = valueOf(given.attributes[name]!, slots[slot]!);
      attributes.set(name, remadeNull(conversions.get(name)?.(attribute, [...path, { kind: "attribute", name }]) ?? attribute));
    }
    return objectOf(attributes);
  };
}

/** Element by element. */
export function tupleToTuple(rules: Rules, from: TupleType, to: TupleType): StepConversion | undefined {
  if (from.elements.length !== to.elements.length) return undefined;
  const conversions = from.elements.map((type, index) => (type === to.elements[index] ? undefined : rules.find(type, to.elements[index]!)));
  if (conversions.some((conversion, index) => conversion === undefined && from.elements[index] !== to.elements[index])) return undefined;
  return (value, path) => {
    const children = Array.from(childrenOf(value.type, value.payload), (child) => valueOf(child.type, child.payload));
    return tupleOf(children.map((child, index) => conversions[index]?.(child, [...path, indexStep(index)]) ?? child));
  };
}

/** Keys of a map are known only with its value: whether all attributes are there shows when it is converted. */
export function mapToObject(rules: Rules, from: MapType, to: ObjectType): StepConversion | undefined {
  const conversions = new Map<string, StepConversion | undefined>();
  for (const name of to.names) {
    const target = to.attributes[name]!;
    if (target === from.element) continue;
    const conversion = rules.find(from.element, target);
    if (conversion === undefined && !to.optionalNames.includes(name)) return undefined;
    conversions.set(name, conversion);
  }
  return (value, path) => {
    const attributes = new Map<string, Value>();
    for (const [key, element] of elements(value)) {
      const name = key.payload as string;
      if (!to.slots.has(name)) continue;
      attributes.set(name, remadeNull(conversions.has(name) ? converted(rules, conversions.get(name), element, to, name, path) : element));
    }
    for (const name of to.names) {
      if (attributes.has(name)) continue;
      if (!to.optionalNames.includes(name)) throw conversionError(`map has no element for required attribute ${goQuote(name)}`, path);
      // As in go-cty, the type of such a null keeps its optional attributes.
      attributes.set(name, valueOf(to.attributes[name]!, null));
    }
    return objectOf(attributes);
  };
}

function converted(rules: Rules, conversion: StepConversion | undefined, element: Value, to: ObjectType, name: string, path: Path): Value {
  if (conversion !== undefined) return conversion(element, [...path, indexStep(name)]);
  const mismatch = rules.mismatch(element.type, to.attributes[name]!);
  throw conversionError(`map element type is incompatible with attribute ${goQuote(name)}: ${mismatch}`, path);
}
