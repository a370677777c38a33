// SPDX-License-Identifier: Apache-2.0
import {
  containsMarked,
  CtyError,
  equals,
  get,
  goString,
  isKnown,
  isNull,
  isWhollyKnown,
  listOf,
  mapOf,
  marks,
  objectOf,
  pathEquals,
  pathHasPrefix,
  range,
  rangeIncludes,
  refine,
  same,
  setOf,
  tupleOf,
  unmark,
  unmarkDeep,
  withMarks,
  type Value,
} from "@tenon/cty";
import { hasWhollyKnownType } from "@tenon/cty/operators";
import { hash, canIterateElements, lengthInt } from "@tenon/cty/operators";
import { elements } from "@tenon/cty/operators";
import { hasElement, hasIndex, index, length } from "@tenon/cty/operators";
import {
  absolute,
  add,
  and,
  divide,
  greaterThan,
  greaterThanOrEqual,
  lessThan,
  lessThanOrEqual,
  modulo,
  multiply,
  negate,
  not,
  notEquals,
  or,
  subtract,
} from "@tenon/cty/operators";
import { applyPath, markWithPaths, PathSet, transform, unknownAsNull, unmarkDeepWithPaths, walk } from "@tenon/cty/paths";
import { normalizeString } from "@tenon/cty/unstable/payload";
import type { Json, PathNotation, ValueNotation } from "../notation.ts";
import { query, binary, unary, type Operations } from "./operation.ts";
import { readPath, readPathMarks, readRefinements, readValue } from "./read.ts";
import { writeMarks, writePath, writeRefinement, writeType, writeValue } from "./write.ts";

const values = (all: Json): Value[] => (all as readonly ValueNotation[]).map(readValue);
const named = (all: Json): Map<string, Value> =>
  new Map((all as readonly (readonly [string, ValueNotation])[]).map(([name, value]) => [normalizeString(name), readValue(value)]));
const paths = (all: Json): PathSet => new PathSet((all as readonly PathNotation[]).map(readPath));
const listed = (set: PathSet): Json => Array.from(set, writePath);

/** Rejects a collection without elements as go-cty does, which cannot infer its type; @tenon/cty takes the type as an argument. */
function someValues(all: Json, kind: string): Value[] {
  const read = values(all);
  if (read.length === 0) throw new CtyError("MISUSE", `must not call ${kind} with empty slice`);
  return read;
}

function visits(value: Value): Json {
  const all: Json[] = [];
  walk(value, (path, part) => {
    all.push([writePath(path), writeValue(part)]);
  });
  return all;
}

function rangeOf(value: Value): Json {
  const valueRange = range(value);
  return {
    t: writeType(valueRange.type),
    couldBeNull: !valueRange.notNull,
    notNull: valueRange.notNull === true,
    r: writeRefinement(valueRange),
  };
}

const included = new Map<boolean | undefined, Json>([
  [true, true],
  [false, false],
  [undefined, { $: "unknown", r: { null: false } }],
]);

export const valueOperations: Operations = {
  "value.self": unary((value) => value),
  "value.neg": unary(negate),
  "value.abs": unary(absolute),
  "value.not": unary(not),
  "value.length": unary(length),
  "value.lengthInt": query(lengthInt),
  "value.canIterate": query(canIterateElements),
  "value.unknownAsNull": unary(unknownAsNull),
  "value.refineNotNull": unary((value) => refine(value, { notNull: true })),
  "value.equals": binary(equals),
  "value.notEqual": binary(notEquals),
  "value.add": binary(add),
  "value.sub": binary(subtract),
  "value.mul": binary(multiply),
  "value.div": binary(divide),
  "value.mod": binary(modulo),
  "value.lt": binary(lessThan),
  "value.gt": binary(greaterThan),
  "value.lte": binary(lessThanOrEqual),
  "value.gte": binary(greaterThanOrEqual),
  "value.and": binary(and),
  "value.or": binary(or),
  "value.index": binary(index),
  "value.hasIndex": binary(hasIndex),
  "value.hasElement": binary(hasElement),
  "value.rawEquals": (a, b) => same(readValue(a as ValueNotation), readValue(b as ValueNotation)),
  "value.getAttr": (value, name) => writeValue(get(readValue(value as ValueNotation), name as never)),
  "value.gostring": query(goString),
  "value.hash": query(hash),
  "value.isKnown": query(isKnown),
  "value.isNull": query(isNull),
  "value.isWhollyKnown": query(isWhollyKnown),
  "value.hasWhollyKnownType": query(hasWhollyKnownType),
  "value.elements": query((value) => elements(value).map((pair) => pair.map(writeValue))),
  "value.range": query(rangeOf),
  "value.includes": (value, other) => {
    const answer = rangeIncludes(range(readValue(value as ValueNotation)), readValue(other as ValueNotation));
    return { t: "bool", v: included.get(answer)! };
  },
  "value.refine": (value, promises) => writeValue(refine(readValue(value as ValueNotation), readRefinements(promises!))),
  "value.list": (all) => writeValue(listOf(someValues(all!, "ListVal"))),
  "value.set": (all) => writeValue(setOf(someValues(all!, "SetVal"))),
  "value.tuple": (all) => writeValue(tupleOf(values(all!))),
  "value.map": (all) => {
    someValues(
      (all as readonly (readonly [string, ValueNotation])[]).map(([, value]) => value),
      "MapVal",
    );
    return writeValue(mapOf(named(all!)));
  },
  "value.object": (all) => writeValue(objectOf(named(all!))),
  walk: query(visits),
  "transform.identity": unary((value) => transform(value, (_, part) => part)),
  "marks.mark": (value, names) => writeValue(withMarks(readValue(value as ValueNotation), new Set(names as readonly string[]))),
  "marks.marks": query((value) => writeMarks(marks(value))),
  "marks.containsMarked": query(containsMarked),
  "marks.unmark": query((value) => {
    const [plain, found] = unmark(value);
    return [writeValue(plain), writeMarks(found)];
  }),
  "marks.unmarkDeep": query((value) => {
    const [plain, found] = unmarkDeep(value);
    return [writeValue(plain), writeMarks(found)];
  }),
  "marks.unmarkDeepWithPaths": query((value) => {
    const [plain, found] = unmarkDeepWithPaths(value);
    const places = found.map((place) => JSON.stringify([writePath(place.path), writeMarks(place.marks)]));
    return [writeValue(plain), places.sort().map((text) => JSON.parse(text) as Json)];
  }),
  "marks.markWithPaths": (value, places) => writeValue(markWithPaths(readValue(value as ValueNotation), readPathMarks(places!))),
  "path.apply": (value, path) => writeValue(applyPath(readPath(path as PathNotation), readValue(value as ValueNotation))),
  "path.equals": (a, b) => pathEquals(readPath(a as PathNotation), readPath(b as PathNotation)),
  "path.hasPrefix": (a, b) => pathHasPrefix(readPath(a as PathNotation), readPath(b as PathNotation)),
  "pathset.list": (all) => listed(paths(all!)),
  "pathset.union": (a, b) => listed(paths(a!).union(paths(b!))),
  "pathset.intersection": (a, b) => listed(paths(a!).intersection(paths(b!))),
  "pathset.subtract": (a, b) => listed(paths(a!).difference(paths(b!))),
  "pathset.symmetricDifference": (a, b) => listed(paths(a!).symmetricDifference(paths(b!))),
};
