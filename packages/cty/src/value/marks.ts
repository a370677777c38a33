// SPDX-License-Identifier: Apache-2.0
import { mapChildPayloads } from "./children.ts";
import { sameMarks, containsMark, isMarkedPayload, markedPayload, type Mark, type Payload } from "../payload/payload.ts";
import type { Type } from "../model/type.ts";
import { valueOf } from "./value.ts";
import type { Value } from "../model/value.ts";

const none: ReadonlySet<Mark> = new Set();

/** Returns the value with the given marks added. Operations copy the marks of their operands to their results. */
export function mark<T extends Type>(value: Value<T>, ...marks: readonly Mark[]): Value<T> {
  return withMarks(value, new Set(marks));
}

/** Returns the value with the marks of the given sets added. */
export function withMarks<T extends Type>(value: Value<T>, ...marks: readonly ReadonlySet<Mark>[]): Value<T> {
  let payload = value.payload;
  for (const some of marks) payload = markedPayload(payload, some);
  return payload === value.payload ? value : valueOf(value.type, payload);
}

/** Returns the marks on the value itself. */
export function marks(value: Value): ReadonlySet<Mark> {
  return isMarkedPayload(value.payload) ? value.payload.marks : none;
}

/** Whether the value itself is marked, with the given mark if one is given. */
export function isMarked(value: Value, ...mark: readonly [Mark?]): boolean {
  return mark.length === 0 ? isMarkedPayload(value.payload) : marks(value).has(mark[0]);
}

/** Whether there is a mark on the value or anywhere inside. */
export function containsMarked(value: Value): boolean {
  return containsMark(value.payload);
}

/** Whether the given mark is on the value or anywhere inside. @see go-cty Value.HasMarkDeep */
export function hasMarkDeep(value: Value, mark: Mark): boolean {
  return unmarkDeep(value)[1].has(mark);
}

/** Whether two values themselves have the same marks. Marks inside are ignored. @see go-cty Value.HasSameMarks */
export function hasSameMarks(a: Value, b: Value): boolean {
  return sameMarks(marks(a), marks(b));
}

/** Returns the value without its own marks, and those marks. Marks inside are kept. */
export function unmark<T extends Type>(value: Value<T>): readonly [Value<T>, ReadonlySet<Mark>] {
  return isMarkedPayload(value.payload) ? [valueOf(value.type, value.payload.payload), value.payload.marks] : [value, none];
}

/** Returns the value without any marks, and all marks that were on it or inside. */
export function unmarkDeep<T extends Type>(value: Value<T>): readonly [Value<T>, ReadonlySet<Mark>] {
  if (!containsMark(value.payload)) return [value, none];
  const found = new Set<Mark>();
  return [valueOf(value.type, unmarkPayloadDeep(value.payload, found)), found];
}

/** Returns the payload without any marks, and adds the marks to `found`. */
export function unmarkPayloadDeep(payload: Payload, found: Set<Mark>): Payload {
  if (!isMarkedPayload(payload)) return mapChildPayloads(payload, (child) => unmarkPayloadDeep(child, found));
  for (const mark of payload.marks) found.add(mark);
  return unmarkPayloadDeep(payload.payload, found);
}
