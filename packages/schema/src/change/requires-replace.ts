// SPDX-License-Identifier: Apache-2.0
import { equals, formatPath, type Path, type Value } from "@tenon/cty";
import { valueOf } from "@tenon/cty/unstable/payload";
import { attributeAt } from "../model/attribute-at.ts";
import type { Block } from "../model/schema.ts";
import { valueAt } from "../model/value-parts.ts";
import type { RuleViolation } from "./rule-violation.ts";

/** The paths of a provider's plan that require replacement. */
export interface RequiredReplacement {
  /** Paths whose value changes or may change: each once, in the provider's order. */
  readonly paths: readonly Path[];
  /** Paths that exist neither in the prior nor in the planned value. */
  readonly violations: readonly RuleViolation[];
}

/**
 * Filters the paths for which a provider requires replacement: those whose value changes or may change, and those of write-only
 * attributes, whose value is always null. Without a prior object there are none.
 *
 * @see OpenTofu node_resource_abstract_instance.go, plan
 */
export function filterRequiresReplace(block: Block, prior: Value, planned: Value, requiresReplace: readonly Path[]): RequiredReplacement {
  if (prior.payload === null) return { paths: [], violations: [] };
  const paths = new Map<string, Path>();
  const violations: RuleViolation[] = [];
  for (const path of requiresReplace) {
    const before = valueAt(prior, path);
    const after = valueAt(planned, path);
    if (before === undefined && after === undefined) {
      violations.push({ path, message: 'has indicated "requires replacement" for a non-existent attribute path' });
      continue;
    }
    const existing = (before ?? after)!;
    const equal = equals(before ?? valueOf(existing.type, null), after ?? valueOf(existing.type, null)).payload;
    if (equal !== true || attributeAt(block, path)?.writeOnly) paths.set(formatPath(path), path);
  }
  return { paths: [...paths.values()], violations };
}
