// SPDX-License-Identifier: Apache-2.0
import type { SourceFile } from "./source-file.ts";

/**
 * Finds the exported names that have no docstring. One declaration of a name with a docstring is enough: the first of several
 * overloads, or the interface that shares its name with a function.
 */
export function namesWithoutDocstring(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, exports }) =>
    exports.filter(({ documented }) => !documented).map(({ name, line }) => `${path}:${line} exports ${name} without a docstring`),
  );
}

/** Counts the members of exported interfaces and object types, and those of them that have a docstring. */
export function countMembers(files: readonly SourceFile[]): { readonly total: number; readonly documented: number } {
  let total = 0;
  let documented = 0;
  for (const { members } of files.flatMap(({ exports }) => exports)) {
    total += members.total;
    documented += members.documented;
  }
  return { total, documented };
}
