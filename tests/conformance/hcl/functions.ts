// SPDX-License-Identifier: Apache-2.0
// The functions that the oracle's scopes can have (../../peers/hcl-oracle/op_evaluate.go).
import { bool, dynamic, list, map, number, of, set, string, toJs, tupleOf, type Value } from "@tenon/cty";
import { argumentError, CtyFunction, defineFunction, type Parameter } from "@tenon/cty/function";
import * as stdlib from "@tenon/cty/stdlib";
import {
  canFunction,
  convertFunction,
  createScope,
  evaluate,
  expressionClosureType,
  expressionType,
  formatRange,
  hasErrors,
  keywordOf,
  nativeOf,
  tryFunction,
} from "@tenon/hcl";

const named = new Map<string, CtyFunction>(
  Object.entries(stdlib).flatMap(([name, candidate]) =>
    candidate instanceof CtyFunction ? [[name.toLowerCase().replace(/func$/, ""), candidate] as const] : [],
  ),
);

const index: Parameter = { name: "index", type: number };

/** Refuses an argument, which may not even be there. */
function blaming(more: { readonly varParam?: Parameter }): CtyFunction {
  return defineFunction({
    params: [index],
    ...more,
    type: string,
    impl: ([at]) => {
      throw argumentError(Math.trunc(Number(toJs(at))), "blamed for trying");
    },
  });
}

/** Tells the keyword that an argument is, and where it stands. */
const wordOf = defineFunction({
  params: [{ name: "word", type: expressionType }],
  type: string,
  impl: ([word]) => {
    const expression = nativeOf(word as Value<typeof expressionType>);
    return of(string, `${JSON.stringify(keywordOf(expression) ?? "")} at ${formatRange(expression.range)}`);
  },
});

/** Evaluates arguments itself, with one more variable in their scope. */
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
  // Capsules are not in the notation.
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
  ["blame", blaming({})],
  ["blamerest", blaming({ varParam: { name: "rest", type: dynamic } })],
] as const);
