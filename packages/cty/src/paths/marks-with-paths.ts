// SPDX-License-Identifier: Apache-2.0
import { childrenOf, mapChildPayloads } from "../value/children.ts";
import { unmarkDeep, unmarkPayloadDeep } from "../value/marks.ts";
import { pathEquals } from "../equality/path.ts";
import type { Path } from "../model/path.ts";
import { containsMark, isMarkedPayload, markedPayload, type Mark, type Payload } from "../payload/payload.ts";
import type { Type } from "../model/type.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";

/** Marks, and the path of the marked value. */
export interface PathMarks {
  readonly path: Path;
  readonly marks: ReadonlySet<Mark>;
}

/** Removes all marks, and returns them with their paths for {@link markWithPaths}, which restores them. */
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

/** Adds marks at the given paths. Paths that the value does not have are ignored. If a path is given twice, its first marks are used. */
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
      // Marks of a set's elements are moved to the set.
      return type.kind === "set" ? unmarkPayloadDeep(marked, hoisted) : marked;
    });
    result = markedPayload(result, hoisted);
  }
  if (isMarkedPayload(payload)) result = markedPayload(result, payload.marks);
  const here = places.find((place) => place.path.length === path.length);
  return here === undefined ? result : markedPayload(result, here.marks);
}
