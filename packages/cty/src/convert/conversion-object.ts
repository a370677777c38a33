// SPDX-License-Identifier: Apache-2.0
import { misuse } from "../error/error.ts";
import { goQuote } from "../text/go-quote.ts";
import { attributeStep } from "../value/path-step.ts";
import type { PathStep } from "../model/path.ts";
import type { Payload } from "../payload/payload.ts";
import { withoutOptionalAttributes } from "../type/type.ts";
import type { MapType, ObjectType, TupleType } from "../model/type.ts";
import { nullOf, objectOf, tupleOf } from "../construction/value-init.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";
import { entered, entriesOf } from "./conversion-collection.ts";
import { conversionError, remadeNull, type Rules, type StepConversion } from "./rules.ts";
import type { Trail } from "./trail.ts";

/** The source of one attribute of the target: the attribute of the same name, or null if the source type has none (`given` is false). */
interface AttributePlan {
  readonly name: string;
  readonly given: boolean;
  readonly conversion: StepConversion | undefined;
  readonly step: PathStep;
}

/** The conversion from objects to objects. Attributes that the target does not have are dropped; missing optional attributes become null. */
export function objectToObject(rules: Rules, from: ObjectType, to: ObjectType): StepConversion | undefined {
  const plans: AttributePlan[] = [];
  for (const name of to.names) {
    const source = from.attributes[name];
    const target = to.attributes[name]!;
    if (source === undefined && !to.optionalNames.includes(name)) return undefined;
    const conversion = source === undefined || source === target ? undefined : rules.find(source, target);
    if (conversion === undefined && source !== undefined && source !== target) return undefined;
    plans.push({ name, given: source !== undefined, conversion, step: attributeStep(name) });
  }
  const target = withoutOptionalAttributes(to) as ObjectType;
  return (value, trail) => {
    const attributes = plans.map((plan) =>
      plan.given
        ? remadeNull(entered(attributeOf(value, plan.name, trail), plan.conversion, plan.step, trail))
        : nullOf(target.attributes[plan.name]!),
    );
    return objectOfSlots(target, attributes);
  };
}

/** The attribute of an object. After a unification, the object can be of another type that has the same attributes. */
function attributeOf({ type, payload }: Value, name: string, trail: Trail): Value {
  const slot = type.kind === "object" ? type.slots.get(name) : undefined;
  if (slot === undefined) throw misuse(`value has no attribute of that name: ${goQuote(name)}`, trail.path());
  return valueOf((type as ObjectType).attributes[name]!, (payload as readonly Payload[])[slot]!);
}

/** An object with the given attributes, in the order of the names. It has the target type unless dynamic parts got other types. */
function objectOfSlots(target: ObjectType, attributes: readonly Value[]): Value {
  const { names } = target;
  if (attributes.every(({ type }, slot) => type === target.attributes[names[slot]!])) {
    return valueOf(
      target,
      attributes.map((attribute) => attribute.payload),
    );
  }
  return objectOf(new Map(names.map((name, slot) => [name, attributes[slot]!])));
}

/** The conversion from tuples to tuples of the same length, element by element. */
export function tupleToTuple(rules: Rules, from: TupleType, to: TupleType): StepConversion | undefined {
  if (from.elements.length !== to.elements.length) return undefined;
  const conversions = from.elements.map((type, index) => (type === to.elements[index] ? undefined : rules.find(type, to.elements[index]!)));
  if (conversions.some((conversion, index) => conversion === undefined && from.elements[index] !== to.elements[index])) return undefined;
  return (value, trail) => {
    const { elements } = value.type as TupleType;
    const parts = (value.payload as readonly Payload[]).map((payload, index) =>
      entered(valueOf(elements[index]!, payload), conversions[index], index, trail),
    );
    return tupleOf(parts);
  };
}

/** The conversion from maps to objects. It fails for a map that lacks a required attribute, because only the value has the keys. */
export function mapToObject(rules: Rules, from: MapType, to: ObjectType): StepConversion | undefined {
  const conversions = new Map<string, StepConversion | undefined>();
  for (const name of to.names) {
    const target = to.attributes[name]!;
    if (target === from.element) continue;
    const conversion = rules.find(from.element, target);
    if (conversion === undefined && !to.optionalNames.includes(name)) return undefined;
    conversions.set(name, conversion);
  }
  return (value, trail) => {
    const attributes = new Map<string, Value>();
    for (const [name, element] of entriesOf(value)) {
      if (!to.slots.has(name)) continue;
      attributes.set(name, remadeNull(conversions.has(name) ? converted(rules, conversions.get(name), element, to, name, trail) : element));
    }
    for (const name of to.names) {
      if (attributes.has(name)) continue;
      if (!to.optionalNames.includes(name)) throw conversionError(`map has no element for required attribute ${goQuote(name)}`, trail);
      // As in go-cty, the type of such a null keeps its optional attributes.
      attributes.set(name, valueOf(to.attributes[name]!, null));
    }
    return objectOf(attributes);
  };
}

function converted(
  rules: Rules,
  conversion: StepConversion | undefined,
  element: Value,
  to: ObjectType,
  name: string,
  trail: Trail,
): Value {
  if (conversion !== undefined) return entered(element, conversion, name, trail);
  const mismatch = rules.mismatch(element.type, to.attributes[name]!);
  throw conversionError(`map element type is incompatible with attribute ${goQuote(name)}: ${mismatch}`, trail);
}
