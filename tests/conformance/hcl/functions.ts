// SPDX-License-Identifier: Apache-2.0
// The functions that a scope of the oracle can contain (../../peers/hcl-oracle/op_evaluate.go).
import { bool, dynamic, list, map, number, of, set, string, toJs, tupleOf, type Value } from "@tenon/cty";
import { argumentError, CtyFunction, defineFunction, type Parameter } from "@tenon/cty/function";
import * as stdlib from "@tenon/cty/stdlib";
import { formatRange, hasErrors } from "@tenon/hcl";
import { keywordOf } from "@tenon/hcl/analysis";
import { canFunction, createScope, evaluate, expressionClosureType, expressionType, nativeOf, tryFunction } from "@tenon/hcl/evaluate";
import { convertFunction } from "@tenon/hcl/type-expression";

const named = new Map<string, CtyFunction>(
  Object.entries(stdlib).flatMap(([name, candidate]) =>
    candidate instanceof CtyFunction ? [[name.toLowerCase().replace(/func$/, ""), candidate] as const] : [],
  ),
);

const index: Parameter = { name: "index", type: number };

/** A function that rejects the argument at the given index; the call may have fewer arguments. */
function makeBlame(more: { readonly varParam?: Parameter }): CtyFunction {
  return defineFunction({
    params: [index],
    ...more,
    type: string,
    impl: ([at]) => {
      throw argumentError(Math.trunc(Number(toJs(at))), "blamed for trying");
    },
  });
}

/** Returns the keyword that the argument consists of, and its source range. */
const wordOf = defineFunction({
  params: [{ name: "word", type: expressionType }],
  type: string,
  impl: ([word]) => {
    const expression = nativeOf(word as Value<typeof expressionType>);
    return of(string, `${JSON.stringify(keywordOf(expression) ?? "")} at ${formatRange(expression.range)}`);
  },
});

/** Evaluates its arguments itself, in a scope with one additional variable. */
const valuesOf = defineFunction({
  params: [{ name: "extra", type: dynamic, allowUnknown: true, allowNull: true, allowDynamicType: true }],
  varParam: { name: "closures", type: expressionClosureType },
  type: dynamic,
  impl: ([extra, ...closures]) =>
    tupleOf(
      closures.map((one, index) => {
        const { expression, scope } = nativeOf(one as Value<typeof expressionClosureType>);
        const { value, diagnostics } = evaluate(expression, createScope({ variables: { extra: extra! } }, scope));
        if (hasErrors(diagnostics)) throw argumentError(index + 1, diagnostics[0]!.detail);
        return value;
      }),
    ),
});

export const languageFunctions: ReadonlyMap<string, CtyFunction> = new Map([
  // The notation has no capsules.
  ...[...named].filter(([name]) => !name.startsWith("bytes")),
  ["tostring", stdlib.makeToFunc(string)],
  ["tonumber", stdlib.makeToFunc(number)],
  ["tobool", stdlib.makeToFunc(bool)],
  ["tolist", stdlib.makeToFunc(list(dynamic))],
  ["toset", stdlib.makeToFunc(set(dynamic))],
  ["tomap", stdlib.makeToFunc(map(dynamic))],
  ["try", tryFunction],
  ["can", canFunction],
  ["convert", convertFunction],
  ["core::upper", stdlib.upperFunc],
  ["core::lower", stdlib.lowerFunc],
  ["provider::test::join", stdlib.joinFunc],
  ["provider::test::length", stdlib.lengthFunc],
  ["wordof", wordOf],
  ["valueof", valuesOf],
  ["blame", makeBlame({})],
  ["blamerest", makeBlame({ varParam: { name: "rest", type: dynamic } })],
] as const);
