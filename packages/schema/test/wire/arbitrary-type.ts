// SPDX-License-Identifier: Apache-2.0
import { bool, dynamic, list, map, number, object, set, string, tuple, type Type } from "@tenon/cty";
import fc from "fast-check";

const primitiveType: fc.Arbitrary<Type> = fc.constantFrom<Type>(string, number, bool);

export const attributeName: fc.Arbitrary<string> = fc.constantFrom("id", "name", "rule", "size", "tags", "zone");

/** A type without a dynamic part. */
export const closedType: fc.Arbitrary<Type> = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    primitiveType,
    tie("type").map((element): Type => list(element)),
    tie("type").map((element): Type => set(element)),
    tie("type").map((element): Type => map(element)),
    fc.array(tie("type"), { maxLength: 3 }).map((elements): Type => tuple(...elements)),
    fc.dictionary(attributeName, tie("type"), { maxKeys: 3 }).map((attributes): Type => object(attributes)),
  ),
})).type;

/** The type of an attribute: dynamic as a whole, or not at all. */
export const attributeType: fc.Arbitrary<Type> = fc.oneof(
  { weight: 8, arbitrary: closedType },
  { weight: 1, arbitrary: fc.constant<Type>(dynamic) },
);
