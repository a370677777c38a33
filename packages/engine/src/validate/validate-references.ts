// SPDX-License-Identifier: Apache-2.0
import { hasErrors, type Diagnostic, type Expression } from "@tenon/hcl";
import { traversalRange, type Traversal } from "@tenon/hcl/syntax";
import { isKnown, isWhollyKnown, unmark, type Value } from "@tenon/cty";
import { reportError, type Report } from "../configuration/report.ts";
import { referencesOf, referencesOfTraversals } from "../evaluation/references.ts";
import { noScopeData } from "../evaluation/scope-data.ts";
import { countValueOf, forEachValueOf } from "../expansion/repetition.ts";
import { isEphemeral, isSensitive } from "../marks/value-marks.ts";
import type { ValidationScope } from "./validation-scope.ts";

/** Validates `depends_on`: it names whole objects that exist. @see OpenTofu node_resource_validate.go, validateDependsOn */
export async function validateDependsOn(scope: ValidationScope, traversals: readonly Traversal[], report: Report): Promise<void> {
  const own: Report = [];
  for (const traversal of traversals) {
    const references = referencesOfTraversals([traversal]);
    own.push(...references.diagnostics);
    const remaining = references.references[0]?.reference.remaining ?? [];
    if (!hasErrors(references.diagnostics) && remaining.length > 0) {
      const detail = "References in depends_on must be to a whole object (resource, etc), not to an attribute of an object.";
      reportError(own, "Invalid depends_on reference", detail, traversalRange(remaining));
    }
    if (!hasErrors(own)) own.push(...(await scope.scopeFor(references, noScopeData, [])).diagnostics);
  }
  report.push(...own);
}

/** Validates a `count` argument as far as its value is known. */
export async function countDiagnostics(scope: ValidationScope, expression: Expression): Promise<ArgumentDiagnostics> {
  const own: Report = [];
  const evaluation = await scope.evaluate(expression);
  const value = countValueOf(expression, evaluation, evaluation.scope, own);
  return { diagnostics: own, isKnown: value === undefined || isKnown(value) };
}

/** Validates a `for_each` argument as far as its value is known. */
export async function forEachDiagnostics(scope: ValidationScope, expression: Expression): Promise<ArgumentDiagnostics> {
  const { diagnostics } = await scope.scopeFor(referencesOf(expression), noScopeData, []);
  if (hasErrors(diagnostics)) return { diagnostics, isKnown: true };
  const own: Report = [];
  const evaluation = await scope.evaluate(expression);
  forEachValueOf(expression, evaluation, evaluation.scope, { allowUnknown: true }, own);
  return { diagnostics: own, isKnown: isDetermined(evaluation.value) };
}

/** Whether the faults of a value for `for_each` are certain although the value, or a part of it, may be unknown. @see OpenTofu lang/evalchecks */
function isDetermined(marked: Value): boolean {
  const [value] = unmark(marked);
  if (isSensitive(marked) || isEphemeral(marked)) return true;
  switch (value.type.kind) {
    case "dynamic":
    case "map":
    case "object":
      return isKnown(value);
    case "set": {
      const isSuitable = ["string", "dynamic"].includes(value.type.element.kind);
      return isKnown(value) && (!isSuitable || isWhollyKnown(value));
    }
    default:
      return true;
  }
}

/** Diagnostics about an argument, and whether its value is known. */
export interface ArgumentDiagnostics {
  readonly diagnostics: readonly Diagnostic[];
  readonly isKnown: boolean;
}
