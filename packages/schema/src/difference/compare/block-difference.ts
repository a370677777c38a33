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
    const child = childPair(pair, attributeStep(name), false);
    const inside = nestedBlockDifferences(child, nested);
    const starting = child.unknown === true ? inside.blocks[0]!.difference.action : startingAction(child);
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
  const emptyAsNull = (side: Side): Side => (side.value?.payload === "" ? { isPresent: side.isPresent, sensitive: side.sensitive } : side);
  return { ...child, before: emptyAsNull(child.before), after: emptyAsNull(child.after) };
}

function nestedBlockDifferences(plain: ValuePair, nested: NestedBlock): BlockDifferences {
  const { nesting, block } = nested;
  const pair = nesting === "set" ? withHiddenElements(plain, block) : plain;
  const sensitive = { before: pair.before.sensitive, after: pair.after.sensitive };
  const shown: ValuePair = { ...pair, before: { ...pair.before, sensitive: false }, after: { ...pair.after, sensitive: false } };
  const forcesReplacement = pair.requiresReplace.some((path) => path.length === 0);
  return { nesting, forcesReplacement, sensitive, blocks: blocksOf(shown, nested) };
}

function blocksOf(pair: ValuePair, { nesting, block }: NestedBlock): BlockDifferences["blocks"] {
  if (pair.unknown === true || nesting === "single" || nesting === "group") return [{ difference: blockDifference(pair, block) }];
  switch (nesting) {
    case "list":
      return positions(pair).map((index) => ({ difference: blockDifference(childPair(pair, indexStep(index), true), block) }));
    case "map":
      return keysOf(pair).map((key) => ({ key, difference: blockDifference(childPair(pair, indexStep(key), true), block) }));
    default:
      return setElements(pair).map((element) => ({ difference: blockDifference(element, block) }));
  }
}
