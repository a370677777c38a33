// SPDX-License-Identifier: Apache-2.0
import { childrenOf, mapChildPayloads } from "../value/children.ts";
import type { Path } from "../model/path.ts";
import { containsMark, isMarkedPayload, markedPayload, type Mark, type Payload } from "../payload/payload.ts";
import type { Type } from "../model/type.ts";
import { valueOf } from "../value/value.ts";
import type { Value } from "../model/value.ts";

/**
 * The action for a mark: keep it, drop it, also put it on the outermost value, or replace it by another mark.
 *
 * @see go-cty ctymarks.WrangleAction
 */
export type MarkAction = "keep" | "drop" | "expand" | { readonly replace: Mark };

/** Returns the action for a mark on the value at `path`; undefined leaves the decision to the next wrangler. */
export type MarkWrangler = (mark: Mark, path: Path) => MarkAction | undefined;

/**
 * Applies an action to each mark on the value and inside it: the first action that a wrangler returns. Marks without an action stay.
 * Parts whose marks do not change are shared with the original.
 *
 * @throws the first error that a wrangler throws. go-cty continues and collects the errors.
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

/** The marks after their actions; the same set if nothing changes. */
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
