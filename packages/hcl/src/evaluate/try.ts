// SPDX-License-Identifier: Apache-2.0
import { bool, CtyError, dynamic, isWhollyKnown, unknown, type Value } from "@tenon/cty";
import { defineFunction, type CtyFunction } from "@tenon/cty/function";
import { valueOf } from "@tenon/cty/unstable/payload";
import { hasErrors, type Diagnostic } from "../syntax/diagnostic.ts";
import { formatRange } from "../syntax/position.ts";
import { expressionClosureType, nativeOf, type ExpressionClosure } from "./custom-decoding.ts";
import { evaluate, type Evaluation } from "./evaluate.ts";

const known = new WeakMap<ExpressionClosure, Evaluation>();

/** A call asks for the type first and then for the value: evaluated anew for each, nested calls would take twice as long a level. */
function evaluated(argument: Value): Evaluation {
  const closure = nativeOf(argument as Value<typeof expressionClosureType>);
  let evaluation = known.get(closure);
  if (evaluation === undefined) known.set(closure, (evaluation = evaluate(closure.expression, closure.scope)));
  return evaluation;
}

/**
 * `try(expressions...)`: the value of the first expression that has no errors. Where that is not wholly known, nothing about
 * the result is: another expression may turn out to be the one.
 *
 * @see tryfunc.TryFunc
 */
export const tryFunction: CtyFunction = defineFunction({
  description: "The value of the first of several expressions that can be evaluated.",
  varParam: { name: "expressions", type: expressionClosureType },
  type: (args) => firstSuccess(args).type,
  impl: (args) => firstSuccess(args),
});

function firstSuccess(closures: readonly Value[]): Value {
  if (closures.length === 0) throw new CtyError("INVALID_VALUE", "at least one argument is required");
  const problems: Diagnostic[] = [];
  for (const closure of closures) {
    const { value, diagnostics } = evaluated(closure);
    problems.push(...diagnostics);
    if (hasErrors(diagnostics)) continue;
    return isWhollyKnown(value) ? value : unknown(dynamic);
  }
  const told = problems.map(({ summary, detail, subject }) => {
    const place = subject === undefined ? "" : ` (at ${formatRange(subject)})`;
    return `- ${summary}${place}\n  ${detail}\n`;
  });
  throw new CtyError(
    "INVALID_VALUE",
    `no expression succeeded:\n${told.join("")}\nAt least one expression must produce a successful result`,
  );
}

/**
 * `can(expression)`: whether the expression can be evaluated without errors; unknown where its value is not wholly known.
 *
 * @see tryfunc.CanFunc
 */
export const canFunction: CtyFunction = defineFunction({
  description: "Whether an expression can be evaluated without errors.",
  params: [{ name: "expression", type: expressionClosureType }],
  type: bool,
  impl: ([closure]) => {
    const { value, diagnostics } = evaluated(closure);
    if (hasErrors(diagnostics)) return valueOf(bool, false);
    return isWhollyKnown(value) ? valueOf(bool, true) : unknown(bool);
  },
});
