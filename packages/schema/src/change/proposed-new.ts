// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { UNKNOWN, valueOf } from "@tenon/cty/unstable/payload";
import { emptyValue } from "../model/empty-value.ts";
import { impliedType } from "../model/implied-type.ts";
import type { Attribute, Block, NestedAttributes, NestedBlock } from "../model/schema.ts";
import { attributeOf, hasParts, isUnknownValue, objectOf, partAt, partsOf, withElements, type Part } from "../model/value-parts.ts";
import { couldComeFrom, someIsOnlyConfigured } from "./prior-correlation.ts";

/**
 * Returns the proposed new state of an object: the configuration, in which computed attributes that are not configured keep their prior
 * values. The caller has the provider plan this state.
 *
 * Elements of lists are correlated by position, of maps by key, of sets by their configured attributes. `prior` is null where no object
 * exists. Both values are unmarked and of the block's type; `config` may hold unknown values.
 *
 * @see OpenTofu objchange ProposedNew
 *
 * @example
 * const block = createBlock({ attributes: {
 *   id: createAttribute({ type: string, computed: true }),
 *   name: createAttribute({ type: string, required: true }),
 * } });
 * const prior = of(impliedType(block), { id: "n-1", name: "old" });
 * const config = of(impliedType(block), { id: null, name: "new" });
 * toJs(proposedNew(block, prior, config))
 * // => { id: "n-1", name: "new" }
 */
export function proposedNew(block: Block, prior: Value, config: Value): Value {
  if (config.payload === null && prior.payload === null) return prior;
  return merged(block, prior.payload === null ? emptyValue(block) : prior, config);
}

/**
 * Returns the state of a data source or ephemeral resource before it is read: the configuration, in which computed attributes that are not
 * configured are unknown.
 *
 * @see OpenTofu objchange PlannedUnknownObject
 */
export function plannedUnknownObject(block: Block, config: Value): Value {
  return merged(block, valueOf(impliedType(block), UNKNOWN), config);
}

function merged(block: Block, prior: Value, config: Value): Value {
  // Only a required block is null here; validation reports it.
  if (!hasParts(config)) return prior;
  const parts = mergedAttributes(block.attributes, prior, config);
  for (const name of Object.keys(block.blocks)) {
    parts.set(name, mergedBlock(block.blocks[name]!, attributeOf(prior, name), attributeOf(config, name)));
  }
  return objectOf(parts, config.type);
}

function mergedAttributes(attributes: Readonly<Record<string, Attribute>>, prior: Value, config: Value): Map<string, Value> {
  const parts = new Map<string, Value>();
  for (const name of Object.keys(attributes)) {
    parts.set(name, mergedAttribute(attributes[name]!, attributeOf(prior, name), attributeOf(config, name)));
  }
  return parts;
}

function mergedAttribute(attribute: Attribute, prior: Value, config: Value): Value {
  if (attribute.computed && config.payload === null) {
    // A prior value that contains something only a configuration can set was configured, and is not any more.
    return attribute.optional && attribute.nested && someIsOnlyConfigured(attribute.nested, prior) ? config : prior;
  }
  return attribute.nested ? mergedNestedAttribute(attribute.nested, prior, config) : config;
}

function mergedNestedAttribute(nested: NestedAttributes, prior: Value, config: Value): Value {
  if (!hasParts(config)) return config;
  const inside: MergeElement = (priorElement, element) =>
    element.payload === null ? element : objectOf(mergedAttributes(nested.attributes, priorElement, element), element.type);
  return nested.nesting === "single" ? inside(prior, config) : mergedElements(nested, prior, config, inside);
}

function mergedBlock(nested: NestedBlock, prior: Value, config: Value): Value {
  if (isUnknownValue(config)) return config;
  const inside: MergeElement = (priorElement, element) => proposedNew(nested.block, priorElement, element);
  switch (nested.nesting) {
    case "single":
      return config.payload === null ? config : inside(prior, config);
    case "group":
      return inside(prior, config);
    default:
      return mergedElements({ nesting: nested.nesting, ...nested.block }, prior, config, inside);
  }
}

type MergeElement = (prior: Value, config: Value) => Value;

/** Nested attributes, or a nested block. */
type Repeated = {
  readonly nesting: "list" | "map" | "set" | "single";
  readonly attributes: Block["attributes"];
  readonly blocks?: Block["blocks"];
};

function mergedElements(repeated: Repeated, prior: Value, config: Value, merge: MergeElement): Value {
  const elements = partsOf(config);
  if (elements.length === 0) return config;
  if (repeated.nesting === "set") return withElements(config, mergedSetElements(repeated, prior, elements, merge));
  return withElements(
    config,
    elements.map(({ step, value }): Part => {
      // Elements of an unknown list are unknown. The keys of an unknown map are not known, so its elements have no prior value.
      const before = repeated.nesting === "map" && isUnknownValue(prior) ? undefined : partAt(prior, step);
      return { step, value: before ? merge(before, value) : value };
    }),
  );
}

function mergedSetElements(repeated: Repeated, prior: Value, elements: readonly Part[], merge: MergeElement): Part[] {
  const unused = partsOf(prior).map((part) => part.value);
  return elements.map(({ step, value }) => {
    const match = unused.findIndex((candidate) => couldComeFrom(repeated, candidate, value));
    const before = match === -1 ? valueOf(value.type, null) : unused.splice(match, 1)[0]!;
    return { step, value: merge(before, value) };
  });
}
