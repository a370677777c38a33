// SPDX-License-Identifier: Apache-2.0
import { hasErrors, type Diagnostic, type Expression } from "@tenon/hcl";
import { traversalRange, type Traversal } from "@tenon/hcl/syntax";
import { isKnown, isWhollyKnown, unmark } from "@tenon/cty";
import { reportError, type Report } from "../configuration/report.ts";
import { referencesOf, referencesOfTraversals } from "../evaluation/references.ts";
import { noScopeData } from "../evaluation/scope-data.ts";
import { countValueOf, forEachValueOf } from "../expansion/repetition.ts";
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
  const [value] = unmark(evaluation.value);
  const { kind } = value.type;
  const isUnsuitable = !["dynamic", "map", "object", "set"].includes(kind);
  return { diagnostics: own, isKnown: isUnsuitable || (isKnown(value) && (kind !== "set" || isWhollyKnown(value))) };
}

/** Diagnostics about an argument, and whether its value is known. */
export interface ArgumentDiagnostics {
  readonly diagnostics: readonly Diagnostic[];
  readonly isKnown: boolean;
}
