// SPDX-License-Identifier: Apache-2.0
import {
  dynamic,
  isCollectionType,
  isKnown,
  isNull,
  list,
  listOf,
  marks,
  range,
  refine,
  tupleOf,
  unknown,
  unmark,
  withMarks,
  type Refinements,
  type Type,
  type Value,
} from "@tenon/cty";
import { elements } from "@tenon/cty/operators";
import { errorAt } from "../syntax/diagnostic.ts";
import type { SplatExpression } from "../syntax/expression.ts";
import { rangeBetween } from "../syntax/range.ts";
import { unknownOfAnyType, evaluationError, failedSince, removeDiagnosticsSince, type Evaluator } from "./evaluator.ts";
import type { Scope } from "../syntax/scope.ts";

/** Evaluates `source[*].name`. A value that is not a sequence counts as a sequence of one element, null as an empty one. */
export function splatValue(evaluator: Evaluator, expression: SplatExpression, scope: Scope | undefined): Value {
  const start = evaluator.diagnostics.length;
  const given = evaluator.value(expression.source, scope);
  if (failedSince(evaluator, start)) return unknownOfAnyType;
  const isSequence = given.type.kind === "tuple" || given.type.kind === "list" || given.type.kind === "set";
  if (isNull(given)) {
    if (!isSequence) return withMarks(tupleOf([]), marks(given));
    const { source, markerRange } = expression;
    const detail = "Splat expressions (with the * symbol) cannot be applied to null sequences.";
    const at = { subject: source.range, context: rangeBetween(source.range, markerRange) };
    evaluator.diagnostics.push(evaluationError("Splat of null value", detail, at, source, scope));
    return unknownOfAnyType;
  }
  if (given.type.kind === "dynamic") return withMarks(unknownOfAnyType, marks(given));
  if (isSequence) return sequenceValue(evaluator, expression, scope, given);
  // A value that may be null gives no elements or one; the rest of the expression is checked anyway.
  const mayBeNull = !isKnown(given) && !range(unmark(given)[0]).notNull;
  const result = sequenceValue(evaluator, expression, scope, withMarks(tupleOf([given]), marks(given)));
  return mayBeNull ? withMarks(unknownOfAnyType, marks(given)) : result;
}

function sequenceValue(evaluator: Evaluator, expression: SplatExpression, scope: Scope | undefined, given: Value): Value {
  const [sequence, sequenceMarks] = unmark(given);
  if (!isKnown(sequence)) return withMarks(unknownResult(evaluator, expression, scope, sequence), sequenceMarks);
  const values: Value[] = [];
  let failed = false;
  for (const [, element] of elements(sequence)) {
    const start = evaluator.diagnostics.length;
    values.push(eachValue(evaluator, expression, scope, element));
    failed ||= failedSince(evaluator, start);
  }
  if (failed) {
    // Removes diagnostics that repeat those of the elements.
    const start = evaluator.diagnostics.length;
    const type = resultType(evaluator, expression, scope, sequence.type);
    removeDiagnosticsSince(evaluator, start);
    return withMarks(unknown(type), sequenceMarks);
  }
  if (sequence.type.kind === "tuple") return withMarks(tupleOf(values), sequenceMarks);
  if (values.length === 0) {
    const type = resultType(evaluator, expression, scope, sequence.type);
    return withMarks(listOf([], type.kind === "list" ? type.element : dynamic), sequenceMarks);
  }
  if (!haveOneType(values)) {
    evaluator.diagnostics.push(
      errorAt(
        "Invalid nested splat expressions",
        "The second level of splat expression produced elements of different types, so it isn't possible to construct a valid list to represent the top-level result.\n\nConsider using a for expression instead, to produce a tuple-typed result which can therefore have non-homogenous element types.",
        expression.each.range,
        expression.range,
      ),
    );
    return unknownOfAnyType;
  }
  return withMarks(listOf(values), sequenceMarks);
}

function eachValue(evaluator: Evaluator, { each, item }: SplatExpression, scope: Scope | undefined, element: Value): Value {
  evaluator.symbols.set(item, element);
  const result = evaluator.value(each, scope);
  evaluator.symbols.delete(item);
  return result;
}

/** Type of the result, independent of the elements. */
function resultType(evaluator: Evaluator, expression: SplatExpression, scope: Scope | undefined, type: Type): Type {
  // The additional scope matters for suggestions of function names, which come from the innermost scope only.
  const inner: Scope = scope === undefined ? {} : { parent: scope };
  const each = (element: Type): Value => eachValue(evaluator, expression, inner, unknown(element));
  if (type.kind === "tuple") return tupleOf(type.elements.map(each)).type;
  return type.kind === "list" || type.kind === "set" ? list(each(type.element).type) : dynamic;
}

function unknownResult(evaluator: Evaluator, expression: SplatExpression, scope: Scope | undefined, sequence: Value): Value {
  const type = resultType(evaluator, expression, scope, sequence.type);
  if (type.kind !== "list" || !isCollectionType(sequence.type)) return refine(unknown(type), { notNull: true });
  const { lengthMin, lengthMax } = range(sequence);
  const length: Refinements = { lengthMin: lengthMin ?? 0, ...(lengthMax === undefined ? {} : { lengthMax }) };
  return refine(unknown(type), { notNull: true, ...length });
}

function haveOneType(values: readonly Value[]): boolean {
  let common: Type = dynamic;
  for (const { type } of values) {
    if (common === dynamic) common = type;
    else if (type !== dynamic && type !== common) return false;
  }
  return true;
}
