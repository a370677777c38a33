// SPDX-License-Identifier: Apache-2.0
import { bool, CtyError, isKnown, isNull, unmark, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import type { Diagnostic, Expression } from "@tenon/hcl";
import { evaluate } from "@tenon/hcl/evaluate";
import { formatReferenceSubject } from "../address/reference.ts";
import { formatAbsoluteResource } from "../address/resource.ts";
import { referencesOf } from "../evaluation/references.ts";
import { conversionText } from "../configuration/value-path.ts";
import { SENSITIVE, EPHEMERAL } from "../marks/value-marks.ts";
import type { InstanceNode } from "../walk/instance-node.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import type { ChangeAction } from "../change/planned-changes.ts";

/**
 * Reports an error if an action would destroy an object although its configuration forbids that by `prevent_destroy`.
 *
 * @see OpenTofu node_resource_abstract_instance.go, checkPreventDestroy
 */
export function checkPreventDestroy(walk: ResourceWalk, node: DestroyableNode, action: ChangeAction): Promise<void> | undefined {
  const expression = node.block.managed?.preventDestroy;
  return expression && evaluatePreventDestroy(walk, node, expression, action);
}

type DestroyableNode = Pick<InstanceNode, "scope" | "block" | "text" | "address">;

async function evaluatePreventDestroy(
  walk: ResourceWalk,
  node: DestroyableNode,
  expression: Expression,
  action: ChangeAction,
): Promise<void> {
  walk.root.settle(undefined, repetitionReferences(expression));
  const { value: given, diagnostics, scope } = await node.scope.evaluate(expression);
  walk.root.settle(undefined, diagnostics);
  const problems: Diagnostic[] = [];
  const invalid = (detail: string): void =>
    void problems.push({
      severity: "error",
      summary: "Invalid value for prevent_destroy",
      detail: `Resource instance ${node.text} has ${detail}`,
      subject: expression.range,
      expression,
      scope,
    });
  const value = usableValue(given, invalid);
  walk.root.settle(undefined, problems);
  if (action !== "delete" && action !== "deleteThenCreate" && action !== "createThenDelete") return;
  refuseDestruction(node, value, problems, invalid);
  walk.root.settle(undefined, problems);
}

/** Errors about `each` and `count`, which instances without a block do not have. */
function repetitionReferences(expression: Expression): readonly Diagnostic[] {
  return referencesOf(expression).references.flatMap(({ reference }): readonly Diagnostic[] => {
    if (reference.subject.kind !== "each" && reference.subject.kind !== "count") return [];
    const detail = `A prevent_destroy argument cannot refer to ${formatReferenceSubject(reference.subject)}, because OpenTofu needs to evaluate this argument for instances that have already been removed from the configuration and so whose per-instance data is no longer available.`;
    return [{ severity: "error", summary: "Invalid reference in prevent_destroy", detail, subject: reference.range }];
  });
}

/** The value of the argument without marks, as a boolean. Calls `invalid` with the end of an error's detail for each fault. */
function usableValue(given: Value, invalid: (detail: string) => void): Value {
  let value = given;
  try {
    value = convert(given, bool);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    invalid(`an invalid value for its prevent_destroy argument: ${conversionText(error)}.`);
  }
  const [plain, marks] = unmark(value);
  if (marks.has(SENSITIVE)) {
    invalid(
      `a sensitive value for its prevent_destroy argument, which is invalid because it would cause OpenTofu to disclose the sensitive value by whether deletion is blocked.\n\nIf you know this value is not sensitive in practice, consider using the nonsensitive function to declare that.`,
    );
  }
  if (marks.has(EPHEMERAL)) {
    invalid(
      `an ephemeral value for its prevent_destroy argument, which is invalid because the decision for whether it's okay to destroy instances of this resource instance must stay consistent between plan and apply.`,
    );
  }
  return plain;
}

/** Adds the error about an object that must not be destroyed, or for which that is not known. */
function refuseDestruction(
  { text, address: { module, resource }, block }: DestroyableNode,
  value: Value,
  problems: Diagnostic[],
  invalid: (detail: string) => void,
): void {
  const exclusion = `-exclude=${JSON.stringify(formatAbsoluteResource({ module, resource }))}`;
  if (!isKnown(value)) {
    invalid(
      `a prevent_destroy argument but its value will not be known until the apply step, so OpenTofu can't predict whether destroying this is acceptable.\n\nTo proceed, exclude instances of this resource from this round using:\n    ${exclusion}`,
    );
  } else if (isNull(value)) {
    invalid(`prevent_destroy set to null. When making a dynamic decision to allow destroy, use false instead.`);
  } else if (value.payload === true) {
    const detail = `Resource instance ${text} has prevent_destroy set, but the plan calls for it to be destroyed.\n\nTo proceed, either disable prevent_destroy for this resource or exclude instances of this resource from this round using:\n    ${exclusion}`;
    problems.push({ severity: "error", summary: "Resource instance cannot be destroyed", detail, subject: block.range });
  }
}

/** Whether `lifecycle.destroy` is false. */
export function skipsDestroy(walk: ResourceWalk, { block }: Pick<InstanceNode, "block">): boolean {
  const expression = block.managed?.destroy;
  if (expression === undefined) return false;
  const { value } = evaluate(expression);
  if (value.type === bool && isKnown(value)) return unmark(value)[0].payload === false;
  const detail = "The lifecycle destroy expression must be a boolean constant.";
  walk.root.settle(undefined, [{ severity: "error", summary: "Invalid lifecycle destroy expression", detail, subject: expression.range }]);
  return false;
}
