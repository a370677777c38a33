// SPDX-License-Identifier: Apache-2.0
import { hasDynamic, type Value } from "@tenon/cty";
import { UNKNOWN, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { emptyNestedBlock, emptyValue } from "../model/empty-value.ts";
import { attributeType, impliedType } from "../model/implied-type.ts";
import type { Block, NestedBlock } from "../model/schema.ts";
import { attributeOf, isUnknownValue, objectOf, partsOf, withElements } from "../model/value-parts.ts";

/**
 * Normalises a value of a provider that is built on the legacy SDK: a nested block that is null becomes empty, and one that is unknown as
 * a whole becomes one block of unknown values. Values of other providers are returned unchanged, as they may contain neither.
 *
 * @see OpenTofu objchange NormalizeObjectFromLegacySDK
 */
export function normalizeObjectFromLegacySdk(block: Block, value: Value): Value {
  if (value.payload === null) return valueOf(impliedType(block), null);
  if (isUnknownValue(value) || Object.keys(block.blocks).length === 0) return value;
  const parts = new Map<string, Value>();
  for (const name of Object.keys(block.attributes)) parts.set(name, attributeOf(value, name));
  for (const name of Object.keys(block.blocks)) parts.set(name, normalizeBlock(block.blocks[name]!, attributeOf(value, name)));
  return objectOf(parts, value.type);
}

function normalizeBlock(nested: NestedBlock, value: Value): Value {
  const { block, nesting } = nested;
  // The legacy SDK has neither dynamic attributes nor map blocks.
  if (nesting === "map" || hasDynamic(impliedType(block))) return value;
  if (nesting === "single" || nesting === "group") {
    if (isUnknownValue(value)) return unknownBlockStub(block);
    if (value.payload === null && nesting === "group") return emptyValue(block);
    return normalizeObjectFromLegacySdk(block, value);
  }
  const empty = emptyNestedBlock(nested);
  if (isUnknownValue(value)) return oneElement(empty, unknownBlockStub(block));
  const elements = partsOf(value);
  if (elements.length === 0) return empty;
  return withElements(
    value,
    elements.map((element) => ({ step: element.step, value: normalizeObjectFromLegacySdk(block, element.value) })),
  );
}

function oneElement(empty: Value, element: Value): Value {
  return valueOf(empty.type, [element.payload]);
}

/** Returns a block that exists and whose values are all unknown. */
function unknownBlockStub(block: Block): Value {
  const parts = new Map<string, Value>();
  for (const name of Object.keys(block.attributes)) parts.set(name, valueOf(attributeType(block.attributes[name]!), UNKNOWN));
  for (const name of Object.keys(block.blocks)) {
    const nested = block.blocks[name]!;
    const stub = unknownBlockStub(nested.block);
    const empty = emptyNestedBlock(nested);
    if (nested.nesting === "single" || nested.nesting === "group") parts.set(name, stub);
    else if (nested.nesting === "map") parts.set(name, valueOf(empty.type, new Map<string, Payload>()));
    else parts.set(name, oneElement(empty, stub));
  }
  return objectOf(parts);
}
