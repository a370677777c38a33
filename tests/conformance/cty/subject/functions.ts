// SPDX-License-Identifier: Apache-2.0
import { bool, dynamic, list, map, number, set, string, type Value } from "@tenon/cty";
import { CtyFunction, type Parameter } from "@tenon/cty/function";
import * as stdlib from "@tenon/cty/stdlib";
import type { Json, ValueNotation } from "../notation.ts";
import type { Operation, Operations } from "./operation.ts";
import { readValue } from "./read.ts";
import { writeType, writeValue } from "./write.ts";

/** Conversion functions by their name in the configuration languages. */
const conversions: Readonly<Record<string, CtyFunction>> = {
  tostring: stdlib.makeToFunc(string),
  tonumber: stdlib.makeToFunc(number),
  tobool: stdlib.makeToFunc(bool),
  tolist: stdlib.makeToFunc(list(dynamic)),
  toset: stdlib.makeToFunc(set(dynamic)),
  tomap: stdlib.makeToFunc(map(dynamic)),
};

/** Every exported function by the oracle's name: lower case, without the suffix `Func`. */
function byName(): ReadonlyMap<string, CtyFunction> {
  const exported = Object.entries(stdlib).flatMap(([name, candidate]) =>
    candidate instanceof CtyFunction ? [[name.toLowerCase().replace(/func$/, ""), candidate] as const] : [],
  );
  return new Map([...exported, ...Object.entries(conversions)]);
}

/** A parameter in the oracle's notation. */
const described = ({ name, type, allowNull, allowUnknown, allowDynamicType, allowMarked }: Parameter): Json => ({
  name,
  t: writeType(type),
  null: allowNull ?? false,
  unknown: allowUnknown ?? false,
  dynamic: allowDynamicType ?? false,
  marked: allowMarked ?? false,
});

/** Parameters of a function in the oracle's notation. */
export function describedFunction({ params, varParam }: CtyFunction): Json {
  return { params: params.map(described), ...(varParam === undefined ? {} : { rest: described(varParam) }) };
}

const read = (args: readonly unknown[]): Value[] => args.map((arg) => readValue(arg as ValueNotation));

export const functionOperations: Operations = Object.fromEntries(
  [...byName()].flatMap(([name, called]): [string, Operation][] => [
    [`fn.${name}`, (...args) => writeValue(called.call(read(args)))],
    [`fn.${name}.returnType`, (...args) => writeType(called.returnTypeForValues(read(args)))],
    [`fn.${name}.signature`, () => describedFunction(called)],
  ]),
);
