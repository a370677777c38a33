// SPDX-License-Identifier: Apache-2.0
import { attributeStep, nullOf, type Value } from "@tenon/cty";
import { decode, encode } from "@tenon/cty/msgpack";
import {
  assertObjectCompatible,
  assertPlanValid,
  formatRuleViolation,
  normalizeObjectFromLegacySdk,
  plannedUnknownObject,
  proposedNew,
} from "../../src/change/index.ts";
import { difference, renderDifference } from "../../src/difference/index.ts";
import { impliedType } from "../../src/model/implied-type.ts";
import type { Block } from "../../src/model/schema.ts";
import { unknownAsNull } from "../../src/model/unknown-parts.ts";
import { mutated, pick, randomBlock, randomBlockValue, randomFrom } from "./arbitrary-block.ts";
import { fromPlainBlock, toPlainBlock, type PlainBlock } from "./plain-block.ts";

export const rules = ["proposedNew", "plannedUnknownObject", "assertPlanValid", "assertObjectCompatible", "normalize", "render"] as const;

/** Input of a rule, for us and for OpenTofu. Values are msgpack in base64. */
export interface RuleCase {
  readonly op: (typeof rules)[number];
  readonly schema: PlainBlock;
  readonly values: readonly string[];
  /** Names of attributes and blocks whose change forces replacement. */
  readonly requiresReplace?: readonly (readonly string[])[];
  readonly action?: "create" | "update" | "delete";
}

/** Result of a rule: text, lines of text, or a value in msgpack and base64. */
export type RuleResult = string | readonly string[];

/** Creates the case of a seed. */
export function ruleCase(seed: number, only?: RuleCase["op"]): RuleCase {
  const random = randomFrom(seed);
  const block = randomBlock(random);
  const type = impliedType(block);
  const config = randomBlockValue(random, block, { unknown: 0.08, config: true });
  const known = randomBlockValue(random, block, { unknown: 0, config: false });
  const prior = random() < 0.2 ? nullOf(type) : unknownAsNull(mutated(random, known, config, 0.3));
  const op = only ?? pick(random, rules);
  const caseOf = (values: readonly Value[], more: Partial<RuleCase> = {}): RuleCase => ({
    op,
    schema: toPlainBlock(block),
    values: values.map((value) => toText(block, value)),
    ...more,
  });
  switch (op) {
    case "proposedNew":
      return caseOf([prior, config]);
    case "plannedUnknownObject":
    case "normalize":
      return caseOf([config]);
    case "assertPlanValid":
      return caseOf([
        prior,
        config,
        mutated(random, proposedNew(block, prior, config), randomBlockValue(random, block, { unknown: 0.1, config: false }), 0.15),
      ]);
    case "assertObjectCompatible": {
      const planned = random() < 0.1 ? nullOf(type) : proposedNew(block, prior, config);
      const source = randomBlockValue(random, block, { unknown: 0.02, config: false });
      return caseOf([planned, mutated(random, planned.payload === null ? prior : planned, source, 0.1)]);
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
      return caseOf([prior, after], { requiresReplace, action: prior.payload === null ? "create" : isDelete ? "delete" : "update" });
    }
  }
}

/** Returns our result for a case. */
export function ourResult(input: RuleCase): RuleResult {
  const block = fromPlainBlock(input.schema);
  const values = input.values.map((text) => decode(Buffer.from(text, "base64"), impliedType(block)) as Value);
  const [first, second, third] = values as [Value, Value, Value];
  switch (input.op) {
    case "proposedNew":
      return toText(block, proposedNew(block, first, second));
    case "plannedUnknownObject":
      return toText(block, plannedUnknownObject(block, first));
    case "normalize":
      return toText(block, normalizeObjectFromLegacySdk(block, first));
    case "assertPlanValid":
      return assertPlanValid(block, first, second, third).map(formatRuleViolation).toSorted();
    case "assertObjectCompatible":
      return assertObjectCompatible(block, first, second).map(formatRuleViolation).toSorted();
    default: {
      const requiresReplace = input.requiresReplace!.map((names) => names.map(attributeStep));
      // Without the leading sign, which is not part of the text of the resource in OpenTofu.
      return renderDifference(difference(block, first, second, { requiresReplace }), { header: 'resource "test_thing" "x"' }).slice(4);
    }
  }
}

function toText(block: Block, value: Value): string {
  return Buffer.from(encode(value, impliedType(block))).toString("base64");
}
