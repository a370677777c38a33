// SPDX-License-Identifier: Apache-2.0
import type { Mark, Value } from "@tenon/cty";
import { markWithPaths, unmarkDeepWithPaths } from "@tenon/cty/paths";
import { createFunctionTable, EPHEMERAL, processEnvironment, SENSITIVE } from "@tenon/engine/functions";
import type { ValueNotation } from "../cty/notation.ts";
import { describedFunction } from "../cty/subject/functions.ts";
import type { Operation, Operations } from "../cty/subject/operation.ts";
import { readValue } from "../cty/subject/read.ts";
import { writeType, writeValue } from "../cty/subject/write.ts";

const byName: ReadonlyMap<string, Mark> = new Map<string, Mark>([
  ["sensitive", SENSITIVE],
  ["ephemeral", EPHEMERAL],
]);
const nameOf: ReadonlyMap<Mark, Mark> = new Map(Array.from(byName, ([name, mark]) => [mark, name]));

/** Replaces the marks of a value that the table contains. */
export function withMarksReplaced(value: Value, table: ReadonlyMap<Mark, Mark>): Value {
  const [plain, places] = unmarkDeepWithPaths(value);
  return markWithPaths(
    plain,
    places.map(({ path, marks }) => ({ path, marks: new Set(Array.from(marks, (mark) => table.get(mark) ?? mark)) })),
  );
}

const read = (args: readonly unknown[]): Value[] => args.map((arg) => withMarksReplaced(readValue(arg as ValueNotation), byName));

/** The engine's functions under the operations of the oracle. Relative paths start from the working directory. */
export const engineFunctionOperations: Operations = Object.fromEntries(
  Array.from(createFunctionTable(processEnvironment()), ([name, called]): [string, Operation][] => [
    [`opentofu.${name}`, (...args) => writeValue(withMarksReplaced(called.call(read(args)), nameOf))],
    [`opentofu.${name}.returnType`, (...args) => writeType(called.returnTypeForValues(read(args)))],
    [`opentofu.${name}.signature`, () => describedFunction(called)],
  ]).flat(),
);
