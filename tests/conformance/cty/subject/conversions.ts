// SPDX-License-Identifier: Apache-2.0
import type { Type } from "@tenon/cty";
import { convert, getConversion, getConversionUnsafe, mismatchMessage, unify, unifyUnsafe, type Unification } from "@tenon/cty/convert";
import type { Json, TypeNotation, ValueNotation } from "../notation.ts";
import type { Operation, Operations } from "./operation.ts";
import { readType, readValue } from "./read.ts";
import { writeType, writeValue } from "./write.ts";

type Unify = (types: readonly Type[]) => Unification | undefined;

const typesBy =
  (unify: Unify): Operation =>
  (types) => {
    const found = unify((types as readonly TypeNotation[]).map(readType));
    return found === undefined
      ? { t: null, converts: [] }
      : { t: writeType(found.type), converts: found.conversions.map((conversion) => conversion !== undefined) };
  };

const valuesBy =
  (unify: Unify): Operation =>
  (notations) => {
    const values = (notations as readonly ValueNotation[]).map(readValue);
    const found = unify(values.map(({ type }) => type));
    if (found === undefined) return { t: null };
    const converted = values.map((value, index): Json => writeValue(found.conversions[index]?.(value) ?? value));
    return { t: writeType(found.type), values: converted };
  };

export const convertOperations: Operations = {
  convert: (value, type) => writeValue(convert(readValue(value as ValueNotation), readType(type!))),
  getConversion: (from, to) => {
    const [a, b] = [readType(from!), readType(to!)];
    return getConversion(a, b) ? "safe" : getConversionUnsafe(a, b) ? "unsafe" : "none";
  },
  mismatch: (got, want) => mismatchMessage(readType(got!), readType(want!)),
  unify: typesBy(unify),
  unifyUnsafe: typesBy(unifyUnsafe),
  unifyValues: valuesBy(unify),
  unifyValuesUnsafe: valuesBy(unifyUnsafe),
};
