// SPDX-License-Identifier: Apache-2.0
import type { Expression, SourceRange } from "@tenon/hcl";
import { variables } from "@tenon/hcl/analysis";
import type { Block, BodySchema } from "@tenon/hcl/body";
import { referenceOf } from "../address/reference.ts";
import { formatResource, isSameResource, type Resource } from "../address/resource.ts";
import { contentOf } from "./block-content.ts";
import { reportError, type Report } from "./report.ts";

/** A condition and the error message if it is false: a validation, precondition, postcondition or assertion. */
export interface CheckRule {
  /** Absent if the block has no condition, which is reported as an error. */
  readonly condition?: Expression;
  /** Absent if the block has no error message, which is reported as an error. */
  readonly errorMessage?: Expression;
  readonly range: SourceRange;
}

const schema: BodySchema = {
  attributes: [
    { name: "condition", required: true },
    { name: "error_message", required: true },
  ],
};

/** Reads the block of a condition. @see OpenTofu configs, decodeCheckRuleBlock */
export function readCheckRule(block: Block, isOverride: boolean, report: Report): CheckRule {
  const range = block.declarationRange;
  if (isOverride) {
    reportError(report, `Can't override ${block.type} blocks`, `Override files cannot override "${block.type}" blocks.`, range);
    return { range };
  }
  const { attributes } = contentOf(block.body, schema, report);
  const condition = attributes.get("condition")?.expression;
  const errorMessage = attributes.get("error_message")?.expression;
  if (condition !== undefined && variables(condition).length === 0) {
    const detail =
      "The condition expression must refer to at least one object from elsewhere in the configuration, or else its result would not be checking anything.";
    reportError(report, `Invalid ${block.type} expression`, detail, condition.range);
  }
  return { ...(condition && { condition }), ...(errorMessage && { errorMessage }), range };
}

/** Adds an error for each expression of a resource's condition that refers to the resource itself. */
export function checkSelfReferences(rule: CheckRule, blockType: string, resource: Resource, report: Report): void {
  for (const expression of [rule.condition, rule.errorMessage]) {
    if (expression === undefined) continue;
    const refersToItself = variables(expression).some((traversal) => {
      const subject = referenceOf(traversal).address?.subject;
      return (subject?.kind === "resource" || subject?.kind === "resourceInstance") && isSameResource(subject.resource, resource);
    });
    if (!refersToItself) continue;
    const detail = `Configuration for ${formatResource(resource)} may not refer to itself.`;
    reportError(report, `Invalid reference in ${blockType}`, detail, expression.range);
  }
}
