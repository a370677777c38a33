// SPDX-License-Identifier: Apache-2.0
import { isKnown, isNull, string } from "@tenon/cty";
import { hasErrors, type Expression, type SourceRange } from "@tenon/hcl";
import { calledFunctions, expressionList, keywordOf, relativeTraversal, variables } from "@tenon/hcl/analysis";
import type { BodySchema } from "@tenon/hcl/body";
import { evaluate } from "@tenon/hcl/evaluate";
import type { Traversal } from "@tenon/hcl/syntax";
import { referenceOf } from "../address/reference.ts";
import { attributesNamed } from "./block-content.ts";
import { nativeExpression, withoutQuotes } from "./quoted-reference.ts";
import { reportAll, reportError, type Report } from "./report.ts";

/** The schema of a managed resource's `lifecycle` block. */
export const lifecycleSchema: BodySchema = {
  attributes: attributesNamed("create_before_destroy", "prevent_destroy", "destroy", "ignore_changes", "replace_triggered_by", "enabled"),
  blocks: [{ type: "precondition" }, { type: "postcondition" }],
};

/** The attributes whose changes in the configuration are ignored. */
export interface IgnoreChanges {
  readonly all: boolean;
  /** Paths relative to the resource. */
  readonly paths: readonly Traversal[];
}

/** Reads `ignore_changes`. */
export function readIgnoreChanges(expression: Expression, report: Report): IgnoreChanges {
  if (keywordOf(expression) === "all") return { all: true, paths: [] };
  const { list, diagnostics } = expressionList(expression);
  reportAll(report, diagnostics);
  let wildcard: SourceRange | undefined;
  const paths: Traversal[] = [];
  for (const element of list ?? []) {
    if (isWildcard(element)) {
      wildcard = element.range;
      const detail =
        'The ["*"] form of ignore_changes wildcard is was deprecated and is now invalid. Use "ignore_changes = all" to ignore changes to all attributes.';
      reportError(report, "Invalid ignore_changes wildcard", detail, expression.range);
      continue;
    }
    const parsed = relativeTraversal(withoutQuotes(element, "reference", report));
    reportAll(report, parsed.diagnostics);
    const { traversal } = parsed;
    if (traversal !== undefined && traversal.length > 0) paths.push(traversal);
  }
  if (wildcard !== undefined && paths.length > 0) {
    const detail = 'Cannot mix wildcard string "*" with non-wildcard references.';
    reportError(report, "Invalid ignore_changes ruleset", detail, wildcard, expression.range);
  }
  return { all: wildcard !== undefined, paths };
}

function isWildcard(expression: Expression): boolean {
  const { value, diagnostics } = evaluate(expression);
  return !hasErrors(diagnostics) && value.type === string && !isNull(value) && isKnown(value) && value.payload === "*";
}

/** Reads `replace_triggered_by`. @see OpenTofu configs, decodeReplaceTriggeredBy */
export function readReplaceTriggers(expression: Expression, report: Report): readonly Expression[] {
  const { list, diagnostics } = expressionList(expression);
  let hasError = reportAll(report, diagnostics);
  return (list ?? []).map((element) => {
    let trigger = element;
    if (expression.kind === "json") {
      const native = nativeExpression(element, report);
      hasError ||= native === undefined;
      // After an error, the rest of the list is read, but not checked.
      if (hasError) return native ?? element;
      trigger = native!;
    }
    hasError = checkReplaceTrigger(trigger, report) || hasError;
    return trigger;
  });
}

/** Adds the errors of a trigger. Returns whether there are any. */
function checkReplaceTrigger(trigger: Expression, report: Report): boolean {
  const start = report.length;
  const summary = "Invalid replace_triggered_by expression";
  let resources = 0;
  const invalid = (what: string, detail: string): void =>
    reportError(report, `Invalid ${what}reference in replace_triggered_by expression`, detail, trigger.range);
  const references = variables(trigger).map(referenceOf);
  const problems = references.flatMap(({ diagnostics }) => diagnostics);
  for (const problem of problems) report.push({ ...problem, subject: trigger.range });
  if (hasErrors(problems)) return true;
  for (const { address } of references) {
    const subject = address?.subject;
    if (subject?.kind === "resource" || subject?.kind === "resourceInstance") resources++;
    else if (subject?.kind === "each") {
      if (subject.name !== "key") invalid("each ", "Only each.key may be used in replace_triggered_by.");
    } else if (subject?.kind === "count") {
      if (subject.name !== "index") invalid("count ", "Only count.index may be used in replace_triggered_by.");
    } else invalid("", "Only resources, count.index, and each.key may be used in replace_triggered_by.");
  }
  for (const { name } of calledFunctions(trigger)) {
    if (name.startsWith("provider::")) invalid("", "Only resources, count.index, and each.key may be used in replace_triggered_by.");
  }
  if (resources === 0) reportError(report, summary, "Missing resource reference in replace_triggered_by expression.", trigger.range);
  if (resources > 1) reportError(report, summary, "Multiple resource references in replace_triggered_by expression.", trigger.range);
  return report.length > start;
}
