// SPDX-License-Identifier: Apache-2.0
import { attributeStep, indexStep } from "@tenon/cty";
import type { Block, NestedBlock } from "../model/schema.ts";
import type { BlockDifferences, Difference, DifferenceAction } from "./difference.ts";
import { attributeDifference, inTellingOrder, positions, sortedByName, withHiddenElements } from "./difference-of-attribute.ts";
import { hiddenOr } from "./difference-of-hidden.ts";
import { keysOf, setElements } from "./difference-of-type.ts";
import { childChange, combinedAction, differenceAt, isAbsent, startingAction, type Change, type Side } from "./side-by-side.ts";

/** The difference of a block, with everything in it. */
export function blockDifference(change: Change, block: Block): Difference {
  return hiddenOr(change, (shown) => shownBlockDifference(shown, block), "attributes");
}

function shownBlockDifference(change: Change, block: Block): Difference {
  const attributes = new Map<string, Difference>();
  let action = startingAction(change);
  for (const [name, attribute] of inTellingOrder(change, block.attributes)) {
    const child = blockAttribute(change, name);
    const inside = attributeDifference(child, attribute, action);
    if (inside.action === "noOp" && isAbsent(child) && !attribute.writeOnly) continue;
    attributes.set(name, inside);
    action = combinedAction(action, inside.action);
  }
  const blocks = new Map<string, BlockDifferences>();
  for (const [name, nested] of Object.entries(block.blocks)) {
    const child = childChange(change, attributeStep(name), false);
    const inside = nestedBlockDifferences(child, nested);
    const starting = child.unknown === true ? inside.blocks[0]!.difference.action : startingAction(child);
    const combined = inside.blocks.reduce<DifferenceAction>((whole, { difference }) => combinedAction(whole, difference.action), starting);
    if (combined === "noOp" && isAbsent(child)) continue;
    blocks.set(name, inside);
    action = combinedAction(action, combined);
  }
  return differenceAt(change, action, { kind: "block", attributes: sortedByName(attributes), blocks });
}

/** Providers on the old SDK know no null strings: in blocks an empty one counts as null. */
function blockAttribute(change: Change, name: string): Change {
  const child = childChange(change, attributeStep(name), false);
  const emptyAsNothing = (side: Side): Side => (side.value?.payload === "" ? { there: side.there, sensitive: side.sensitive } : side);
  return { ...child, before: emptyAsNothing(child.before), after: emptyAsNothing(child.after) };
}

function nestedBlockDifferences(plain: Change, nested: NestedBlock): BlockDifferences {
  const { nesting, block } = nested;
  const change = nesting === "set" ? withHiddenElements(plain, block) : plain;
  const sensitive = { before: change.before.sensitive, after: change.after.sensitive };
  const shown: Change = { ...change, before: { ...change.before, sensitive: false }, after: { ...change.after, sensitive: false } };
  const forcesReplacement = change.requiresReplace.some((path) => path.length === 0);
  return { nesting, forcesReplacement, sensitive, blocks: blocksOf(shown, nested) };
}

function blocksOf(change: Change, { nesting, block }: NestedBlock): BlockDifferences["blocks"] {
  if (change.unknown === true || nesting === "single" || nesting === "group") return [{ difference: blockDifference(change, block) }];
  switch (nesting) {
    case "list":
      return positions(change).map((index) => ({ difference: blockDifference(childChange(change, indexStep(index), true), block) }));
    case "map":
      return keysOf(change).map((key) => ({ key, difference: blockDifference(childChange(change, indexStep(key), true), block) }));
    default:
      return setElements(change).map((element) => ({ difference: blockDifference(element, block) }));
  }
}
