// SPDX-License-Identifier: Apache-2.0
import { convert } from "../../../convert/convert.ts";
import { CtyError } from "../../../error/error.ts";
import { get } from "../../../value/get.ts";
import { goQuote } from "../../../text/go-quote.ts";
import { hasIndex, index } from "../../../operators/indexing.ts";
import { unmark, withMarks } from "../../../value/marks.ts";
import type { Mark, Payload } from "../../../payload/payload.ts";
import { dynamic, list, map, objectFromMap, string, tuple } from "../../../type/type.ts";
import type { ObjectType, Type } from "../../../model/type.ts";
import { friendlyName } from "../../../type/type-names.ts";
import { mapOf, objectOf, unknown } from "../../../construction/value-init.ts";
import { isKnown, isNull, isWhollyKnown } from "../../../equality/value-ops.ts";
import { valueOf } from "../../../value/value.ts";
import type { Value } from "../../../model/value.ts";
import { argumentError, callError } from "../../error.ts";
import { defineFunction, type CtyFunction } from "../../function.ts";
import { countOf, entriesOf, partsOf, stringOf } from "../argument/native.ts";
import { sequenceOf } from "./sequence.ts";

/**
 * The keys of a map as a list, or the attribute names of an object as a tuple, in order.
 *
 * @example
 * keysFunc.call([of(map(number), { b: 1, a: 2 })])
 * // => cty.ListVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b")})
 *
 * @see go-cty stdlib.KeysFunc
 */
export const keysFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the keys of a map.",
  params: [
    {
      name: "inputMap",
      description: "The map or object.",
      type: dynamic,
      allowUnknown: true,
      allowMarked: true,
    },
  ],
  type: ([{ type }]) => {
    if (type.kind === "map") return list(string);
    if (type.kind === "object") return tuple(...type.names.map(() => string));
    throw argumentError(0, "must have map or object type");
  },
  refineResult: { notNull: true },
  impl: ([marked], type) => {
    const [mapping, marks] = unmark(marked);
    if (mapping.type.kind === "object") return withMarks(valueOf(type, mapping.type.names), marks);
    if (!isKnown(mapping)) return withMarks(unknown(type), marks);
    return withMarks(valueOf(type, [...(mapping.payload as ReadonlyMap<string, Payload>).keys()]), marks);
  },
});

/**
 * The element of a map, or the attribute of an object, for a key; a default if the key is missing.
 *
 * @example
 * lookupFunc.call([of(map(string), { a: "x" }), of(string, "b"), of(string, "y")])
 * // => cty.StringVal("y")
 *
 * @see go-cty stdlib.LookupFunc
 */
export const lookupFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the element of a map for a key, or a default.",
  params: [
    { name: "inputMap", type: dynamic, allowMarked: true },
    { name: "key", type: string, allowMarked: true },
    { name: "default", type: dynamic, allowMarked: true },
  ],
  type: ([{ type }, key, fallback]) => {
    if (type.kind === "object") {
      return isKnown(key) ? (type.attributes[stringOf(unmark(key)[0])] ?? fallback.type) : dynamic;
    }
    if (type.kind !== "map") throw argumentError(0, "lookup() requires a map as the first argument");
    try {
      convert(fallback, type.element);
    } catch (error) {
      if (!(error instanceof CtyError) || error.code !== "CONVERSION") throw error;
      throw argumentError(2, "the default value must have the same type as the map elements");
    }
    return type.element;
  },
  impl: ([markedMap, markedKey, fallback], type) => {
    const [mapping, mapMarks] = unmark(markedMap);
    const [keyValue, keyMarks] = unmark(markedKey);
    const key = stringOf(keyValue);
    const marked = (value: Value): Value => withMarks(value, mapMarks, keyMarks);
    if (!isWhollyKnown(mapping)) return marked(unknown(type));
    if (mapping.type.kind === "object") {
      if (mapping.type.slots.has(key)) return marked(get(mapping, key));
    } else if (hasIndex(mapping, keyValue).payload === true) return marked(index(mapping, keyValue));
    return marked(convert(fallback, type));
  },
});

/**
 * Merges maps and objects. For a key that several arguments have, the last argument wins. If all arguments have the same type, so
 * has the result; otherwise it is an object.
 *
 * @example
 * mergeFunc.call([of(map(string), { a: "x" }), of(map(string), { a: "y", b: "z" })])
 * // => cty.MapVal(map[string]cty.Value{"a":cty.StringVal("y"), "b":cty.StringVal("z")})
 *
 * @see go-cty stdlib.MergeFunc
 */
export const mergeFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Merges maps or objects. For a duplicate key, the last argument wins.",
  varParam: { name: "maps", type: dynamic, allowDynamicType: true, allowNull: true, allowMarked: true },
  type: mergedType,
  refineResult: { notNull: true },
  impl: (args, type) => {
    const merged = new Map<string, Value>();
    const marks: ReadonlySet<Mark>[] = [];
    for (const value of args) {
      if (isNull(value)) continue;
      const [mapping, own] = unmark(value);
      marks.push(own);
      for (const [name, part] of entriesOf(mapping)) merged.set(name, part);
    }
    const result: Value = type.kind !== "map" ? objectOf(merged) : merged.size === 0 ? mapOf(merged, type.element) : mapOf(merged);
    return withMarks(result, ...marks);
  },
});

function mergedType(args: readonly Value[]): Type {
  const attributes = new Map<string, Type>();
  const types: Type[] = [];
  let complete = true;
  for (const marked of args) {
    const [value] = unmark(marked);
    const { type } = value;
    if (type === dynamic) return dynamic;
    if (type.kind !== "map" && type.kind !== "object") {
      throw callError(`arguments must be maps or objects, got ${goQuote(friendlyName(type))}`);
    }
    if (type.kind === "object") {
      // A null object counts as one without attributes.
      const given: ObjectType = isNull(value) ? objectFromMap(new Map()) : type;
      for (const name of given.names) attributes.set(name, given.attributes[name]!);
      types.push(given);
      continue;
    }
    types.push(type);
    if (!isKnown(value)) complete = false;
    else if (!isNull(value)) for (const [name] of entriesOf(value)) attributes.set(name, type.element);
  }
  const [first = objectFromMap(new Map())] = types;
  if (types.every((type) => type === first)) return first;
  return complete ? objectFromMap(attributes) : dynamic;
}

/**
 * The elements of a map as a list, or the attributes of an object as a tuple, in the order of their keys.
 *
 * @example
 * valuesFunc.call([of(map(number), { b: 1, a: 2 })])
 * // => cty.ListVal([]cty.Value{cty.NumberIntVal(2), cty.NumberIntVal(1)})
 *
 * @see go-cty stdlib.ValuesFunc
 */
export const valuesFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns the elements of a map in the order of their keys.",
  params: [{ name: "mapping", type: dynamic, allowMarked: true }],
  type: ([{ type }]) => {
    if (type.kind === "map") return list(type.element);
    if (type.kind === "object") return tuple(...type.names.map((name) => type.attributes[name]!));
    throw callError("values() requires a map as the first argument");
  },
  refineResult: { notNull: true },
  impl: ([marked], type) => {
    const [mapping, marks] = unmark(marked);
    return withMarks(sequenceOf(type, partsOf(mapping)), marks);
  },
});

/**
 * A map from a list of keys and a list of elements, or an object if the elements are a tuple. For a duplicate key, the last element
 * wins.
 *
 * @example
 * zipmapFunc.call([of(list(string), ["a", "b"]), of(list(number), [1, 2])])
 * // => cty.MapVal(map[string]cty.Value{"a":cty.NumberIntVal(1), "b":cty.NumberIntVal(2)})
 *
 * @see go-cty stdlib.ZipmapFunc
 */
export const zipmapFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Returns a map from a list of keys and a list of values.",
  params: [
    { name: "keys", type: /* @__PURE__ */ list(string), allowMarked: true },
    { name: "values", type: dynamic, allowMarked: true },
  ],
  type: ([keys, { type }]) => {
    if (type.kind === "list") return map(type.element);
    if (type.kind !== "tuple") throw callError("values argument must be a list or tuple value");
    if (!isWhollyKnown(keys)) return dynamic;
    const names = partsOf(unmark(keys)[0]).map((key) => unmark(key)[0]);
    checkCounts(names.length, type.elements.length);
    const attributes = new Map<string, Type>();
    for (const [at, name] of names.entries()) {
      if (isNull(name)) throw callError(`keys list has null value at index ${at}`);
      attributes.set(stringOf(name), type.elements[at]!);
    }
    return objectFromMap(attributes);
  },
  refineResult: { notNull: true },
  impl: ([markedKeys, markedValues], type) => {
    const [keys, keysMarks] = unmark(markedKeys);
    const [values, valuesMarks] = unmark(markedValues);
    const marks: ReadonlySet<Mark>[] = [keysMarks, valuesMarks];
    if (!isWhollyKnown(keys)) return withMarks(unknown(type), ...marks);
    checkCounts(countOf(keys), countOf(values));
    const parts = partsOf(values);
    const result = new Map<string, Value>();
    for (const [at, markedKey] of partsOf(keys).entries()) {
      const [key, own] = unmark(markedKey);
      result.set(stringOf(key), parts[at]!);
      // Keys cannot have marks. The map gets them.
      marks.push(own);
    }
    if (type.kind !== "map") return withMarks(objectOf(result), ...marks);
    return withMarks(result.size === 0 ? mapOf(result, type.element) : mapOf(result), ...marks);
  },
});

function checkCounts(keys: number, values: number): void {
  if (keys !== values) throw callError(`number of keys (${keys}) does not match number of values (${values})`);
}
