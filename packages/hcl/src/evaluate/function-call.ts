// SPDX-License-Identifier: Apache-2.0
import { CtyError, isKnown, isNull, unknown, unmark, withMarks, type Value } from "@tenon/cty";
import { elements } from "@tenon/cty/operators";
import { convert } from "@tenon/cty/convert";
import { FunctionError, type CtyFunction, type Parameter } from "@tenon/cty/function";
import { goQuote as quote } from "@tenon/cty/unstable/payload";
import type { Diagnostic, DiagnosticExtra } from "../syntax/diagnostic.ts";
import type { FunctionCallExpression, NativeExpression } from "../syntax/expression.ts";
import type { SourceRange } from "../syntax/position.ts";
import { didYouMean, nearestName } from "../syntax/suggestion.ts";
import { customDecoderOf } from "./custom-decoding.ts";
import { unknownOfAnyType, evaluationError, failedSince, type Evaluator } from "./evaluator.ts";
import type { Scope } from "../syntax/scope.ts";
import { startRange } from "../syntax/start-range.ts";

/** A call that is being evaluated. */
interface Call {
  readonly evaluator: Evaluator;
  readonly expression: FunctionCallExpression;
  readonly scope: Scope | undefined;
}

/** Evaluates `name(arguments)`. */
export function functionCallValue(evaluator: Evaluator, expression: FunctionCallExpression, scope: Scope | undefined): Value {
  const found = findFunction(expression, scope);
  if (!("call" in found)) {
    evaluator.diagnostics.push(found);
    return unknownOfAnyType;
  }
  const call: Call = { evaluator, expression, scope };
  const start = evaluator.diagnostics.length;
  const args = expression.expandFinal ? expandedArguments(call) : expression.arguments;
  if (args === undefined || !isCountRight(call, found, args, start)) return unknownOfAnyType;
  const values = args.map((argument, index) => argumentValue(call, argument, found.params[index] ?? found.varParam!));
  if (failedSince(evaluator, start)) return unknownOfAnyType;
  try {
    return found.call(values);
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    evaluator.diagnostics.push(callFailure(call, found, args, error));
    return unknownOfAnyType;
  }
}

function findFunction(expression: FunctionCallExpression, scope: Scope | undefined): CtyFunction | Diagnostic {
  let anyTable = false;
  for (let at = scope; at !== undefined; at = at.parent) {
    if (at.functions === undefined) continue;
    anyTable = true;
    const found = at.functions.get(expression.name);
    if (found !== undefined) return found;
  }
  if (anyTable) return unknownFunction(expression, scope);
  const at = { subject: expression.range };
  return evaluationError("Function calls not allowed", "Functions may not be called here.", at, expression, scope);
}

/** Error about an unknown function. As in the Go library, suggestions come from the innermost scope only. */
function unknownFunction(expression: FunctionCallExpression, scope: Scope | undefined): Diagnostic {
  const available = [...(scope?.functions?.keys() ?? [])];
  const end = expression.name.lastIndexOf("::");
  const namespace = end < 0 ? "" : expression.name.slice(0, end + 2);
  const name = expression.name.slice(namespace.length);
  const about = (detail: string): Diagnostic => {
    const at = { subject: expression.nameRange, context: expression.range };
    return evaluationError("Call to unknown function", detail, at, expression, scope, { kind: "unknownFunction", name, namespace });
  };
  if (namespace === "") return about(`There is no function named ${quote(name)}.${didYouMean(nearestName(name, available))}`);
  // The Go library compares with names including their namespaces, which are always too different for a suggestion.
  return available.some((candidate) => candidate.startsWith(namespace))
    ? about(`There is no function named ${quote(name)} in namespace ${namespace}.`)
    : about(`There are no functions in namespace ${quote(namespace)}.`);
}

function problem(
  { expression, scope }: Call,
  summary: string,
  detail: string,
  subject: SourceRange,
  about: NativeExpression,
  error?: CtyError,
): Diagnostic {
  const extra: DiagnosticExtra = { kind: "functionCall", name: expression.name, ...(error === undefined ? {} : { error }) };
  return evaluationError(summary, detail, { subject, context: expression.range }, about, scope, extra);
}

/** The arguments with the last one expanded into its elements; undefined if it is invalid or unknown. */
function expandedArguments(call: Call): readonly NativeExpression[] | undefined {
  const { evaluator, expression, scope } = call;
  const last = expression.arguments.at(-1)!;
  const start = evaluator.diagnostics.length;
  const given = evaluator.value(last, scope);
  if (failedSince(evaluator, start)) return undefined;
  const { kind } = given.type;
  const isSequence = kind === "tuple" || kind === "list" || kind === "set";
  const refuse = (detail: string): undefined => {
    evaluator.diagnostics.push(problem(call, "Invalid expanding argument value", detail, last.range, last));
  };
  if (!isSequence && kind !== "dynamic") return refuse("The expanding argument (indicated by ...) must be of a tuple, list, or set type.");
  if (isNull(given)) return refuse("The expanding argument (indicated by ...) must not be null.");
  if (!isKnown(given)) return undefined;
  const [sequence, marks] = unmark(given);
  const expanded = elements(sequence).map(([, element]): NativeExpression => ({
    kind: "literal",
    value: withMarks(element, marks),
    range: last.range,
  }));
  return [...expression.arguments.slice(0, -1), ...expanded];
}

function isCountRight(call: Call, { params, varParam }: CtyFunction, args: readonly NativeExpression[], start: number): boolean {
  const { evaluator, expression } = call;
  const report = (summary: string, detail: string, subject: SourceRange): false => {
    // Diagnostics of the arguments are dropped.
    evaluator.diagnostics.splice(start, Infinity, problem(call, summary, detail, subject, expression));
    return false;
  };
  const named = `Function ${quote(expression.name)} expects`;
  const missing = params[args.length];
  if (missing !== undefined) {
    const atLeast = varParam === undefined ? "" : " at least";
    const detail = `${named}${atLeast} ${params.length} argument(s). Missing value for ${quote(missing.name)}.`;
    return report("Not enough function arguments", detail, expression.closeRange);
  }
  const surplus = varParam === undefined ? args[params.length] : undefined;
  if (surplus === undefined) return true;
  return report("Too many function arguments", `${named} only ${params.length} argument(s).`, startRange(surplus));
}

function argumentValue(call: Call, argument: NativeExpression, parameter: Parameter): Value {
  const { evaluator, scope } = call;
  const decoder = customDecoderOf(parameter.type);
  if (decoder !== undefined) {
    const { value, diagnostics } = decoder(argument, scope);
    evaluator.diagnostics.push(...diagnostics);
    return value ?? unknown(parameter.type);
  }
  const given = evaluator.value(argument, scope);
  if (given.type === parameter.type) return given;
  try {
    return convert(given, parameter.type);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    evaluator.diagnostics.push(argumentProblem(call, argument, parameter, error.message));
    return unknownOfAnyType;
  }
}

function argumentProblem(call: Call, argument: NativeExpression, { name }: Parameter, why: string, error?: CtyError): Diagnostic {
  const detail = `Invalid value for ${quote(name)} parameter: ${why}.`;
  return problem(call, "Invalid function argument", detail, startRange(argument), argument, error);
}

/** Diagnostic of an error that a function threw, about the argument the error names, if any. */
function callFailure(call: Call, { params, varParam }: CtyFunction, args: readonly NativeExpression[], error: FunctionError): Diagnostic {
  const { expression, scope } = call;
  const at = error.argument;
  const parameter = at === undefined ? undefined : (params[at] ?? varParam);
  const argument = at === undefined ? undefined : args[at];
  if (parameter !== undefined && argument !== undefined) return argumentProblem(call, argument, parameter, error.message, error);
  if (parameter !== undefined) {
    // The error names an argument that was not given.
    const detail = `Invalid value for ${quote(parameter.name)} parameter: ${error.message}.`;
    const extra: DiagnosticExtra = { kind: "functionCall", name: expression.name, error };
    return evaluationError("Invalid function argument", detail, { subject: expression.range }, expression, scope, extra);
  }
  const detail = `Call to function ${quote(expression.name)} failed: ${error.message}.`;
  return problem(call, "Error in function call", detail, startRange(expression), expression, error);
}
