// SPDX-License-Identifier: Apache-2.0
// OpenTofu's own functions for collections and structures. The functions that it has from go-cty are in `@tenon/cty/stdlib`.
import {
  bool,
  CtyError,
  dynamic,
  equals,
  formatPath,
  friendlyName,
  get,
  indexStep,
  isKnown,
  isNull,
  isWhollyKnown,
  list,
  listOf,
  map,
  mapOf,
  nullOf,
  number,
  of,
  string,
  unknown,
  unmark,
  withMarks,
  type Mark,
  type Type,
  type Value,
} from "@tenon/cty";
import { convert, unifyUnsafe } from "@tenon/cty/convert";
import { argumentError, defineFunction, type CtyFunction } from "@tenon/cty/function";
import { add, and, canIterateElements, elements, hasIndex, index, length, lengthInt, or } from "@tenon/cty/operators";
import { strlenFunc } from "@tenon/cty/stdlib";
import { compareCodePoints, goQuote } from "@tenon/cty/unstable/payload";
import { stringOf } from "@tenon/cty/unstable/native";
import { redacted } from "../marks/value-marks.ts";

const notNull = { notNull: true } as const;
const yes: Value = of(bool, true);
const no: Value = of(bool, false);

/**
 * The number of elements of a collection or structure, or of characters (grapheme clusters) in a string.
 *
 * @example
 * lengthFunction.call([of(list(string), ["a", "b"])])
 * // => cty.NumberIntVal(2)
 *
 * @see OpenTofu funcs.LengthFunc
 */
export const lengthFunction: CtyFunction = defineFunction({
  description: "Returns the number of elements of a collection or structure, or the number of characters of a string.",
  params: [{ name: "value", type: dynamic, allowDynamicType: true, allowUnknown: true, allowMarked: true }],
  type: ([value]) => {
    const { kind } = value.type;
    if (kind === "number" || kind === "bool" || kind === "capsule") {
      throw new CtyError("INVALID_VALUE", "argument must be a string, a collection type, or a structural type");
    }
    return number;
  },
  refineResult: notNull,
  impl: ([value]) => {
    const [plain, marks] = unmark(value);
    switch (plain.type.kind) {
      case "dynamic":
        return withMarks(unknown(number), marks);
      case "tuple":
      case "object":
        return withMarks(of(number, lengthInt(plain)), marks);
      case "string":
        return strlenFunc.call([value]);
      default:
        return length(value);
    }
  },
});

/**
 * Whether every element of a list is true; true for an empty list.
 *
 * @see OpenTofu funcs.AllTrueFunc
 */
export const allTrueFunction: CtyFunction = defineFunction({
  description: "Returns true if every element of a list is true, or if the list is empty.",
  params: [{ name: "list", type: list(bool) }],
  type: bool,
  refineResult: notNull,
  impl: ([values]) => {
    let result = yes;
    for (const [, value] of elements(values)) {
      if (!isKnown(value)) return unknown(bool);
      if (isNull(value)) return no;
      result = and(result, value);
      if (result.payload === false) return no;
    }
    return result;
  },
});

/**
 * Whether any element of a list is true; false for an empty list.
 *
 * @see OpenTofu funcs.AnyTrueFunc
 */
export const anyTrueFunction: CtyFunction = defineFunction({
  description: "Returns true if any element of a list is true.",
  params: [{ name: "list", type: list(bool) }],
  type: bool,
  refineResult: notNull,
  impl: ([values]) => {
    let result = no;
    let hasUnknown = false;
    for (const [, value] of elements(values)) {
      if (!isKnown(value)) {
        hasUnknown = true;
        continue;
      }
      if (isNull(value)) continue;
      result = or(result, value);
      if (result.payload === true) return yes;
    }
    return hasUnknown ? unknown(bool) : result;
  },
});

/**
 * The first argument that is neither null nor an empty string.
 *
 * @see OpenTofu funcs.CoalesceFunc
 */
export const coalesceFunction: CtyFunction = defineFunction({
  description: "Returns the first argument that is neither null nor an empty string.",
  varParam: { name: "vals", type: dynamic, allowUnknown: true, allowDynamicType: true, allowNull: true },
  type: (values) => {
    const unified = unifyUnsafe(values.map(({ type }) => type));
    if (unified === undefined) throw new CtyError("INVALID_VALUE", "all arguments must have the same type");
    return unified.type;
  },
  refineResult: notNull,
  impl: (values, type) => {
    for (const given of values) {
      const value = convert(given, type);
      if (!isKnown(value)) return unknown(type);
      if (isNull(value) || (type === string && value.payload === "")) continue;
      return value;
    }
    throw new CtyError("INVALID_VALUE", "no non-null, non-empty-string arguments");
  },
});

/**
 * The position of a value in a list or tuple.
 *
 * @see OpenTofu funcs.IndexFunc
 */
export const indexFunction: CtyFunction = defineFunction({
  description: "Returns the position of the first element of a list that equals a value.",
  params: [
    { name: "list", type: dynamic },
    { name: "value", type: dynamic },
  ],
  type: number,
  refineResult: notNull,
  impl: ([values, wanted]) => {
    const { kind } = values.type;
    if (kind !== "list" && kind !== "tuple") throw new CtyError("INVALID_VALUE", "argument must be a list or tuple");
    if (lengthInt(values) === 0) throw new CtyError("INVALID_VALUE", "cannot search an empty list");
    for (const [position, value] of elements(values)) {
      const isEqual = equals(value, wanted);
      if (!isKnown(isEqual)) return unknown(number);
      if (isEqual.payload === true) return position;
    }
    throw new CtyError("INVALID_VALUE", "item not found");
  },
});

/**
 * The element of a map or the attribute of an object with the given name, or a default.
 *
 * @see OpenTofu funcs.LookupFunc
 */
export const lookupFunction: CtyFunction = defineFunction({
  description: "Returns the element of a map with the given key, or the default if there is none.",
  params: [
    { name: "inputMap", type: dynamic, allowMarked: true },
    { name: "key", type: string, allowMarked: true },
  ],
  varParam: { name: "default", type: dynamic, allowUnknown: true, allowDynamicType: true, allowNull: true, allowMarked: true },
  type: (args) => {
    if (args.length > 3) throw new CtyError("INVALID_VALUE", `lookup() takes two or three arguments, got ${args.length}`);
    const [{ type }, key, fallback] = args;
    if (type.kind === "object") {
      if (!isKnown(key)) return dynamic;
      const name = stringOf(unmark(key)[0]);
      const attribute = Object.hasOwn(type.attributes, name) ? type.attributes[name] : undefined;
      if (attribute !== undefined) return attribute;
      if (fallback !== undefined) return fallback.type;
      throw argumentError(0, `the given object has no attribute ${goQuote(name)}`);
    }
    if (type.kind !== "map") throw argumentError(0, "lookup() requires a map as the first argument");
    if (fallback !== undefined) requireElementType(fallback, type.element);
    return type.element;
  },
  impl: ([collection, key, fallback], type) => {
    const [plain, collectionMarks] = unmark(collection);
    const [plainKey, keyMarks] = unmark(key);
    const marks: ReadonlySet<Mark>[] = [collectionMarks, keyMarks];
    const name = stringOf(plainKey);
    if (!isKnown(plain)) return withMarks(unknown(type), ...marks);
    if (plain.type.kind === "object") {
      if (Object.hasOwn(plain.type.attributes, name)) return withMarks(get(plain, name), ...marks);
    } else if (hasIndex(plain, plainKey).payload === true) {
      return withMarks(index(plain, plainKey), ...marks);
    }
    if (fallback !== undefined) return withMarks(convert(fallback, type), ...marks);
    throw new CtyError("INVALID_VALUE", `lookup failed to find key ${redacted(goQuote(name), keyMarks)}`);
  },
});

function requireElementType(fallback: Value, element: Type): void {
  try {
    convert(fallback, element);
  } catch {
    throw argumentError(2, "the default value must have the same type as the map elements");
  }
}

/**
 * The elements of a list for which the element at the same position of a second list is in a third list.
 *
 * @see OpenTofu funcs.MatchkeysFunc
 */
export const matchKeysFunction: CtyFunction = defineFunction({
  description: "Returns the elements of a list whose counterparts in the list of keys are in the search set.",
  params: [
    { name: "values", type: list(dynamic) },
    { name: "keys", type: list(dynamic) },
    { name: "searchset", type: list(dynamic) },
  ],
  type: ([values, keys, wanted]) => {
    if (unifyUnsafe([keys.type, wanted.type]) === undefined) {
      throw new CtyError("INVALID_VALUE", "keys and searchset must be of the same type");
    }
    return values.type;
  },
  refineResult: notNull,
  impl: ([values, keys, searchSet], type) => {
    const element = type.kind === "list" ? type.element : dynamic;
    if (lengthInt(values) !== lengthInt(keys)) throw new CtyError("INVALID_VALUE", "length of keys and values should be equal");
    const common = unifyUnsafe([keys.type, searchSet.type])!.type;
    const wanted = elements(convert(searchSet, common)).map(([, value]) => value);
    const given = convert(keys, common);
    if (wanted.length === 0) return listOf([], element);
    if (!isWhollyKnown(values) || !isWhollyKnown(given)) return unknown(type);
    const candidates = elements(values);
    const matches: Value[] = [];
    for (const [position, [, key]] of elements(given).entries()) {
      for (const search of wanted) {
        const isEqual = equals(key, search);
        if (!isKnown(isEqual)) return listOf([], element);
        if (isEqual.payload !== true) continue;
        matches.push(candidates[position]![1]);
        break;
      }
    }
    return listOf(matches, element);
  },
});

/**
 * The only element of a list, set or tuple; null for an empty one.
 *
 * @see OpenTofu funcs.OneFunc
 */
export const oneFunction: CtyFunction = defineFunction({
  description: "Returns the only element of a list, set, or tuple, or null if it is empty.",
  params: [{ name: "list", type: dynamic }],
  type: ([{ type }]) => {
    if (type.kind === "list" || type.kind === "set") return type.element;
    if (type.kind === "tuple" && type.elements.length < 2) return type.elements[0] ?? dynamic;
    throw argumentError(0, moreThanOne);
  },
  impl: ([values], type) => {
    const size = values.type.kind === "tuple" ? of(number, values.type.elements.length) : length(values);
    if (!isKnown(size)) return unknown(type);
    if (size.payload === 0) return nullOf(type);
    if (size.payload === 1) return elements(values)[0]![1];
    throw argumentError(0, moreThanOne);
  },
});

const moreThanOne = "must be a list, set, or tuple value with either zero or one elements";

/**
 * The sum of the numbers in a list, set or tuple.
 *
 * @see OpenTofu funcs.SumFunc
 */
export const sumFunction: CtyFunction = defineFunction({
  description: "Returns the sum of the numbers in a list, set, or tuple.",
  params: [{ name: "list", type: dynamic }],
  type: number,
  refineResult: notNull,
  impl: ([values]) => {
    if (!canIterateElements(values)) throw argumentError(0, "cannot sum noniterable");
    if (lengthInt(values) === 0) throw argumentError(0, "cannot sum an empty list");
    const { kind } = values.type;
    if (kind !== "list" && kind !== "set" && kind !== "tuple") {
      throw argumentError(0, `argument must be list, set, or tuple. Received ${friendlyName(values.type)}`);
    }
    if (!isWhollyKnown(values)) return unknown(number);
    const [first, ...rest] = elements(values).map(([, value]) => summand(value));
    try {
      return rest.reduce((sum, value) => add(sum, value), first!);
    } catch (error) {
      if (error instanceof CtyError && error.code === "NOT_A_NUMBER") {
        throw new CtyError("INVALID_VALUE", "can't compute sum of opposing infinities");
      }
      throw error;
    }
  },
});

function summand(value: Value): Value {
  const mismatch = "argument must be list, set, or tuple of number values";
  if (isNull(value)) throw argumentError(0, mismatch);
  try {
    return convert(value, number);
  } catch {
    throw argumentError(0, mismatch);
  }
}

const mapOfLists: Type = map(list(string));

/**
 * A map of lists of strings with keys and elements exchanged.
 *
 * @see OpenTofu funcs.TransposeFunc
 */
export const transposeFunction: CtyFunction = defineFunction({
  description: "Exchanges the keys and the elements of a map of lists of strings.",
  params: [{ name: "values", type: mapOfLists }],
  type: mapOfLists,
  refineResult: notNull,
  impl: ([values], type) => {
    if (!isWhollyKnown(values)) return unknown(type);
    const keysByElement = new Map<string, string[]>();
    for (const [key, names] of elements(values)) {
      const path = [indexStep(stringOf(key))];
      if (isNull(names)) throw argumentError(0, `cannot use null list for ${formatPath(path)}`);
      for (const [position, name] of elements(names)) {
        if (isNull(name)) throw argumentError(0, `cannot use null string for ${formatPath([...path, indexStep(position)])}`);
        const text = stringOf(name);
        keysByElement.set(text, [...(keysByElement.get(text) ?? []), stringOf(key)]);
      }
    }
    const transposed = Array.from(keysByElement, ([name, keys]) => {
      return [
        name,
        listOf(
          keys.sort(compareCodePoints).map((key) => of(string, key)),
          string,
        ),
      ] as const;
    });
    return mapOf(new Map(transposed), list(string));
  },
});

/** Creates a function whose calls are errors, for a function of Terraform 0.11. The error names the replacement. */
function removedFunction(name: string, replacement: string): CtyFunction {
  const message = `the "${name}" function was deprecated in Terraform v0.12 and is not available in OpenTofu; use ${replacement}`;
  const refuse = (): never => {
    throw new CtyError("INVALID_VALUE", message);
  };
  return defineFunction({
    description: `Was removed; use ${replacement}.`,
    varParam: { name: "vals", type: dynamic, allowUnknown: true, allowDynamicType: true, allowNull: true },
    type: refuse,
    impl: refuse,
  });
}

/** The removed function `list`: each call is an error that names `tolist`. */
export const listFunction: CtyFunction = removedFunction("list", "tolist([ ... ]) syntax to write a literal list");
/** The removed function `map`: each call is an error that names `tomap`. */
export const mapFunction: CtyFunction = removedFunction("map", "tomap({ ... }) syntax to write a literal map");
