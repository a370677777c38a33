// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { assertObjectCompatible } from "../change/object-compatible.ts";
import type { RuleViolation } from "../change/rule-violation.ts";
import type { Block } from "../model/schema.ts";

/** Marks the sensitive parts of a value: of the first plan, or of the final plan and the result. */
export type MarkSensitive = (value: Value, of: "plan" | "final") => Value;

/** As {@link assertObjectCompatible}, with messages that show no value that is sensitive by its schema or by the marks of the caller. */
export function incompatibleParts(
  block: Block,
  [planned, plannedOf]: readonly [value: Value, of: "plan" | "final"],
  actual: Value,
  markSensitive: MarkSensitive | undefined,
): readonly RuleViolation[] {
  const violations = assertObjectCompatible(block, planned, actual);
  if (violations.length === 0 || markSensitive === undefined) return violations;
  return assertObjectCompatible(block, markSensitive(planned, plannedOf), markSensitive(actual, "final"));
}
