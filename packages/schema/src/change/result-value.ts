// SPDX-License-Identifier: Apache-2.0
import { testConformance, type Value } from "@tenon/cty";
import type { Block } from "../model/schema.ts";
import { impliedType } from "../model/implied-type.ts";
import { unknownPaths } from "../model/unknown-parts.ts";
import type { RuleViolation } from "./rule-violation.ts";

/** * Returns the violations in a value that a provider read or created: it must be of the block's type and wholly known. Null, for an object
 * that does not exist, is accepted.
 *
 * @see OpenTofu node_resource_abstract_instance.go, refresh, apply and readDataSource
 */
export function assertResultValue(block: Block, value: Value): RuleViolation[] {
  const mismatches = testConformance(value.type, impliedType(block)).map(({ path, message }) => ({ path, message }));
  if (mismatches.length > 0) return mismatches;
  return unknownPaths(value).map((path) => ({ path, message: "is unknown, and has to be known by now" }));
}
