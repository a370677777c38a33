// SPDX-License-Identifier: Apache-2.0
import { childrenOf, mapChildPayloads } from "../children.ts";
import { unmarkDeep, unmarkPayloadDeep } from "../marks.ts";
import { pathEquals } from "../path.ts";
import type { Path } from "../path-step.ts";
import { containsMark, isMarkedPayload, markedPayload, type Mark, type Payload } from "../payload.ts";
import type { Type } from "../type.ts";
import { valueOf, type Value } from "../value.ts";

/** Marks, and the place in a value they are on. */
export interface PathMarks {
  readonly path: Path;
  readonly marks: ReadonlySet<Mark>;
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
