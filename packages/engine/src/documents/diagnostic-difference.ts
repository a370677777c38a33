// SPDX-License-Identifier: Apache-2.0
import { isKnown, isWhollyKnown, unmarkDeep } from "@tenon/cty";
import { toTree } from "@tenon/cty/json";
import { hasErrors, type Diagnostic } from "@tenon/hcl";
import { evaluate } from "@tenon/hcl/evaluate";
import type { JsonDocument } from "./state-json.ts";
import { knownParts, sensitiveParts, unknownParts } from "./value-json.ts";

/**
 * The two sides of a failed `==` condition, which the UI log shows with the diagnostic. Undefined for other conditions, and if a side is
 * sensitive or ephemeral.
 *
 * @see OpenTofu jsonentities, newDiagnosticDifference
 */
export function diagnosticDifference({ expression, scope }: Diagnostic): JsonDocument | undefined {
  if (expression?.kind !== "binary" || expression.operator !== "==") return undefined;
  const [left, right] = [evaluate(expression.left, scope), evaluate(expression.right, scope)];
  if (hasErrors(left.diagnostics) || hasErrors(right.diagnostics)) return undefined;
  const [[before, beforeMarks], [after, afterMarks]] = [unmarkDeep(left.value), unmarkDeep(right.value)];
  if (beforeMarks.size + afterMarks.size > 0 || !isWhollyKnown(before)) return undefined;
  return {
    before: toTree(before, before.type),
    ...(isKnown(after) && { after: knownParts(after) ?? null }),
    after_unknown: isWhollyKnown(after) ? false : unknownParts(after),
    before_sensitive: sensitiveParts(before, []),
    after_sensitive: sensitiveParts(after, []),
  };
}
