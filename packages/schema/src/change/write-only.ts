// SPDX-License-Identifier: Apache-2.0
import { formatPath, type Value } from "@tenon/cty";
import { isWriteOnly, someAttribute, writeOnlyPaths } from "../model/attribute-walk.ts";
import type { Block } from "../model/schema.ts";
import { valueAt } from "../model/value-parts.ts";
import type { RuleViolation } from "./rule-violation.ts";

/**
 * Returns the write-only attributes that have a value: in plans and states they must be null.
 *
 * @see OpenTofu plugin6/validation WriteOnlyAttributes
 */
export function assertWriteOnlyNull(block: Block, value: Value): RuleViolation[] {
  if (!someAttribute(block, isWriteOnly)) return [];
  return writeOnlyPaths(block, value)
    .filter((path) => {
      const found = valueAt(value, path);
      return found !== undefined && found.payload !== null;
    })
    .map((path) => ({ path, message: `an actual value for the write-only attribute ${JSON.stringify(formatPath(path))}` }));
}
