// SPDX-License-Identifier: Apache-2.0
import { attributeStep, indexStep, type Path } from "@tenon/cty";
import type { Traversal } from "@tenon/hcl/syntax";

/** The path of a traversal's steps, without the variable at its start. */
export function pathOfTraversal(traversal: Traversal): Path {
  return traversal.flatMap((step) => {
    if (step.kind === "index") return [indexStep(step.key)];
    return step.kind === "attribute" ? [attributeStep(step.name)] : [];
  });
}
