// SPDX-License-Identifier: Apache-2.0
import { goQuote } from "../text/go-quote.ts";
import { hasDynamic, isCollectionType, isPrimitiveType } from "../type/type.ts";
import type { CollectionType, ObjectType, TupleType, Type } from "../model/type.ts";
import { friendlyName, friendlyNameForConstraint } from "../type/type-names.ts";
import type { Rules } from "./rules.ts";

interface Finders {
  readonly safe: Rules["find"];
  readonly unsafe: Rules["find"];
}

/**
 * Returns a message that says why values of one type cannot be converted to another. It names the part of the types that differs. If
 * several attributes differ, it names the first in sorted order; go-cty names a random one.
 *
 * @see go-cty convert/mismatch_msg.go
 */
export function mismatch(find: Finders, got: Type, want: Type): string {
  if (got.kind === "object" && want.kind === "object") return mismatchOfObjects(find, got, want);
  if (got.kind === "tuple" || got.kind === "object") {
    if (isCollectionType(want)) return mismatchOfStructural(find, got, want);
  } else if (isCollectionType(got) && isCollectionType(want)) return mismatchOfCollections(find, got, want);
  if (mayConfuse(got, want)) return required(want);
  return `${friendlyName(want)} required, but have ${friendlyName(got)}`;
}

function required(want: Type): string {
  return `${friendlyNameForConstraint(want)} required`;
}

function mismatchOfObjects(find: Finders, got: ObjectType, want: ObjectType): string {
  const missing = want.names.filter((name) => !got.slots.has(name) && !want.optionalNames.includes(name));
  if (missing.length > 0) return missingAttributes(missing.map(goQuote));
  const different = want.names.filter((name) => got.slots.has(name) && got.attributes[name] !== want.attributes[name]);
  const without = (finder: Rules["find"]): string | undefined =>
    different.find((name) => finder(got.attributes[name]!, want.attributes[name]!) === undefined);
  const name = without(find.unsafe) ?? without(find.safe);
  if (name === undefined) return "incorrect object attributes";
  return `attribute ${goQuote(name)}: ${mismatch(find, got.attributes[name]!, want.attributes[name]!)}`;
}

function missingAttributes(names: readonly string[]): string {
  if (names.length === 1) return `attribute ${names[0]} is required`;
  if (names.length === 2) return `attributes ${names[0]} and ${names[1]} are required`;
  return `attributes ${names.slice(0, -1).join(", ")}, and ${names.at(-1)} are required`;
}

function mismatchOfStructural(find: Finders, got: ObjectType | TupleType, want: CollectionType): string {
  if ((want.kind === "map") !== (got.kind === "object")) return required(want);
  if (want.element.kind === "dynamic") return `all ${want.kind} elements must have the same type`;
  const parts: readonly (readonly [name: string, type: Type])[] =
    got.kind === "tuple"
      ? got.elements.map((type, index) => [String(index), type])
      : got.names.map((name) => [goQuote(name), got.attributes[name]!]);
  const wrong = parts.find(([, type]) => type !== want.element && find.unsafe(type, want.element) === undefined);
  if (wrong === undefined) return `all elements must be ${friendlyNameForConstraint(want.element)}`;
  return `element ${wrong[0]}: ${mismatch(find, wrong[1], want.element)}`;
}

function mismatchOfCollections(find: Finders, got: CollectionType, want: CollectionType): string {
  if ((want.kind === "map") !== (got.kind === "map")) return required(want);
  return `incorrect ${want.kind} element type: ${mismatch(find, got.element, want.element)}`;
}

/** Whether a message that names both types would be confusing. @see go-cty typesAreLikelyToCauseConfusion */
function mayConfuse(got: Type, want: Type): boolean {
  if (isPrimitiveType(got) !== isPrimitiveType(want) || want.kind === "string") return false;
  if ((want.kind === "bool" && got.kind === "number") || (want.kind === "number" && got.kind === "bool")) return false;
  if (isCollectionType(got) && isCollectionType(want) && !hasDynamic(got.element) && hasDynamic(want.element)) return false;
  return !(got.kind === "tuple" && want.kind === "object");
}
