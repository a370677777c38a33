// SPDX-License-Identifier: Apache-2.0
import { formatPath, type Path } from "@tenon/cty";

/** Violation of a rule by a value that a provider planned or returned. */
export interface RuleViolation {
  /** Path in the value; empty for the whole object. */
  readonly path: Path;
  /** Text of the cores. Values are in Go's notation; values of sensitive attributes are left out. */
  readonly message: string;
}

/** Returns `.path.to: message`, the format of the cores. */
export function formatRuleViolation(violation: RuleViolation): string {
  return violation.path.length === 0 ? violation.message : `${formatPath(violation.path)}: ${violation.message}`;
}
