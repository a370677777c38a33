// SPDX-License-Identifier: Apache-2.0
import { childrenOf, mapChildPayloads } from "./children.ts";
import { pathEquals } from "./path.ts";
import type { Path } from "./path-step.ts";
import { containsMark, isMarkedPayload, markedPayload, type Mark, type Payload } from "./payload.ts";
import type { Type } from "./type.ts";
import { valueOf, type Value } from "./value.ts";

/** Marks, and the place in a value they are on. */
export interface PathMarks {
  readonly path: Path;
  readonly marks: ReadonlySet<Mark>;
}

const none: ReadonlySet<Mark> = new Set();

/** The value with the given marks added to those on it. Marks travel through operations to their results. */
export function mark<T extends Type>(value: Value<T>, ...marks: readonly Mark[]): Value<T> {
  return withMarks(value, new Set(marks));
}

/** {@link mark} for sets of marks. */
export function withMarks<T extends Type>(value: Value<T>, ...marks: readonly ReadonlySet<Mark>[]): Value<T> {
  let payload = value.payload;
  for (const some of marks) payload = markedPayload(payload, some);
  return payload === value.payload ? value : valueOf(value.type, payload);
}

/** The marks on the value itself. */
export function marks(value: Value): ReadonlySet<Mark> {
  return isMarkedPayload(value.payload) ? value.payload.marks : none;
}

/** Is the value itself marked, with the given mark if there is one? */
export function isMarked(value: Value, ...mark: readonly [Mark?]): boolean {
  return mark.length === 0 ? isMarkedPayload(value.payload) : marks(value).has(mark[0]);
}

/** Is there a mark on the value or anywhere inside? */
export function containsMarked(value: Value): boolean {
  return containsMark(value.payload);
}

/** Is the given mark on the value or anywhere inside? @see go-cty Value.HasMarkDeep */
export function hasMarkDeep(value: Value, mark: Mark): boolean {
  return containsMark(value.payload) && unmarkDeep(value)[1].has(mark);
}

/** Are the marks on two values the same, whatever is inside? @see go-cty Value.HasSameMarks */
export function hasSameMarks(a: Value, b: Value): boolean {
  const left = marks(a);
  const right = marks(b);
  return left.size === right.size && left.isSubsetOf(right);
}

/** The value without the marks on itself, and these. Marks inside stay. */
export function unmark<T extends Type>(value: Value<T>): readonly [Value<T>, ReadonlySet<Mark>] {
  return isMarkedPayload(value.payload) ? [valueOf(value.type, value.payload.payload), value.payload.marks] : [value, none];
}

/** The value without any marks, and all that were on it or inside. */
export function unmarkDeep<T extends Type>(value: Value<T>): readonly [Value<T>, ReadonlySet<Mark>] {
  if (!containsMark(value.payload)) return [value, none];
  const found = new Set<Mark>();
  return [valueOf(value.type, unmarkPayloadDeep(value.payload, found)), found];
}

/** The payload without any marks; they are added to `found`. */
export function unmarkPayloadDeep(payload: Payload, found: Set<Mark>): Payload {
  if (!isMarkedPayload(payload)) return mapChildPayloads(payload, (child) => unmarkPayloadDeep(child, found));
  for (const mark of payload.marks) found.add(mark);
  return unmarkPayloadDeep(payload.payload, found);
}

/** The value without any marks, and where which were: what {@link markWithPaths} puts back. */
export function unmarkDeepWithPaths<T extends Type>(value: Value<T>): readonly [Value<T>, readonly PathMarks[]] {
  if (!containsMark(value.payload)) return [value, []];
  const found: PathMarks[] = [];
  collectMarks(value.type, value.payload, [], found);
  return [unmarkDeep(value)[0], found];
}

function collectMarks(type: Type, payload: Payload, path: Path, found: PathMarks[]): void {
  if (isMarkedPayload(payload)) {
    found.push({ path, marks: payload.marks });
    collectMarks(type, payload.payload, path, found);
    return;
  }
  if (!containsMark(payload)) return;
  for (const child of childrenOf(type, payload)) collectMarks(child.type, child.payload, [...path, child.step], found);
}

/** The value with marks added at the given paths. A path that leads nowhere adds nothing; of several for one place the first counts. */
export function markWithPaths<T extends Type>(value: Value<T>, places: readonly PathMarks[]): Value<T> {
  if (places.length === 0) return value;
  return valueOf(value.type, markPlaces(value.type, value.payload, [], places));
}

function markPlaces(type: Type, payload: Payload, path: Path, places: readonly PathMarks[]): Payload {
  const below = places.filter((place) => place.path.length > path.length);
  const inner = isMarkedPayload(payload) ? payload.payload : payload;
  let result: Payload = inner;
  if (below.length > 0) {
    const children = [...childrenOf(type, inner)];
    const hoisted = new Set<Mark>();
    result = mapChildPayloads(inner, (child, index) => {
      const { step, type: childType } = children[index]!;
      const reached = below.filter((place) => pathEquals([place.path[path.length]!], [step]));
      if (reached.length === 0) return child;
      const marked = markPlaces(childType, child, [...path, step], reached);
      // A set carries the marks of its elements.
      return type.kind === "set" ? unmarkPayloadDeep(marked, hoisted) : marked;
    });
    result = markedPayload(result, hoisted);
  }
  if (isMarkedPayload(payload)) result = markedPayload(result, payload.marks);
  const here = places.find((place) => place.path.length === path.length);
  return here === undefined ? result : markedPayload(result, here.marks);
}
