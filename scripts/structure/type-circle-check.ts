// SPDX-License-Identifier: Apache-2.0
import type { SourceFile } from "./source-file.ts";

/** An accepted circle of imports, with the reason. */
export interface TypeCircle {
  /** Every file of the circle, as paths below `src`. */
  readonly files: readonly string[];
  /** Why the files must import each other. */
  readonly reason: string;
}

/**
 * Finds the circles of imports between files, type-only imports included: the largest sets of files in which every file
 * reaches every other one. A circle is allowed when its files are exactly those of a listed circle.
 *
 * @returns a sentence for each file of a circle that is not listed, and for each listed circle that does not exist.
 */
export function unlistedCircles(files: readonly SourceFile[], listed: readonly TypeCircle[]): readonly string[] {
  const circles = importCircles(files);
  const keyOf = (paths: readonly string[]): string => paths.toSorted().join("\n");
  const allowed = new Set(listed.map((circle) => keyOf(circle.files)));
  const existing = new Set(circles.map(keyOf));
  return [
    ...circles
      .filter((circle) => !allowed.has(keyOf(circle)))
      .flatMap((circle) => {
        const inCircle = new Set(circle);
        return files
          .filter(({ path }) => inCircle.has(path))
          .map(({ path, imports }) => {
            const targets = new Set(imports.map(({ target }) => target).filter((target) => inCircle.has(target)));
            return `${path} is in a circle of ${circle.length} files: it imports ${[...targets].join(", ")}`;
          });
      }),
    ...listed
      .filter((circle) => !existing.has(keyOf(circle.files)))
      .map((circle) => `the list of circles has one that does not exist: ${circle.files.join(", ")}`),
  ];
}

/** Finds the strongly connected components with more than one file, by Tarjan's algorithm, and the files that import themselves. */
function importCircles(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const targets = new Map(files.map(({ path, imports }) => [path, imports.map(({ target }) => target)]));
  const indexes = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (path: string): number => {
    const index = indexes.size;
    indexes.set(path, index);
    lowest.set(path, index);
    stack.push(path);
    for (const target of targets.get(path) ?? []) {
      if (!targets.has(target)) continue;
      const reached = indexes.has(target) ? (stack.includes(target) ? indexes.get(target)! : index) : visit(target);
      lowest.set(path, Math.min(lowest.get(path)!, reached));
    }
    if (lowest.get(path) === index) {
      const circle = stack.splice(stack.indexOf(path));
      if (circle.length > 1 || targets.get(path)!.includes(path)) circles.push(circle.toSorted());
    }
    return lowest.get(path)!;
  };
  for (const path of targets.keys()) if (!indexes.has(path)) visit(path);
  return circles;
}
