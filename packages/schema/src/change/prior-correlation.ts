// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Attribute, Block, NestedAttributes } from "../model/schema.ts";
import { isUnknownValue, partAt, partsOf } from "../model/value-parts.ts";
import { sameButRefinements } from "./same-value.ts";

/** Schema of an element: a block, or the attributes of a nested attribute. */
type ElementSchema = { readonly attributes: Block["attributes"]; readonly blocks?: Block["blocks"] };

/**
 * Whether `prior`, an element of a set, may have been made from the configured element: whether they are equal but for computed
 * attributes that are not configured. Sets inside must be equal, since their elements cannot be correlated.
 *
 * @see OpenTofu objchange validPriorFromConfig
 */
export function couldComeFrom(schema: ElementSchema, prior: Value, config: Value): boolean {
  if (sameButRefinements(config, prior)) return true;
  if (config.type.kind === "set") return false;
  return partsOf(prior).every(({ step, value }) => {
    const configured = partAt(config, step);
    if (configured === undefined) return false;
    if (step.kind === "index") return couldComeFrom(schema, value, configured);
    const attribute = schema.attributes[step.name];
    if (attribute === undefined) {
      const nestedBlock = schema.blocks?.[step.name];
      // Otherwise the step is a key of a map whose elements have different types.
      return couldComeFrom(nestedBlock ? nestedBlock.block : schema, value, configured);
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
 * Whether a nested attribute's value contains a value that is neither null nor computed, and so must have been configured.
 *
 * @see OpenTofu objchange optionalValueNotComputable
 */
export function someIsOnlyConfigured(nested: NestedAttributes, value: Value): boolean {
  if (isUnknownValue(value)) return false;
  return partsOf(value).some(({ step, value: part }) => {
    if (part.payload === null) return false;
    if (step.kind === "index") return someIsOnlyConfigured(nested, part);
    const attribute = nested.attributes[step.name];
    if (attribute === undefined) return someIsOnlyConfigured(nested, part);
    if (!attribute.computed) return true;
    return attribute.nested !== undefined && someIsOnlyConfigured(attribute.nested, part);
  });
}
