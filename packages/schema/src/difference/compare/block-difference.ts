// SPDX-License-Identifier: Apache-2.0
import { attributeStep, indexStep } from "@tenon/cty";
import type { Block, NestedBlock } from "../../model/schema.ts";
import type { BlockDifferences, Difference, DifferenceAction } from "../difference.ts";
import { attributeDifference, inOrderOfEvidence, positions, sortedByName, withHiddenElements } from "./attribute-difference.ts";
import { hiddenOr } from "./hidden-difference.ts";
import { keysOf, setElements } from "./type-difference.ts";
import { childPair, combinedAction, differenceAt, isAbsent, startingAction, type ValuePair, type Side } from "./value-pair.ts";

/** Compares a block, with its attributes and nested blocks. */
export function blockDifference(pair: ValuePair, block: Block): Difference {
  return hiddenOr(pair, (shown) => shownBlockDifference(shown, block), "attributes");
}

function shownBlockDifference(pair: ValuePair, block: Block): Difference {
  const attributes = new Map<string, Difference>();
  let action = startingAction(pair);
  for (const [name, attribute] of inOrderOfEvidence(pair, block.attributes)) {
    const child = blockAttributePair(pair, name);
    const inside = attributeDifference(child, attribute, action);
    if (inside.action === "noOp" && isAbsent(child) && !attribute.writeOnly) continue;
    attributes.set(name, inside);
    action = combinedAction(action, inside.action);
  }
  const blocks = new Map<string, BlockDifferences>();
  for (const [name, nested] of Object.entries(block.blocks)) {
    // Of a block that becomes unknown, only the attributes are shown as unknown.
    const child = childPair(pair.unknown === "attributes" ? { ...pair, unknown: false } : pair, attributeStep(name), false);
    const inside = nestedBlockDifferences(child, nested, block);
    if (child.unknown === true) {
      // As in the cores, an unknown block does not make the block around it one that changes.
      blocks.set(name, inside);
      continue;
    }
    const starting = startingAction(child);
    const combined = inside.blocks.reduce<DifferenceAction>((whole, { difference }) => combinedAction(whole, difference.action), starting);
    if (combined === "noOp" && isAbsent(child)) continue;
    blocks.set(name, inside);
    action = combinedAction(action, combined);
  }
  return differenceAt(pair, action, { kind: "block", attributes: sortedByName(attributes), blocks });
}

/** Providers on the legacy SDK have no null strings: in blocks an empty string counts as null. */
function blockAttributePair(pair: ValuePair, name: string): ValuePair {
  const child = childPair(pair, attributeStep(name), false);
  const { before, after } = child;
  if (before.value?.payload !== "" && after.value?.payload !== "") return child;
  return { ...child, before: emptyAsNull(before), after: emptyAsNull(after) };
}

function emptyAsNull(side: Side): Side {
  return side.value?.payload === "" ? { isPresent: side.isPresent, sensitive: side.sensitive } : side;
}

function nestedBlockDifferences(plain: ValuePair, nested: NestedBlock, outer: Block): BlockDifferences {
  const { nesting, block } = nested;
  const pair = nesting === "set" ? withHiddenElements(plain, block) : plain;
  const sensitive = { before: pair.before.sensitive, after: pair.after.sensitive };
  const hidden = { before: pair.hidden.before || sensitive.before, after: pair.hidden.after || sensitive.after };
  const shown: ValuePair = { ...pair, hidden, before: { ...pair.before, sensitive: false }, after: { ...pair.after, sensitive: false } };
  const forcesReplacement = pair.requiresReplace.some((path) => path.length === 0);
  return { nesting, forcesReplacement, sensitive, blocks: blocksOf(shown, nested, outer) };
}

/**
 * The block by whose attributes the cores show a block in it that becomes unknown: the outer one. An attribute is sensitive if the inner block
 * has a sensitive attribute of its name.
 *
 * @see OpenTofu jsonformat/differ, ComputeDiffForBlock
 */
function shownAround(outer: Block, inner: Block | undefined): Block {
  const attributes = Object.entries(outer.attributes).map(
    ([name, attribute]) => [name, { ...attribute, sensitive: inner?.attributes[name]?.sensitive === true }] as const,
  );
  return { ...outer, attributes: Object.fromEntries(attributes) };
}

function blocksOf(pair: ValuePair, { nesting, block }: NestedBlock, outer: Block): BlockDifferences["blocks"] {
  const isOne = nesting === "single" || nesting === "group";
  if (pair.unknown === true) return [{ difference: blockDifference(pair, shownAround(outer, isOne ? block : undefined)) }];
  if (isOne) return [{ difference: blockDifference(pair, block) }];
  switch (nesting) {
    case "list":
      return positions(pair).map((index) => ({ difference: blockDifference(childPair(pair, indexStep(index), true), block) }));
    case "map":
      return keysOf(pair).map((key) => ({ key, difference: blockDifference(childPair(pair, indexStep(key), true), block) }));
    default:
      return setElements(pair).map((element) => ({ difference: blockDifference(element, block) }));
  }
}
