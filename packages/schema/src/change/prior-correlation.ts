// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Attribute, Block, NestedAttributes } from "../model/schema.ts";
import { isUnknown, partAt, partsOf } from "../model/value-parts.ts";
import { sameButRefinements } from "./same-value.ts";

/** Where a walk into a value stands in its schema: at something with attributes, or at an attribute that has no schema inside. */
type Inside = { readonly attributes: Block["attributes"]; readonly blocks?: Block["blocks"] };

/**
 * Could `prior`, an element of a set, be what became of the configured element: the same, but for computed attributes that are
 * not configured? Sets inside must be the same altogether, for their elements cannot be told apart.
 *
 * @see OpenTofu objchange validPriorFromConfig
 */
export function couldComeFrom(inside: Inside, prior: Value, config: Value): boolean {
  if (sameButRefinements(config, prior)) return true;
  if (config.type.kind === "set") return false;
  return partsOf(prior).every(({ step, value }) => {
    const configured = partAt(config, step);
    if (configured === undefined) return false;
    if (step.kind === "index") return couldComeFrom(inside, value, configured);
    const attribute = inside.attributes[step.name];
    if (attribute === undefined) {
      const nestedBlock = inside.blocks?.[step.name];
      // A key of a map whose elements have different types.
      return couldComeFrom(nestedBlock ? nestedBlock.block : inside, value, configured);
    }
    if (attribute.nested) return couldComeFrom(attribute.nested, value, configured);
    if (sameButRefinements(configured, value)) return true;
    return configured.type.kind !== "set" && isUnconfiguredComputed(attribute, configured);
  });
}

function isUnconfiguredComputed(attribute: Attribute, config: Value): boolean {
  return attribute.computed && config.payload === null;
}

/**
 * Is anything in a nested attribute's value neither null nor computed, so that it must have been configured?
 *
 * @see OpenTofu objchange optionalValueNotComputable
 */
export function someIsOnlyConfigured(nested: NestedAttributes, value: Value): boolean {
  if (isUnknown(value)) return false;
  return partsOf(value).some(({ step, value: part }) => {
    if (part.payload === null) return false;
    if (step.kind === "index") return someIsOnlyConfigured(nested, part);
    const attribute = nested.attributes[step.name];
    if (attribute === undefined) return someIsOnlyConfigured(nested, part);
    if (!attribute.computed) return true;
    return attribute.nested !== undefined && someIsOnlyConfigured(attribute.nested, part);
  });
}
