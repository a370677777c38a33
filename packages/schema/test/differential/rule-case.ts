// SPDX-License-Identifier: Apache-2.0
import { attributeStep, nullOf, type Value } from "@tenon/cty";
import { decode, encode } from "@tenon/cty/msgpack";
import {
  assertObjectCompatible,
  assertPlanValid,
  difference,
  formatProblem,
  normalizeObjectFromLegacySdk,
  plannedUnknownObject,
  proposedNew,
  renderDifference,
} from "../../src/change/index.ts";
import { impliedType } from "../../src/model/implied-type.ts";
import type { Block } from "../../src/model/schema.ts";
import { unknownAsNull } from "../../src/model/unknown-parts.ts";
import { mutated, pick, randomBlock, randomBlockValue, randomFrom } from "./arbitrary-block.ts";
import { fromPlainBlock, toPlainBlock, type PlainBlock } from "./plain-block.ts";

export const rules = ["proposedNew", "plannedUnknownObject", "assertPlanValid", "assertObjectCompatible", "normalize", "render"] as const;

/** Something to ask both us and OpenTofu. Values are msgpack in base64. */
export interface RuleCase {
  readonly op: (typeof rules)[number];
  readonly schema: PlainBlock;
  readonly values: readonly string[];
  /** Names of attributes and blocks whose change forces replacement. */
  readonly requiresReplace?: readonly (readonly string[])[];
  readonly action?: "create" | "update" | "delete";
}

/** Text, lines of text, or a value in msgpack and base64. */
export type RuleAnswer = string | readonly string[];

/** The case that a seed stands for. */
export function ruleCase(seed: number, only?: RuleCase["op"]): RuleCase {
  const random = randomFrom(seed);
  const block = randomBlock(random);
  const type = impliedType(block);
  const config = randomBlockValue(random, block, { unknown: 0.08, config: true });
  const known = randomBlockValue(random, block, { unknown: 0, config: false });
  const prior = random() < 0.2 ? nullOf(type) : unknownAsNull(mutated(random, known, config, 0.3));
  const op = only ?? pick(random, rules);
  const made = (values: readonly Value[], more: Partial<RuleCase> = {}): RuleCase => ({
    op,
    schema: toPlainBlock(block),
    values: values.map((value) => toText(block, value)),
    ...more,
  });
  switch (op) {
    case "proposedNew":
      return made([prior, config]);
    case "plannedUnknownObject":
    case "normalize":
      return made([config]);
    case "assertPlanValid":
      return made([
        prior,
        config,
        mutated(random, proposedNew(block, prior, config), randomBlockValue(random, block, { unknown: 0.1, config: false }), 0.15),
      ]);
    case "assertObjectCompatible": {
      const planned = random() < 0.1 ? nullOf(type) : proposedNew(block, prior, config);
      const source = randomBlockValue(random, block, { unknown: 0.02, config: false });
      return made([planned, mutated(random, planned.payload === null ? prior : planned, source, 0.1)]);
    }
    default: {
      const source = randomBlockValue(random, block, { unknown: 0.1, config: false });
      const isDelete = random() < 0.15 && prior.payload !== null;
      const after = isDelete
        ? nullOf(type)
        : mutated(random, prior.payload === null ? proposedNew(block, prior, config) : prior, source, 0.2);
      const requiresReplace = Object.keys({ ...block.attributes, ...block.blocks })
        .filter(() => random() < 0.15)
        .map((name) => [name]);
      return made([prior, after], { requiresReplace, action: prior.payload === null ? "create" : isDelete ? "delete" : "update" });
    }
  }
}

/** What we answer. */
export function ourAnswer(asked: RuleCase): RuleAnswer {
  const block = fromPlainBlock(asked.schema);
  const values = asked.values.map((text) => decode(Buffer.from(text, "base64"), impliedType(block)) as Value);
  const [first, second, third] = values as [Value, Value, Value];
  switch (asked.op) {
    case "proposedNew":
      return toText(block, proposedNew(block, first, second));
    case "plannedUnknownObject":
      return toText(block, plannedUnknownObject(block, first));
    case "normalize":
      return toText(block, normalizeObjectFromLegacySdk(block, first));
    case "assertPlanValid":
      return assertPlanValid(block, first, second, third).map(formatProblem).toSorted();
    case "assertObjectCompatible":
      return assertObjectCompatible(block, first, second).map(formatProblem).toSorted();
    default: {
      const requiresReplace = asked.requiresReplace!.map((names) => names.map(attributeStep));
      // Without the sign before it, which OpenTofu takes from elsewhere.
      return renderDifference(difference(block, first, second, { requiresReplace }), { header: 'resource "test_thing" "x"' }).slice(4);
    }
  }
}

function toText(block: Block, value: Value): string {
  return Buffer.from(encode(value, impliedType(block))).toString("base64");
}
