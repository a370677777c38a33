// SPDX-License-Identifier: Apache-2.0
import { dynamic, type Type, type Value } from "@tenon/cty";
import type { Block } from "../../model/schema.ts";
import type { Difference, DifferenceOptions } from "../difference.ts";
import { blockDifference } from "./block-difference.ts";
import { typeDifference } from "./type-difference.ts";
import { rootPair } from "./value-pair.ts";

/**
 * Compares two values of a block. `before` is null for a create, `after` for a delete; `after` may hold unknown values.
 *
 * Values that are sensitive by the schema or by a mark are labelled. Elements of lists are matched by longest common subsequence,
 * elements of nested attributes and blocks by position, elements of maps by key. Elements of sets are either equal or different.
 *
 * @see OpenTofu internal/command/jsonformat/differ
 *
 * @example
 * const block = createBlock({ attributes: { size: createAttribute({ type: number, optional: true }) } });
 * const value = (size: number) => of(impliedType(block), { size });
 * difference(block, value(1), value(2)).action
 * // => "update"
 */
export function difference(block: Block, before: Value, after: Value, options: DifferenceOptions = {}): Difference {
  return blockDifference(rootPair(before, after, options), block);
}

/**
 * Compares two values without a schema, such as those of an output. They are compared as JSON is: types matter only where one kind of value
 * replaces another. `before` is null for a create, `after` for a delete; `after` may hold unknown values.
 *
 * @see OpenTofu internal/command/jsonformat/differ/output.go
 */
export function valueDifference(before: Value, after: Value, options: DifferenceOptions = {}): Difference {
  return typeDifference(rootPair(before, after, options), dynamic);
}

/**
 * Compares two values of a type, such as those of an output in a state. Unlike {@link valueDifference}, it leaves out attributes that are null
 * on both sides.
 *
 * @see OpenTofu internal/command/jsonformat/differ, ComputeDiffForType
 */
export function typedDifference(type: Type, before: Value, after: Value, options: DifferenceOptions = {}): Difference {
  return typeDifference(rootPair(before, after, options), type);
}
