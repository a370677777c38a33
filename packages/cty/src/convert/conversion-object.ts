// SPDX-License-Identifier: Apache-2.0
import { misuse } from "../error.ts";
import { goQuote } from "../go-quote.ts";
import { attributeStep, type PathStep } from "../path-step.ts";
import type { Payload } from "../payload.ts";
import { withoutOptionalAttributes, type MapType, type ObjectType, type TupleType } from "../type.ts";
import { nullOf, objectOf, tupleOf } from "../value-init.ts";
import { valueOf, type Value } from "../value.ts";
import { entered, entriesOf } from "./conversion-collection.ts";
import { conversionError, remadeNull, type Rules, type StepConversion } from "./rules.ts";
import type { Trail } from "./trail.ts";

/** How one attribute of the target comes to be: from the source's attribute of that name, or as null where it has none. */
interface AttributePlan {
  readonly name: string;
  readonly given: boolean;
  readonly conversion: StepConversion | undefined;
  readonly step: PathStep;
}

/** An object type is met by every object that has its attributes; those it lacks are dropped, optional ones are null. */
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

/** Unification can bring objects here that are not of the type, but have the attributes. */
function attributeOf({ type, payload }: Value, name: string, trail: Trail): Value {
  const slot = type.kind === "object" ? type.slots.get(name) : undefined;
  if (slot === undefined) throw misuse(`value has no attribute of that name: ${goQuote(name)}`, trail.path());
  return valueOf((type as ObjectType).attributes[name]!, (payload as readonly Payload[])[slot]!);
}

/** The object with the attributes in the order of their names: of the wanted type, unless dynamic parts came out as others. */
function objectOfSlots(wanted: ObjectType, attributes: readonly Value[]): Value {
  const { names } = wanted;
  if (attributes.every(({ type }, slot) => type === wanted.attributes[names[slot]!])) {
    return valueOf(
      wanted,
      attributes.map((attribute) => attribute.payload),
    );
  }
  return objectOf(new Map(names.map((name, slot) => [name, attributes[slot]!])));
}

/** Element by element. */
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
