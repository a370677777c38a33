// SPDX-License-Identifier: Apache-2.0
import { isArray, isObject, type Json } from "./json.ts";

/** A step of a path: the name of an attribute or key, or the index of an element. */
export type PathStep = string | number;

/** A path in a value: `"title"` or `["pages", 0, "text"]`. */
export type ValuePath = PathStep | readonly PathStep[];

/** The steps of a path. */
export function stepsOf(path: ValuePath): readonly PathStep[] {
  return typeof path === "object" ? path : [path];
}

/** Formats a path as in an expression: `pages[0].text`. */
export function formatPath(path: ValuePath): string {
  return stepsOf(path)
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[\p{ID_Start}_][\p{ID_Continue}-]*$/u.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join("");
}

/** The value at a path; undefined if there is none. */
export function valueAt(value: Json | undefined, path: ValuePath): Json | undefined {
  let current = value;
  for (const step of stepsOf(path)) {
    if (typeof step === "number") current = isArray(current) ? current[step] : undefined;
    else current = isObject(current) && Object.hasOwn(current, step) ? current[step] : undefined;
  }
  return current;
}

/**
 * Whether a tree of marks (`after_unknown`, `sensitive_values`) marks the value at a path, or a value that contains it. The tree has `true` in the
 * place of a marked value.
 */
export function isMarked(marks: Json | undefined, path: ValuePath): boolean {
  let current = marks;
  for (const step of stepsOf(path)) {
    if (current === true) return true;
    current = valueAt(current, step);
  }
  return current === true;
}

/** Whether a tree of marks has a mark. */
export function containsMark(marks: Json | undefined): boolean {
  if (marks === true) return true;
  if (isArray(marks)) return marks.some(containsMark);
  return isObject(marks) && Object.values(marks).some(containsMark);
}
