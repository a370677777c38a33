// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { ValueNotation } from "../notation.ts";
import type { Operation, Operations } from "./operation.ts";
import { readValue } from "./read.ts";
import { writeType, writeValue } from "./write.ts";
import type { CtyFunction } from "@tenon/cty/function";

function isFunction(candidate: unknown): candidate is CtyFunction {
  return typeof candidate === "object" && candidate !== null && "call" in candidate && "returnTypeForValues" in candidate;
}

const read = (args: readonly unknown[]): Value[] => args.map((arg) => readValue(arg as ValueNotation));

/** The exports of the module that are functions over values, by the oracle's names: lower case, with nothing around them. */
export async function functionOperations(): Promise<Operations> {
  const specifier = "@tenon/cty/stdlib";
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(specifier)) as typeof module;
  } catch {
    return {};
  }
  const operations: Record<string, Operation> = {};
  for (const [exported, candidate] of Object.entries(module)) {
    if (!isFunction(candidate)) continue;
    const name = exported.toLowerCase().replace(/func(?:tion)?$/, "");
    operations[`fn.${name}`] = (...args) => writeValue(candidate.call(read(args)));
    operations[`fn.${name}.returnType`] = (...args) => writeType(candidate.returnTypeForValues(read(args)));
  }
  return operations;
}
