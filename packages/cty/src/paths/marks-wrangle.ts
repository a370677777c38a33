// SPDX-License-Identifier: Apache-2.0
import { childrenOf, mapChildPayloads } from "../children.ts";
import type { Path } from "../path-step.ts";
import { containsMark, isMarkedPayload, markedPayload, type Mark, type Payload } from "../payload.ts";
import type { Type } from "../type.ts";
import { valueOf, type Value } from "../value.ts";

/**
 * What becomes of a mark at its place: it stays, goes, moves to the outermost value, or becomes another.
 *
 * @see go-cty ctymarks.WrangleAction
 */
export type MarkAction = "keep" | "drop" | "expand" | { readonly replace: Mark };

/** Decides about a mark on the value that `path` leads to; undefined leaves it to the next one asked. */
export type MarkWrangler = (mark: Mark, path: Path) => MarkAction | undefined;

/**
 * The value with each mark on it and inside treated as the first of the wranglers says that has an opinion; marks that none
 * has one about stay. Parts whose marks do not change are shared with the original.
 *
 * @throws what a wrangler throws; go-cty goes on and collects errors.
 * @see go-cty Value.WrangleMarksDeep
 *
 * @example
 * wrangleMarks(mark(of(string, "a"), "x", "y"), (each) => (each === "x" ? "drop" : undefined))
 * // => cty.StringVal("a").Mark("y")
 */
export function wrangleMarks<T extends Type>(value: Value<T>, ...wranglers: readonly MarkWrangler[]): Value<T> {
  const expanded = new Set<Mark>();
  const payload = markedPayload(wrangled(value.type, value.payload, [], wranglers, expanded), expanded);
  return payload === value.payload ? value : valueOf(value.type, payload);
}

function wrangled(type: Type, payload: Payload, path: Path, wranglers: readonly MarkWrangler[], expanded: Set<Mark>): Payload {
  if (!containsMark(payload)) return payload;
  const plain = isMarkedPayload(payload) ? payload.payload : payload;
  const marks = isMarkedPayload(payload) ? wrangledMarks(payload.marks, path, wranglers, expanded) : new Set<Mark>();
  const inside = wrangledInside(type, plain, path, wranglers, expanded);
  if (isMarkedPayload(payload) && inside === plain && marks === payload.marks) return payload;
  return markedPayload(inside, marks);
}

function wrangledInside(type: Type, payload: Payload, path: Path, wranglers: readonly MarkWrangler[], expanded: Set<Mark>): Payload {
  if (!containsMark(payload)) return payload;
  const children = [...childrenOf(type, payload)];
  return mapChildPayloads(payload, (child, index) => {
    const { step, type: childType } = children[index]!;
    return wrangled(childType, child, [...path, step], wranglers, expanded);
  });
}

/** The same set if nothing changes. */
function wrangledMarks(marks: ReadonlySet<Mark>, path: Path, wranglers: readonly MarkWrangler[], expanded: Set<Mark>): ReadonlySet<Mark> {
  const result = new Set(marks);
  let changed = false;
  for (const mark of marks) {
    const action = actionFor(mark, path, wranglers);
    if (action === "expand") expanded.add(mark);
    if (action === "drop" || typeof action === "object") {
      result.delete(mark);
      changed = true;
    }
    if (typeof action === "object") result.add(action.replace);
  }
  return changed ? result : marks;
}

function actionFor(mark: Mark, path: Path, wranglers: readonly MarkWrangler[]): MarkAction | undefined {
  for (const wrangler of wranglers) {
    const action = wrangler(mark, path);
    if (action !== undefined) return action;
  }
  return undefined;
}
