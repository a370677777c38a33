// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, nullOf, same, type Type, type Value } from "@tenon/cty";
import { isUnknownPayload, setPayload, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { assert, nat, property } from "fast-check";
import { describe, test } from "vitest";
import { randomBlock, randomBlockValue, randomFrom, typePayload, type Random, type ValueKind } from "./arbitrary-block.ts";
import { impliedType } from "../../src/model/implied-type.ts";
import type { Attribute, Block, NestedBlock } from "../../src/model/schema.ts";
import { difference } from "../../src/difference/index.ts";
import { normalizeObjectFromLegacySdk } from "../../src/change/legacy-normalization.ts";
import { assertObjectCompatible } from "../../src/change/object-compatible.ts";
import { assertPlanValid } from "../../src/change/plan-valid.ts";
import { proposedNew } from "../../src/change/proposed-new.ts";
import { assertWriteOnlyNull } from "../../src/change/write-only.ts";

const known: ValueKind = { unknown: 0, config: false };
const wholeConfig: ValueKind = { unknown: 0, config: true };
const config: ValueKind = { unknown: 0.1, config: true };

/** Asserts a property of random blocks and values of them. */
function holds(check: (random: Random, block: Block) => boolean): void {
  assert(
    property(nat(), (seed) => {
      const random = randomFrom(seed);
      return check(random, randomBlock(random));
    }),
    { numRuns: 400 },
  );
}

function priorOf(random: Random, block: Block): Value {
  return random() < 0.2 ? nullOf(impliedType(block)) : randomBlockValue(random, block, known);
}

/** Returns the value with random known values in place of the unknown ones. */
function resolved(random: Random, { type, payload }: Value): Value {
  return valueOf(type, resolvedPayload(random, type, payload));
}

function resolvedPayload(random: Random, type: Type, payload: Payload): Payload {
  if (isUnknownPayload(payload)) return typePayload(random, type, known);
  if (payload instanceof Map && type.kind === "map")
    return new Map([...payload].map(([key, element]) => [key, resolvedPayload(random, type.element, element)]));
  if (!Array.isArray(payload)) return payload;
  const parts = payload as readonly Payload[];
  if (type.kind === "object") return type.names.map((name, slot) => resolvedPayload(random, type.attributes[name]!, parts[slot]!));
  if (type.kind === "tuple") return parts.map((part, index) => resolvedPayload(random, type.elements[index]!, part));
  if (type.kind === "list") return parts.map((part) => resolvedPayload(random, type.element, part));
  return type.kind === "set"
    ? setPayload(
        type.element,
        parts.map((part) => resolvedPayload(random, type.element, part)),
      )
    : payload;
}

/** Whether the block contains a set. Set elements that differ only in computed attributes cannot be correlated. */
function hasSets(block: Block): boolean {
  const inAttribute = ({ nested }: Attribute): boolean =>
    nested !== undefined && (nested.nesting === "set" || Object.values(nested.attributes).some(inAttribute));
  const inBlock = (nested: NestedBlock): boolean => nested.nesting === "set" || hasSets(nested.block);
  return Object.values(block.attributes).some(inAttribute) || Object.values(block.blocks).some(inBlock);
}

describe("the proposed new state", () => {
  test("is a valid plan", () => {
    holds((random, block) => {
      const prior = priorOf(random, block);
      const configured = randomBlockValue(random, block, config);
      return assertPlanValid(block, prior, configured, proposedNew(block, prior, configured)).length === 0;
    });
  });

  test("is of the block's type", () => {
    holds(
      (random, block) => proposedNew(block, priorOf(random, block), randomBlockValue(random, block, config)).type === impliedType(block),
    );
  });

  test("is proposed again after it was applied", () => {
    holds((random, block) => {
      if (hasSets(block)) return true;
      const configured = randomBlockValue(random, block, wholeConfig);
      const applied = proposedNew(block, priorOf(random, block), configured);
      return same(proposedNew(block, applied, configured), applied);
    });
  });
});

describe("an applied object", () => {
  test("is compatible with a plan whose unknown values it resolves", () => {
    holds((random, block) => {
      const planned = proposedNew(block, priorOf(random, block), randomBlockValue(random, block, config));
      const applied = resolved(random, planned);
      return isWhollyKnown(applied) && assertObjectCompatible(block, planned, applied).length === 0;
    });
  });

  test("is compatible with itself, and with no different known value", () => {
    holds((random, block) => {
      const [one, other] = [randomBlockValue(random, block, known), randomBlockValue(random, block, known)];
      return (
        assertObjectCompatible(block, one, one).length === 0 && (same(one, other) || assertObjectCompatible(block, one, other).length > 0)
      );
    });
  });

  test("has no write-only values", () => {
    holds((random, block) => assertWriteOnlyNull(block, randomBlockValue(random, block, known)).length === 0);
  });
});

describe("a difference", () => {
  test("is empty between equal values only", () => {
    holds((random, block) => {
      const [one, other] = [randomBlockValue(random, block, known), randomBlockValue(random, block, known)];
      if (difference(block, one, one).action !== "noOp") return false;
      // Empty and null strings are rendered alike.
      return (
        same(one, other) ||
        difference(block, one, other).action !== "noOp" ||
        assertObjectCompatible(block, one, other).every(({ message }) => message.includes('cty.StringVal("")'))
      );
    });
  });
});

test("normalizeObjectFromLegacySdk returns a valid value unchanged", () => {
  holds((random, block) => {
    const value = randomBlockValue(random, block, known);
    return same(normalizeObjectFromLegacySdk(block, value), value);
  });
});
