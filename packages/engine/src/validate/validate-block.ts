// SPDX-License-Identifier: Apache-2.0
// Validation of blocks that need no provider: outputs, checks and module calls.
import { hasErrors } from "@tenon/hcl";
import type { Report } from "../configuration/report.ts";
import { checkCondition, failureMessage, isComplete } from "../evaluation/condition.ts";
import { outputValue } from "../evaluation/output-value.ts";
import { noScopeData } from "../evaluation/scope-data.ts";
import { countDiagnostics, forEachDiagnostics, validateDependsOn } from "./validate-references.ts";
import type { ValidationScope } from "./validation-scope.ts";

/** Validates an output. @see OpenTofu node_output.go, NodeApplyableOutput.Execute */
export async function validateOutput(scope: ValidationScope, name: string, report: Report): Promise<void> {
  const output = scope.configuration.module.outputs.get(name)!;
  for (const rule of output.preconditions) {
    if (!isComplete(rule)) continue;
    const { scope: at, diagnostics } = await scope.unreportedConditionScope(rule.condition, rule.errorMessage, noScopeData);
    report.push(...diagnostics);
    checkCondition("Module output value precondition", rule, at, "error", scope.addressOf(`output.${name}`), report);
  }
  if (hasErrors(report) || output.expression === undefined) return;
  const { value, diagnostics } = await scope.evaluate(output.expression);
  report.push(...diagnostics);
  await validateDependsOn(scope, output.dependsOn, report);
  outputValue(output, value, scope.configuration.path.length === 0, report);
}

/** Validates the assertions of a `check` block. @see OpenTofu node_check.go */
export async function validateCheck(scope: ValidationScope, name: string, report: Report): Promise<void> {
  for (const rule of scope.configuration.module.checks.get(name)!.assertions) {
    if (!isComplete(rule)) continue;
    const { scope: at, diagnostics } = await scope.unreportedConditionScope(rule.condition, rule.errorMessage, { check: name });
    report.push(...diagnostics);
    failureMessage(rule.errorMessage, at, report);
  }
}

/** Validates the arguments of a module call that are not values of variables. @see OpenTofu node_module_expand.go, nodeValidateModule */
export async function validateCall(scope: ValidationScope, name: string, report: Report): Promise<void> {
  const { count, forEach, dependsOn = [] } = scope.configuration.module.calls.get(name)!;
  if (count !== undefined) report.push(...(await countDiagnostics(scope, count)).diagnostics);
  else if (forEach !== undefined) report.push(...(await forEachDiagnostics(scope, forEach)).diagnostics);
  await validateDependsOn(scope, dependsOn, report);
}
