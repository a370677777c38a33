// SPDX-License-Identifier: Apache-2.0
import { CtyError, isKnown, isNull, objectOf, string, tupleOf, unmark, withMarks, type Mark, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { normalizeString, valueOf } from "@tenon/cty/unstable/payload";
import { errorAt } from "../syntax/diagnostic.ts";
import type { ObjectExpression, ObjectKeyExpression, TupleExpression } from "../syntax/expression.ts";
import { unknownOfAnyType, evaluationError, failedSince, type Evaluator } from "./evaluator.ts";
import type { Scope } from "../syntax/scope.ts";

/** Evaluates `[a, b]`. */
export function tupleValue(evaluator: Evaluator, expression: TupleExpression, scope: Scope | undefined): Value {
  return tupleOf(expression.elements.map((element) => evaluator.value(element, scope)));
}

/** Evaluates `{ a = b }`. If a key is unknown, the type of the object is unknown as well. */
export function objectValue(evaluator: Evaluator, expression: ObjectExpression, scope: Scope | undefined): Value {
  const values = new Map<string, Value>();
  const marks: ReadonlySet<Mark>[] = [];
  let allKnown = true;
  for (const item of expression.items) {
    const start = evaluator.diagnostics.length;
    const given = evaluator.value(item.key, scope);
    const failed = failedSince(evaluator, start);
    const value = evaluator.value(item.value, scope);
    const key = failed ? undefined : keyText(evaluator, item, given, marks, scope);
    if (key === undefined) allKnown = false;
    else values.set(key, value);
  }
  return allKnown ? withMarks(objectOf(values), ...marks) : unknownOfAnyType;
}

function keyText(
  evaluator: Evaluator,
  { key, value }: ObjectExpression["items"][number],
  given: Value,
  marks: ReadonlySet<Mark>[],
  scope: Scope | undefined,
): string | undefined {
  if (isNull(given)) {
    // As in the Go library, the range is that of the value.
    evaluator.diagnostics.push(
      evaluationError("Null value as key", "Can't use a null value as a key.", { subject: value.range }, key, scope),
    );
    return undefined;
  }
  const [plain, keyMarks] = unmark(given);
  if (keyMarks.size > 0) marks.push(keyMarks);
  try {
    const text = plain.type === string ? plain : convert(plain, string);
    return isKnown(text) ? (text.payload as string) : undefined;
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const detail = `Can't use this value as a key: ${error.message}.`;
    evaluator.diagnostics.push(evaluationError("Incorrect key type", detail, { subject: key.range }, key, scope));
    return undefined;
  }
}

/** Evaluates a key of an object: a bare word stands for itself. */
export function objectKeyValue(
  evaluator: Evaluator,
  { wrapped, forceNonLiteral, range }: ObjectKeyExpression,
  scope: Scope | undefined,
): Value {
  if (forceNonLiteral) return evaluator.value(wrapped, scope);
  if (wrapped.kind === "scopeTraversal") {
    const [root, ...rest] = wrapped.traversal;
    if (rest.length > 0) {
      evaluator.diagnostics.push(
        errorAt(
          "Ambiguous attribute key",
          "If this expression is intended to be a reference, wrap it in parentheses. If it's instead intended as a literal name containing periods, wrap it in quotes to create a string literal.",
          range,
        ),
      );
      return unknownOfAnyType;
    }
    if (root?.kind === "root") return valueOf(string, normalizeString(root.name));
  }
  const word = wrapped.kind === "literal" ? literalWord(wrapped.value) : undefined;
  return word === undefined ? evaluator.value(wrapped, scope) : valueOf(string, word);
}

/** The keyword of a literal: `null`, `true` or `false`. */
function literalWord({ payload }: Value): string | undefined {
  if (payload === null) return "null";
  return typeof payload === "boolean" ? String(payload) : undefined;
}
