// SPDX-License-Identifier: Apache-2.0
import { isKnown, isWhollyKnown, unmarkDeep, type Value } from "@tenon/cty";
import { toTree } from "@tenon/cty/json";
import { hasErrors, type Diagnostic } from "@tenon/hcl";
import { evaluate } from "@tenon/hcl/evaluate";
import type { JsonDocument } from "./state-json.ts";
import { knownParts, sensitiveParts, unknownParts } from "./value-json.ts";

/** The sides of a failed `==` condition, with their marks. Undefined for other conditions, and if the left side is not known. */
export function comparedValues({ expression, scope }: Diagnostic): readonly [before: Value, after: Value] | undefined {
  if (expression?.kind !== "binary" || expression.operator !== "==") return undefined;
  const [left, right] = [evaluate(expression.left, scope), evaluate(expression.right, scope)];
  if (hasErrors(left.diagnostics) || hasErrors(right.diagnostics)) return undefined;
  return isWhollyKnown(unmarkDeep(left.value)[0]) ? [left.value, right.value] : undefined;
}

/**
 * The two sides of a failed `==` condition, which the UI log shows with the diagnostic. Undefined if {@link comparedValues} is, and if a side
 * is sensitive or ephemeral.
 *
 * @see OpenTofu jsonentities, newDiagnosticDifference
 */
export function diagnosticDifference(diagnostic: Diagnostic): JsonDocument | undefined {
  const compared = comparedValues(diagnostic);
  if (compared === undefined) return undefined;
  const [[before, beforeMarks], [after, afterMarks]] = [unmarkDeep(compared[0]), unmarkDeep(compared[1])];
  if (beforeMarks.size + afterMarks.size > 0) return undefined;
  return {
    before: toTree(before, before.type),
    ...(isKnown(after) && { after: knownParts(after) ?? null }),
    after_unknown: isWhollyKnown(after) ? false : unknownParts(after),
    before_sensitive: sensitiveParts(before, []),
    after_sensitive: sensitiveParts(after, []),
  };
}
