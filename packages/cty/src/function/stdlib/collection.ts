// SPDX-License-Identifier: Apache-2.0
// A family: go-cty's functions of collections and structures.
import { convert, unifyUnsafe } from "../../convert/convert.ts";
import { CtyError } from "../../error.ts";
import { get } from "../../get.ts";
import { goQuote } from "../../go-quote.ts";
import { hasIndex, index, length } from "../../operators/indexing.ts";
import { unmark, withMarks } from "../../marks.ts";
import { payloadsEqual } from "../../equality.ts";
import type { Mark, Payload } from "../../payload.ts";
import {
  bool,
  dynamic,
  isCollectionType,
  list,
  map,
  number,
  objectFromMap,
  set,
  string,
  tuple,
  type CollectionType,
  type ListType,
  type ObjectType,
  type TupleType,
  type Type,
} from "../../type.ts";
import { friendlyName } from "../../type-names.ts";
import { refine } from "../../unknown-refinement.ts";
import { listOf, mapOf, objectOf, setOf, tupleOf, unknown } from "../../value-init.ts";
import { equals, isKnown, isNull, isWhollyKnown } from "../../value-ops.ts";
import { range } from "../../value-range.ts";
import { valueOf, type Value } from "../../value.ts";
import { argumentError, callError } from "../error.ts";
import { defineFunction, type CtyFunction } from "../function.ts";
import { countOf, entriesOf, integerOf, partsOf, stringOf } from "./native.ts";

type Marks = ReadonlySet<Mark>;

function isSequence(type: Type): boolean {
  return type.kind === "list" || type.kind === "tuple" || type.kind === "set";
}

/** The integer an argument is, or an error that says which argument is no good. */
function positionOf(value: Value, problem: string, argument?: number): bigint {
  try {
    return integerOf(value);
  } catch (error) {
    if (!(error instanceof CtyError) || error.code !== "INVALID_VALUE") throw error;
    const message = `${problem}: ${error.message}`;
    throw argument === undefined ? callError(message) : argumentError(argument, message);
  }
}

/**
 * Whether a list, tuple or map has an element for a key.
 *
 * @example
 * hasIndexFunc.call([of(list(string), ["a"]), of(number, 1)])
 * // => cty.False
 *
 * @see go-cty stdlib.HasIndexFunc
 */
export const hasIndexFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Tells whether a collection has an element for a key.",
  params: [
    { name: "collection", type: dynamic, allowDynamicType: true },
    { name: "key", type: dynamic, allowDynamicType: true },
  ],
  type: ([collection]) => {
    if (!["tuple", "list", "map", "dynamic"].includes(collection.type.kind)) throw callError("collection must be a list, a map or a tuple");
    return bool;
  },
  refineResult: { notNull: true },
  impl: ([collection, key]) => hasIndex(collection, key),
});

/**
 * The element of a list, tuple or map for a key.
 *
 * @example
 * indexFunc.call([of(map(string), { a: "x" }), of(string, "a")])
 * // => cty.StringVal("x")
 *
 * @see go-cty stdlib.IndexFunc
 */
export const indexFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Gives the element of a collection for a key.",
  params: [
    { name: "collection", type: dynamic },
    { name: "key", type: dynamic, allowDynamicType: true },
  ],
  type: ([{ type }, key]) => {
    switch (type.kind) {
      case "tuple":
        requireKey(key, number, "tuple");
        return isKnown(key) ? tupleElementType(type, positionOf(key, "invalid key for tuple")) : dynamic;
      case "list":
        requireKey(key, number, "list");
        return type.element;
      case "map":
        requireKey(key, string, "map");
        return type.element;
      default:
        throw callError("collection must be a list, a map or a tuple");
    }
  },
  impl: ([collection, key]) => {
    if (hasIndex(collection, key).payload === false) throw callError("invalid index");
    return index(collection, key);
  },
});

function requireKey(key: Value, type: Type, kind: string): void {
  if (key.type !== type && key.type !== dynamic) throw callError(`key for ${kind} must be ${type.kind}`);
}

function tupleElementType({ elements }: TupleType, position: bigint): Type {
  const type = position < 0n || position >= elements.length ? undefined : elements[Number(position)];
  if (type === undefined) throw callError(`key must be between 0 and ${elements.length} inclusive`);
  return type;
}

/**
 * How many elements a list, tuple, set or map has; for unknown ones, between which numbers that is.
 *
 * @example
 * lengthFunc.call([of(list(string), ["a", "b"])])
 * // => cty.NumberIntVal(2)
 *
 * @see go-cty stdlib.LengthFunc
 */
export const lengthFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Counts the elements of a collection.",
  params: [{ name: "collection", type: dynamic, allowDynamicType: true, allowUnknown: true, allowMarked: true }],
  type: ([{ type }]) => {
    if (!isCollectionType(type) && type.kind !== "tuple" && type !== dynamic)
      throw callError("collection must be a list, a map or a tuple");
    return number;
  },
  refineResult: { notNull: true },
  impl: ([collection]) => length(collection),
});

/**
 * The element of a list or tuple at a position, which starts again after the last; below zero it counts from the end.
 *
 * @example
 * elementFunc.call([of(list(string), ["a", "b", "c"]), of(number, 4)])
 * // => cty.StringVal("b")
 *
 * @see go-cty stdlib.ElementFunc
 */
export const elementFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Gives the element of a list at a position, which starts again after the last.",
  params: [
    { name: "list", type: dynamic, allowMarked: true },
    { name: "index", type: number },
  ],
  type: ([{ type }, position]) => {
    if (type.kind === "list") return type.element;
    if (type.kind !== "tuple") throw callError(`cannot read elements from ${friendlyName(type)}`);
    if (!isKnown(position)) return dynamic;
    return type.elements[wrapped(positionOf(position, "invalid index"), type.elements.length)]!;
  },
  impl: ([marked, positionValue], type) => {
    const position = positionOf(positionValue, "invalid index");
    const [sequence, marks] = unmark(marked);
    if (!isKnown(sequence)) return unknown(type);
    return withMarks(index(sequence, wrapped(position, countOf(sequence))), marks);
  },
});

function wrapped(position: bigint, count: number): number {
  if (count === 0) throw callError("cannot use element function with an empty list");
  const size = BigInt(count);
  return Number(((position % size) + size) % size);
}

/**
 * The first list or tuple that is not empty.
 *
 * @example
 * coalesceListFunc.call([of(list(string), []), of(list(string), ["a"])])
 * // => cty.ListVal([]cty.Value{cty.StringVal("a")})
 *
 * @see go-cty stdlib.CoalesceListFunc
 */
export const coalesceListFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Gives the first list that is not empty.",
  varParam: {
    name: "vals",
    description: "The lists or tuples, in the order in which to try them.",
    type: dynamic,
    allowUnknown: true,
    allowDynamicType: true,
    allowNull: true,
  },
  type: (args) => {
    if (args.length === 0) throw callError("at least one argument is required");
    for (const value of args) {
      // Any of them may be the result, with its own type.
      if (!isKnown(value)) return dynamic;
      if (value.type.kind !== "list" && value.type.kind !== "tuple") throw callError("coalescelist arguments must be lists or tuples");
    }
    const first = args[0]!.type;
    return args.every((value) => value.type === first) ? first : dynamic;
  },
  refineResult: { notNull: true },
  impl: (args, type) => {
    for (const value of args) {
      if (!isKnown(value)) return unknown(type);
      if (!isNull(value) && countOf(value) > 0) return value;
    }
    throw callError("no non-null arguments");
  },
});

/**
 * A list of strings without those that are empty or null.
 *
 * @example
 * compactFunc.call([of(list(string), ["a", "", null, "b"])])
 * // => cty.ListVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b")})
 *
 * @see go-cty stdlib.CompactFunc
 */
export const compactFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Leaves empty strings out of a list.",
  params: [{ name: "list", type: /* @__PURE__ */ list(string) }],
  type: /* @__PURE__ */ list(string),
  refineResult: { notNull: true },
  impl: ([strings], type) => {
    if (!isWhollyKnown(strings)) return unknown(type);
    return valueOf(
      strings.type,
      (strings.payload as readonly Payload[]).filter((text) => text !== null && text !== ""),
    );
  },
});

/**
 * Whether a value is an element of a list, tuple or set. Unknown while unknown elements may be it.
 *
 * @example
 * containsFunc.call([of(list(string), ["a", "b"]), of(string, "b")])
 * // => cty.True
 *
 * @see go-cty stdlib.ContainsFunc
 */
export const containsFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Tells whether a value is an element of a list, tuple or set.",
  params: [
    { name: "list", type: dynamic },
    { name: "value", type: dynamic, allowNull: true },
  ],
  type: bool,
  refineResult: { notNull: true },
  impl: ([sequence, wanted]) => {
    if (!isSequence(sequence.type)) throw callError("argument must be list, tuple, or set");
    const found = partsOf(sequence).map((part) => equals(wanted, part).payload);
    return found.includes(true) ? valueOf(bool, true) : found.every((answer) => answer === false) ? valueOf(bool, false) : unknown(bool);
  },
});

/**
 * A list with each of its elements once, where it comes first.
 *
 * @example
 * distinctFunc.call([of(list(string), ["b", "a", "b"])])
 * // => cty.ListVal([]cty.Value{cty.StringVal("b"), cty.StringVal("a")})
 *
 * @see go-cty stdlib.DistinctFunc
 */
export const distinctFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Leaves out elements of a list that come again.",
  params: [{ name: "list", type: /* @__PURE__ */ list(dynamic) }],
  type: ([elements]) => elements.type,
  refineResult: { notNull: true },
  impl: ([elements], type) => {
    if (!isWhollyKnown(elements)) return unknown(type);
    return valueOf(type, distinctPayloads((type as ListType).element, elements.payload as readonly Payload[]));
  },
});

function distinctPayloads(type: Type, elements: readonly Payload[]): Payload[] {
  if (type === string) return [...new Set(elements)];
  const seen: Payload[] = [];
  for (const element of elements) {
    if (!seen.some((other) => payloadsEqual(type, other, element) === true)) seen.push(element);
  }
  return seen;
}

/**
 * A list cut into lists of a length; the last takes what is left. Length 0 gives one list with all.
 *
 * @example
 * length(chunklistFunc.call([of(list(string), ["a", "b", "c"]), of(number, 2)]))
 * // => cty.NumberIntVal(2)
 *
 * @see go-cty stdlib.ChunklistFunc
 */
export const chunklistFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Cuts a list into lists of a length.",
  params: [
    { name: "list", description: "The list to cut.", type: /* @__PURE__ */ list(dynamic), allowMarked: true },
    { name: "size", description: "How many elements each list has at most.", type: number, allowMarked: true },
  ],
  type: ([elements]) => list(elements.type),
  refineResult: { notNull: true },
  impl: ([markedList, markedSize]) => {
    const [elements, listMarks] = unmark(markedList);
    const [sizeValue, sizeMarks] = unmark(markedSize);
    const size = positionOf(sizeValue, "invalid size");
    if (size < 0n) throw callError("the size argument must be positive");
    const all = elements.payload as readonly Payload[];
    // Larger sizes than there are elements all mean the same.
    const step = size === 0n || size > all.length ? Math.max(all.length, 1) : Number(size);
    const chunks = Array.from({ length: Math.ceil(all.length / step) }, (_, at) => all.slice(at * step, (at + 1) * step));
    return withMarks(valueOf(list(elements.type), chunks), listMarks, sizeMarks);
  },
});

/**
 * A tuple of all that is in a list, set or tuple, with the elements of those inside it in their place, however deep.
 *
 * @example
 * flattenFunc.call([of(dynamic, [["a", ["b"]], "c"])])
 * // => cty.TupleVal([]cty.Value{cty.StringVal("a"), cty.StringVal("b"), cty.StringVal("c")})
 *
 * @see go-cty stdlib.FlattenFunc
 */
export const flattenFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Puts the elements of lists that are in a list in their place.",
  params: [{ name: "list", type: dynamic, allowMarked: true }],
  type: ([sequence]) => {
    if (!isWhollyKnown(sequence)) return dynamic;
    if (!isSequence(sequence.type)) throw callError("can only flatten lists, sets and tuples");
    const { parts, complete } = flattened(sequence);
    return complete ? tuple(...parts.map((part) => part.type)) : dynamic;
  },
  refineResult: { notNull: true },
  impl: ([sequence], type) => {
    const [plain, marks] = unmark(sequence);
    if (countOf(plain) === 0) return withMarks(tupleOf([]), marks);
    const { parts, marks: allMarks, complete } = flattened(sequence);
    return withMarks(complete ? tupleOf(parts) : unknown(type), ...allMarks);
  },
});

interface Flattened {
  readonly parts: readonly Value[];
  readonly marks: readonly Marks[];
  /** Are all parts known to be there? */
  readonly complete: boolean;
}

function flattened(marked: Value): Flattened {
  const [sequence, ownMarks] = unmark(marked);
  const marks: Marks[] = [ownMarks];
  if (!isKnown(length(sequence))) return { parts: [], marks, complete: false };
  const parts: Value[] = [];
  let complete = true;
  for (const part of partsOf(sequence)) {
    // What has no type yet may turn out to be a list.
    if (part.type === dynamic && !isKnown(part) && unmark(part)[1].size === 0) complete = false;
    if (isNull(part) || !isSequence(part.type)) {
      parts.push(part);
    } else if (isKnown(part)) {
      const inner = flattened(part);
      marks.push(...inner.marks);
      if (inner.complete) parts.push(...inner.parts);
      else complete = false;
    } else {
      complete = false;
      marks.push(unmark(part)[1]);
    }
  }
  return { parts, marks, complete };
}

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
  description: "Lists the keys of a map.",
  params: [
    {
      name: "inputMap",
      description: "The map, or an object, whose attribute names become a tuple.",
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
 * The element of a map, or the attribute of an object, by its key; a default if there is none.
 *
 * @example
 * lookupFunc.call([of(map(string), { a: "x" }), of(string, "b"), of(string, "y")])
 * // => cty.StringVal("y")
 *
 * @see go-cty stdlib.LookupFunc
 */
export const lookupFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Gives the element of a map for a key, or a default.",
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
 * Maps and objects as one, in which later ones win: a map or object of their type if they have the same, else an object.
 *
 * @example
 * mergeFunc.call([of(map(string), { a: "x" }), of(map(string), { a: "y", b: "z" })])
 * // => cty.MapVal(map[string]cty.Value{"a":cty.StringVal("y"), "b":cty.StringVal("z")})
 *
 * @see go-cty stdlib.MergeFunc
 */
export const mergeFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Merges maps or objects, of which later ones win.",
  varParam: { name: "maps", type: dynamic, allowDynamicType: true, allowNull: true, allowMarked: true },
  type: mergedType,
  refineResult: { notNull: true },
  impl: (args, type) => {
    const merged = new Map<string, Value>();
    const marks: Marks[] = [];
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
 * A list, set or tuple with its elements in reverse order; of a set a list.
 *
 * @example
 * reverseListFunc.call([of(list(string), ["a", "b"])])
 * // => cty.ListVal([]cty.Value{cty.StringVal("b"), cty.StringVal("a")})
 *
 * @see go-cty stdlib.ReverseListFunc
 */
export const reverseListFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Turns the order of a list around.",
  params: [{ name: "list", type: dynamic, allowMarked: true }],
  type: ([{ type }]) => {
    if (type.kind === "tuple") return tuple(...type.elements.toReversed());
    if (type.kind === "list" || type.kind === "set") return list(type.element);
    throw argumentError(0, `can only reverse list or tuple values, not ${friendlyName(type)}`);
  },
  refineResult: { notNull: true },
  impl: ([marked], type) => {
    const [sequence, marks] = unmark(marked);
    return withMarks(sequenceOf(type, partsOf(sequence).reverse()), marks);
  },
});

/** A tuple or list of values; an empty list of the type's elements. */
function sequenceOf(type: Type, parts: readonly Value[]): Value {
  if (type.kind === "tuple") return tupleOf(parts);
  return parts.length === 0 ? listOf([], (type as ListType).element) : listOf(parts);
}

/**
 * Every combination of an element of each of some sets: a set of tuples, or a list if none of the arguments is a set.
 *
 * @example
 * length(setProductFunc.call([of(set(string), ["a", "b"]), of(list(number), [1, 2, 3])]))
 * // => cty.NumberIntVal(6)
 *
 * @see go-cty stdlib.SetProductFunc
 */
export const setProductFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Gives every combination of the elements of sets.",
  varParam: {
    name: "sets",
    description: "The sets. They may be lists and tuples; if all are, the result keeps their order.",
    type: dynamic,
    allowMarked: true,
    allowUnknown: true,
  },
  type: (args) => {
    if (args.length < 2) throw callError("at least two arguments are required");
    const combination = tuple(...args.map(({ type }, argument) => productElementType(type, argument)));
    return args.some(({ type }) => type.kind === "set") ? set(combination) : list(combination);
  },
  refineResult: { notNull: true },
  impl: (marked, type) => {
    const marks = marked.map((value) => unmark(value)[1]);
    const args = marked.map((value) => unmark(value)[0]);
    if (!args.every((value) => isKnown(value) && isKnown(length(value)))) return withMarks(unknownProduct(args, type), ...marks);
    const combination = (type as CollectionType).element as TupleType;
    const make: (values: readonly Value[], elementType?: Type) => Value = type.kind === "list" ? listOf : setOf;
    if (args.some((value) => countOf(value) === 0)) return withMarks(make([], combination), ...marks);
    return withMarks(make(combinations(args.map(partsOf), combination)), ...marks);
  },
});

/** Tuples of one part of each side, the last side's changing fastest. */
function combinations(sides: readonly (readonly Value[])[], { elements }: TupleType): Value[] {
  const converted = sides.map((): Value[] => []);
  const partOf = (side: number, at: number): Value =>
    (converted[side]![at] ??= combinable(sides[side]![at]!, elements[side]!, `argVals[${side}][${at}]`));
  const total = sides.reduce((product, side) => product * side.length, 1);
  const rows: Value[] = [];
  const positions = sides.map(() => 0);
  for (let row = 0; row < total; row++) {
    rows.push(tupleOf(positions.map((at, side) => partOf(side, at))));
    for (let side = sides.length - 1; side >= 0; side--) {
      positions[side]!++;
      if (positions[side]! < sides[side]!.length) break;
      positions[side] = 0;
    }
  }
  return rows;
}

/** The types of a tuple's elements can be unified although not every element can be converted. */
function combinable(part: Value, type: Type, name: string): Value {
  if (part.type === type) return part;
  try {
    return convert(part, type);
  } catch (error) {
    if (!(error instanceof CtyError) || error.code !== "CONVERSION") throw error;
    throw callError(`failed to convert ${name} to ${friendlyName(type)}; this is a bug in cty`);
  }
}

function productElementType(type: Type, argument: number): Type {
  if (type.kind === "set" || type.kind === "list") return type.element;
  if (type.kind !== "tuple") throw argumentError(argument, "a set or a list is required");
  if (type.elements.length === 0) return dynamic;
  const unified = unifyUnsafe(type.elements);
  if (unified === undefined) throw argumentError(argument, "all elements must be of the same type");
  return unified.type;
}

/** Bounds above these are not worth keeping. */
const longestSide = 1024;
const largestProduct = 2048;

/** How long a product can be, where an argument's length is not known. */
function unknownProduct(args: readonly Value[], type: Type): Value {
  let most = 1;
  for (const value of args) {
    const side = value.type.kind === "tuple" ? value.type.elements.length : Number(range(value).lengthMax ?? Infinity);
    most *= side;
    if (side > longestSide || most > largestProduct) return unknown(type);
  }
  return refine(unknown(type), most === 0 ? { lengthMin: 0, lengthMax: 0 } : { lengthMin: 1, lengthMax: most });
}

/**
 * The elements of a list or tuple from one position up to, but without, another.
 *
 * @example
 * sliceFunc.call([of(list(string), ["a", "b", "c"]), of(number, 1), of(number, 3)])
 * // => cty.ListVal([]cty.Value{cty.StringVal("b"), cty.StringVal("c")})
 *
 * @see go-cty stdlib.SliceFunc
 */
export const sliceFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Takes a part out of a list, by its first position and the one after its last.",
  params: [
    { name: "list", type: dynamic, allowMarked: true },
    { name: "start_index", type: number },
    { name: "end_index", type: number },
  ],
  type: ([sequence, start, end]) => {
    const { type } = sequence;
    if (type.kind === "set") {
      const advice = "explicitly convert to a list if the ordering of the result is not important";
      throw argumentError(0, `cannot slice a set, because its elements do not have indices; ${advice}`);
    }
    if (type.kind !== "list" && type.kind !== "tuple") throw argumentError(0, "must be a list or tuple value");
    const bounds = sliceBounds(sequence, start, end);
    if (type.kind === "list") return type;
    return bounds === undefined ? dynamic : tuple(...type.elements.slice(...bounds));
  },
  refineResult: { notNull: true },
  impl: ([marked, start, end], type) => {
    const [sequence, marks] = unmark(marked);
    if (type === dynamic) return withMarks(unknown(dynamic), marks);
    return withMarks(sequenceOf(type, partsOf(sequence).slice(...sliceBounds(sequence, start, end)!)), marks);
  },
});

/** The positions, as far as they are known checked; undefined if one is not known. */
function sliceBounds(marked: Value, startValue: Value, endValue: Value): readonly [number, number] | undefined {
  const [sequence] = unmark(marked);
  const count = sequence.type.kind === "tuple" || isKnown(length(sequence)) ? countOf(sequence) : undefined;
  const start = sliceBound(startValue, 1, "start", count);
  const end = sliceBound(endValue, 2, "end", count);
  if (start === undefined || end === undefined) return undefined;
  if (start > end) throw argumentError(1, "start index must not be greater than end index");
  return [Number(start), Number(end)];
}

function sliceBound(value: Value, argument: number, name: string, count: number | undefined): bigint | undefined {
  if (!isKnown(value)) return undefined;
  const position = positionOf(value, `invalid ${name} index`, argument);
  if (position < 0n) throw argumentError(argument, `${name} index must not be less than zero`);
  if (count !== undefined && position > count)
    throw argumentError(argument, `${name} index must not be greater than the length of the list`);
  return position;
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
  description: "Lists the elements of a map in the order of their keys.",
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
 * A map of a list of keys and a list of elements, or an object if the elements are a tuple. Of two elements with one key the
 * later counts.
 *
 * @example
 * zipmapFunc.call([of(list(string), ["a", "b"]), of(list(number), [1, 2])])
 * // => cty.MapVal(map[string]cty.Value{"a":cty.NumberIntVal(1), "b":cty.NumberIntVal(2)})
 *
 * @see go-cty stdlib.ZipmapFunc
 */
export const zipmapFunc: CtyFunction = /* @__PURE__ */ defineFunction({
  description: "Makes a map of a list of keys and a list of values.",
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
    const marks: Marks[] = [keysMarks, valuesMarks];
    if (!isWhollyKnown(keys)) return withMarks(unknown(type), ...marks);
    checkCounts(countOf(keys), countOf(values));
    const parts = partsOf(values);
    const result = new Map<string, Value>();
    for (const [at, markedKey] of partsOf(keys).entries()) {
      const [key, own] = unmark(markedKey);
      result.set(stringOf(key), parts[at]!);
      // Keys cannot carry marks; the map does.
      marks.push(own);
    }
    if (type.kind !== "map") return withMarks(objectOf(result), ...marks);
    return withMarks(result.size === 0 ? mapOf(result, type.element) : mapOf(result), ...marks);
  },
});

function checkCounts(keys: number, values: number): void {
  if (keys !== values) throw callError(`number of keys (${keys}) does not match number of values (${values})`);
}
