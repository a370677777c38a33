// SPDX-License-Identifier: Apache-2.0
import { friendlyName, isCollectionType, type ObjectType, type TupleType, type Type } from "@tenon/cty";
import { goQuote as quote } from "@tenon/cty/unstable/payload";

/** Explains why the results of a conditional have no common type. The types must differ. */
export function conditionalMismatch(ofTrue: Type, ofFalse: Type): string {
  return insideMismatch(ofTrue, ofFalse) ?? plainMismatch(ofTrue, ofFalse);
}

function plainMismatch(ofTrue: Type, ofFalse: Type): string {
  const [one, other] = [friendlyName(ofTrue), friendlyName(ofFalse)];
  return one === other
    ? "At least one deeply-nested attribute or element is not compatible across both the 'true' and the 'false' value"
    : `The 'true' value is ${one}, but the 'false' value is ${other}`;
}

/** Explains the difference inside two types of the same kind; undefined if it is not inside. */
function insideMismatch(ofTrue: Type, ofFalse: Type): string | undefined {
  if (ofTrue.kind === "object" && ofFalse.kind === "object") return objectMismatch(ofTrue, ofFalse);
  if (ofTrue.kind === "tuple" && ofFalse.kind === "tuple") return tupleMismatch(ofTrue, ofFalse);
  if (!isCollectionType(ofTrue) || !isCollectionType(ofFalse) || ofTrue.kind !== ofFalse.kind) return undefined;
  const { kind } = ofTrue.element;
  if (kind !== ofFalse.element.kind || (kind !== "object" && kind !== "tuple")) return undefined;
  return `Mismatched ${ofTrue.kind} element types: ${conditionalMismatch(ofTrue.element, ofFalse.element)}`;
}

function objectMismatch(ofTrue: ObjectType, ofFalse: ObjectType): string | undefined {
  for (const name of ofTrue.names) {
    if (!ofFalse.slots.has(name)) return `The 'true' value includes object attribute ${quote(name)}, which is absent in the 'false' value`;
    const [one, other] = [ofTrue.attributes[name]!, ofFalse.attributes[name]!];
    if (one !== other) return `Type mismatch for object attribute ${quote(name)}: ${conditionalMismatch(one, other)}`;
  }
  const more = ofFalse.names.find((name) => !ofTrue.slots.has(name));
  return more === undefined ? undefined : `The 'false' value includes object attribute ${quote(more)}, which is absent in the 'true' value`;
}

function tupleMismatch({ elements: ofTrue }: TupleType, { elements: ofFalse }: TupleType): string | undefined {
  if (ofTrue.length !== ofFalse.length)
    return `The 'true' tuple has length ${ofTrue.length}, but the 'false' tuple has length ${ofFalse.length}`;
  const at = ofTrue.findIndex((type, index) => type !== ofFalse[index]);
  return at < 0 ? undefined : `Type mismatch for tuple element ${at}: ${conditionalMismatch(ofTrue[at]!, ofFalse[at]!)}`;
}
