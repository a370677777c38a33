// SPDX-License-Identifier: Apache-2.0
import { equals, formatPath, type Path, type Value } from "@tenon/cty";
import { valueOf } from "@tenon/cty/unstable/payload";
import { attributeAt } from "../model/attribute-at.ts";
import type { Block } from "../model/schema.ts";
import { valueAt } from "../model/value-parts.ts";
import type { Problem } from "./problem.ts";

/** What is left of the paths that a provider wants replacement for. */
export interface RequiredReplacement {
  /** Where something really changes, each path once, in the provider's order. */
  readonly paths: readonly Path[];
  /** Paths that exist neither before nor after: a fault of the provider. */
  readonly problems: readonly Problem[];
}

/**
 * The paths at which a change forces replacement: those the provider named whose value changes, or may change. Paths of write-only
 * attributes stay, as their value is null before and after. Nothing has to be replaced where nothing exists.
 *
 * @see OpenTofu node_resource_abstract_instance.go, plan
 */
export function filterRequiresReplace(block: Block, prior: Value, planned: Value, requiresReplace: readonly Path[]): RequiredReplacement {
  if (prior.payload === null) return { paths: [], problems: [] };
  const paths = new Map<string, Path>();
  const problems: Problem[] = [];
  for (const path of requiresReplace) {
    const before = valueAt(prior, path);
    const after = valueAt(planned, path);
    if (before === undefined && after === undefined) {
      problems.push({ path, message: 'has indicated "requires replacement" for a non-existent attribute path' });
      continue;
    }
    const existing = (before ?? after)!;
    const equal = equals(before ?? valueOf(existing.type, null), after ?? valueOf(existing.type, null)).payload;
    if (equal !== true || attributeAt(block, path)?.writeOnly) paths.set(formatPath(path), path);
  }
  return { paths: [...paths.values()], problems };
}
