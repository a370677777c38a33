// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { emptyNestedBlock } from "../model/empty-value.ts";
import type { Block, NestedBlock } from "../model/schema.ts";
import { attributeOf, hasParts, objectOf, partsOf, withElements } from "../model/value-parts.ts";

/** Replaces null collections of blocks in a value by empty ones. */
export type Fill = (value: Value) => Value;

interface NestedFill {
  readonly name: string;
  /** Replacement of null; absent where null is allowed. */
  readonly empty: Value | undefined;
  /** Replacement inside the blocks; absent where nothing in them needs one. */
  readonly inner: Fill | undefined;
  readonly repeats: boolean;
}

const fills = new WeakMap<Block, { readonly fill: Fill | undefined }>();

/**
 * Returns a function that replaces null list, set and map blocks by empty ones, at any depth; undefined where the block has no such
 * blocks. The cores forbid null there. Providers on the Go framework may send it, since the framework does not distinguish the two.
 *
 * @see terraform-plugin-framework internal/fwschemadata, ReifyNullCollectionBlocks
 */
export function nestedBlocksFill(block: Block): Fill | undefined {
  const known = fills.get(block);
  if (known !== undefined) return known.fill;
  const nested = Object.keys(block.blocks).flatMap((name) => nestedFill(name, block.blocks[name]!));
  const fill = nested.length === 0 ? undefined : (value: Value) => fillObject(value, nested);
  fills.set(block, { fill });
  return fill;
}

function nestedFill(name: string, nested: NestedBlock): readonly NestedFill[] {
  const repeats = nested.nesting !== "single" && nested.nesting !== "group";
  const inner = nestedBlocksFill(nested.block);
  if (!repeats && inner === undefined) return [];
  return [{ name, empty: repeats ? emptyNestedBlock(nested) : undefined, inner, repeats }];
}

function fillObject(value: Value, nested: readonly NestedFill[]): Value {
  if (!hasParts(value) || value.type.kind !== "object") return value;
  let changed: Map<string, Value> | undefined;
  for (const { name, empty, inner, repeats } of nested) {
    const part = attributeOf(value, name);
    let filled = part;
    if (part.payload === null) filled = empty ?? part;
    else if (inner !== undefined) filled = repeats ? fillElements(part, inner) : inner(part);
    if (filled !== part) (changed ??= new Map()).set(name, filled);
  }
  return changed === undefined ? value : withAttributes(value, changed);
}

function fillElements(value: Value, fill: Fill): Value {
  let changed = false;
  const parts = partsOf(value).map((part) => {
    const filled = fill(part.value);
    if (filled === part.value) return part;
    changed = true;
    return { step: part.step, value: filled };
  });
  return changed ? withElements(value, parts) : value;
}

function withAttributes(value: Value, changed: ReadonlyMap<string, Value>): Value {
  const { type, payload } = value;
  if (type.kind !== "object") return value;
  if ([...changed].every(([name, part]) => part.type === type.attributes[name])) {
    const slots = [...(payload as readonly Payload[])];
    for (const [name, part] of changed) slots[type.slots.get(name)!] = part.payload;
    return valueOf(type, slots);
  }
  return objectOf(new Map(type.names.map((name) => [name, changed.get(name) ?? attributeOf(value, name)])));
}
