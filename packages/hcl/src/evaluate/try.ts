// SPDX-License-Identifier: Apache-2.0
import { bool, CtyError, dynamic, isWhollyKnown, unknown, type Value } from "@tenon/cty";
import { defineFunction, type CtyFunction } from "@tenon/cty/function";
import { valueOf } from "@tenon/cty/unstable/payload";
import { hasErrors, type Diagnostic } from "../syntax/diagnostic.ts";
import { formatRange } from "../syntax/range.ts";
import { expressionClosureType, nativeOf, type ExpressionClosure } from "./custom-decoding.ts";
import { evaluate, type Evaluation } from "./evaluate.ts";

const evaluations = new WeakMap<ExpressionClosure, Evaluation>();

/** Evaluates an argument once, although a call needs its type and its value: otherwise nested calls would take exponential time. */
function evaluateArgument(argument: Value): Evaluation {
  const closure = nativeOf(argument as Value<typeof expressionClosureType>);
  let evaluation = evaluations.get(closure);
  if (evaluation === undefined) evaluations.set(closure, (evaluation = evaluate(closure.expression, closure.scope)));
  return evaluation;
}

/**
 * `try(expressions...)`: the value of the first expression without errors. If that value is not wholly known, the result is unknown,
 * because another expression may be chosen once it is known.
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
    const { value, diagnostics } = evaluateArgument(closure);
    problems.push(...diagnostics);
    if (hasErrors(diagnostics)) continue;
    return isWhollyKnown(value) ? value : unknown(dynamic);
  }
  const messages = problems.map(({ summary, detail, subject }) => {
    const place = subject === undefined ? "" : ` (at ${formatRange(subject)})`;
    return `- ${summary}${place}\n  ${detail}\n`;
  });
  throw new CtyError(
    "INVALID_VALUE",
    `no expression succeeded:\n${messages.join("")}\nAt least one expression must produce a successful result`,
  );
}

/**
 * `can(expression)`: whether the expression can be evaluated without errors; unknown if its value is not wholly known.
 *
 * @see tryfunc.CanFunc
 */
export const canFunction: CtyFunction = defineFunction({
  description: "Whether an expression can be evaluated without errors.",
  params: [{ name: "expression", type: expressionClosureType }],
  type: bool,
  impl: ([closure]) => {
    const { value, diagnostics } = evaluateArgument(closure);
    if (hasErrors(diagnostics)) return valueOf(bool, false);
    return isWhollyKnown(value) ? valueOf(bool, true) : unknown(bool);
  },
});
