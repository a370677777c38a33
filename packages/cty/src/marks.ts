// SPDX-License-Identifier: Apache-2.0
import { mapChildPayloads } from "./children.ts";
import { sameMarks } from "./equality.ts";
import { containsMark, isMarkedPayload, markedPayload, type Mark, type Payload } from "./payload.ts";
import type { Type } from "./type.ts";
import { valueOf, type Value } from "./value.ts";

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
  return unmarkDeep(value)[1].has(mark);
}

/** Are the marks on two values the same, whatever is inside? @see go-cty Value.HasSameMarks */
export function hasSameMarks(a: Value, b: Value): boolean {
  return sameMarks(marks(a), marks(b));
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
