// SPDX-License-Identifier: Apache-2.0
import { pathEquals, type Mark, type Path, type Value } from "@tenon/cty";
import { markWithPaths, unmarkDeepWithPaths, type PathMarks } from "@tenon/cty/paths";
import { sensitivePaths, type Block } from "@tenon/schema";
import { SENSITIVE } from "./value-marks.ts";

const sensitive: ReadonlySet<Mark> = new Set([SENSITIVE]);

/** The marks that the schema of an object puts on its attributes. */
export function schemaMarks(block: Block, value: Value): readonly PathMarks[] {
  return sensitivePaths(block, value).map((path) => ({ path, marks: sensitive }));
}

/** Marks of both lists; those of one path are united. */
export function combineMarks(first: readonly PathMarks[], second: readonly PathMarks[]): readonly PathMarks[] {
  if (first.length === 0) return second;
  const combined = [...first];
  for (const one of second) {
    const at = combined.findIndex(({ path }) => pathEquals(path, one.path));
    if (at === -1) combined.push(one);
    else combined[at] = { path: one.path, marks: new Set([...combined[at]!.marks, ...one.marks]) };
  }
  return combined;
}

/** The marks that make the values at some paths sensitive. */
export function sensitiveMarks(paths: readonly Path[]): readonly PathMarks[] {
  return paths.map((path) => ({ path, marks: sensitive }));
}

/** The paths of a value that are sensitive by a list of marks, in the order of the value's parts. */
export function sensitivePathsOf(value: Value, marks: readonly PathMarks[]): readonly Path[] {
  if (marks.length === 0) return [];
  const [, inOrder] = unmarkDeepWithPaths(markWithPaths(value, marks));
  return inOrder.filter((one) => one.marks.has(SENSITIVE)).map(({ path }) => path);
}

/** Whether two objects are sensitive at the same paths. */
export function sameSensitivity(first: readonly Path[], second: readonly Path[]): boolean {
  return first.length === second.length && first.every((path) => second.some((other) => pathEquals(path, other)));
}

/** The value with the marks of a list. */
export function withPathMarks<T extends Value>(value: T, marks: readonly PathMarks[]): T {
  return marks.length === 0 ? value : (markWithPaths(value, marks) as T);
}
