// SPDX-License-Identifier: Apache-2.0
import { isNull, number, of, same, type Value } from "@tenon/cty";
import { elementsOf, hasContent } from "../generate/body.ts";

const zero = of(number, 0);

/**
 * Whether two values are equal for a provider on terraform-plugin-sdk: null and the zero value of a type are, at every depth, because this SDK stores
 * values without a difference between both. The zero values are the empty text, `false`, the number 0 and collections without elements.
 */
export function equalsInLegacySdk(one: Value, other: Value): boolean {
  if (same(one, other) || (isZero(one) && isZero(other))) return true;
  if (!hasContent(one) || !hasContent(other) || one.type.kind !== other.type.kind) return false;
  const { kind } = one.type;
  if (kind !== "object" && kind !== "map" && kind !== "set" && kind !== "list" && kind !== "tuple") return false;
  const [elements, others] = [elementsOf("list", one), elementsOf("list", other)];
  if (elements.length !== others.length) return false;
  if (kind === "set") return equalsAsSet(elements, others);
  const byKey = new Map(others);
  return elements.every(([key, element]) => byKey.has(key) && equalsInLegacySdk(element, byKey.get(key)!));
}

/** Whether each element equals another one of the other set, in any order. */
function equalsAsSet(elements: ReturnType<typeof elementsOf>, others: ReturnType<typeof elementsOf>): boolean {
  const rest = others.map(([, other]) => other);
  return elements.every(([, element]) => {
    const found = rest.findIndex((other) => equalsInLegacySdk(element, other));
    if (found >= 0) rest.splice(found, 1);
    return found >= 0;
  });
}

function isZero(value: Value): boolean {
  const { type, payload } = value;
  if (isNull(value) || payload === "" || payload === false) return true;
  if (type.kind === "number") return same(value, zero);
  const isCollection = type.kind === "list" || type.kind === "set" || type.kind === "map";
  return isCollection && hasContent(value) && elementsOf("list", value).length === 0;
}
