// SPDX-License-Identifier: Apache-2.0
import { isWhollyKnown, nullOf, same, type Type, type Value } from "@tenon/cty";
import { isUnknownPayload, setPayload, valueOf, type Payload } from "@tenon/cty/unstable/payload";
import { assert, nat, property } from "fast-check";
import { describe, test } from "vitest";
import {
  randomBlock,
  randomBlockValue,
  randomFrom,
  typePayload,
  type Random,
  type ValueKind,
} from "../../test/differential/arbitrary-block.ts";
import { impliedType } from "../model/implied-type.ts";
import type { Attribute, Block, NestedBlock } from "../model/schema.ts";
import { difference } from "./difference.ts";
import { normalizeObjectFromLegacySdk } from "./legacy-normalization.ts";
import { assertObjectCompatible } from "./object-compatible.ts";
import { assertPlanValid } from "./plan-valid.ts";
import { proposedNew } from "./proposed-new.ts";
import { assertWriteOnlyNull } from "./write-only.ts";

const known: ValueKind = { unknown: 0, config: false };
const wholeConfig: ValueKind = { unknown: 0, config: true };
const config: ValueKind = { unknown: 0.1, config: true };

/** Checks a property of random blocks and values of them. */
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

/** The value with what is unknown in it known. */
function learned(random: Random, { type, payload }: Value): Value {
  return valueOf(type, learnedPayload(random, type, payload));
}

function learnedPayload(random: Random, type: Type, payload: Payload): Payload {
  if (isUnknownPayload(payload)) return typePayload(random, type, known);
  if (payload instanceof Map && type.kind === "map")
    return new Map([...payload].map(([key, element]) => [key, learnedPayload(random, type.element, element)]));
  if (!Array.isArray(payload)) return payload;
  const parts = payload as readonly Payload[];
  if (type.kind === "object") return type.names.map((name, slot) => learnedPayload(random, type.attributes[name]!, parts[slot]!));
  if (type.kind === "tuple") return parts.map((part, index) => learnedPayload(random, type.elements[index]!, part));
  if (type.kind === "list") return parts.map((part) => learnedPayload(random, type.element, part));
  return type.kind === "set"
    ? setPayload(
        type.element,
        parts.map((part) => learnedPayload(random, type.element, part)),
      )
    : payload;
}

/** Elements of sets that differ in computed attributes alone cannot be told apart, by no one. */
function hasSets(block: Block): boolean {
  const inAttribute = ({ nested }: Attribute): boolean =>
    nested !== undefined && (nested.nesting === "set" || Object.values(nested.attributes).some(inAttribute));
  const inBlock = (nested: NestedBlock): boolean => nested.nesting === "set" || hasSets(nested.block);
  return Object.values(block.attributes).some(inAttribute) || Object.values(block.blocks).some(inBlock);
}

describe("what is proposed", () => {
  test("is a valid plan", () => {
    holds((random, block) => {
      const prior = priorOf(random, block);
      const wanted = randomBlockValue(random, block, config);
      return assertPlanValid(block, prior, wanted, proposedNew(block, prior, wanted)).length === 0;
    });
  });

  test("is of the block's type", () => {
    holds(
      (random, block) => proposedNew(block, priorOf(random, block), randomBlockValue(random, block, config)).type === impliedType(block),
    );
  });

  test("is proposed again once it has been applied", () => {
    holds((random, block) => {
      if (hasSets(block)) return true;
      const wanted = randomBlockValue(random, block, wholeConfig);
      const applied = proposedNew(block, priorOf(random, block), wanted);
      return same(proposedNew(block, applied, wanted), applied);
    });
  });
});

describe("what is applied", () => {
  test("is compatible with a plan of which it only knows more", () => {
    holds((random, block) => {
      const planned = proposedNew(block, priorOf(random, block), randomBlockValue(random, block, config));
      const applied = learned(random, planned);
      return isWhollyKnown(applied) && assertObjectCompatible(block, planned, applied).length === 0;
    });
  });

  test("is compatible with itself, and no other way round than the same", () => {
    holds((random, block) => {
      const [one, other] = [randomBlockValue(random, block, known), randomBlockValue(random, block, known)];
      return (
        assertObjectCompatible(block, one, one).length === 0 && (same(one, other) || assertObjectCompatible(block, one, other).length > 0)
      );
    });
  });

  test("has no write-only values where the provider keeps to the rules", () => {
    holds((random, block) => assertWriteOnlyNull(block, randomBlockValue(random, block, known)).length === 0);
  });
});

describe("a difference", () => {
  test("is none between a value and itself, and some between two others", () => {
    holds((random, block) => {
      const [one, other] = [randomBlockValue(random, block, known), randomBlockValue(random, block, known)];
      if (difference(block, one, one).action !== "noOp") return false;
      // Empty and null strings are the same to a person.
      return (
        same(one, other) ||
        difference(block, one, other).action !== "noOp" ||
        assertObjectCompatible(block, one, other).every(({ message }) => message.includes('cty.StringVal("")'))
      );
    });
  });
});

test("normalising what needs it not changes nothing", () => {
  holds((random, block) => {
    const value = randomBlockValue(random, block, known);
    return same(normalizeObjectFromLegacySdk(block, value), value);
  });
});
