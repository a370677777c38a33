// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Block } from "@tenon/schema";
import { changeConfiguration, changeOnePart, generateBlock, generatePrior, withUnknowns } from "../generate/block-value.ts";
import { createRandom, type Random } from "../generate/random.ts";
import type { ValueSettings } from "../generate/value-settings.ts";
import type { LawCase } from "./subject.ts";

/** Generates the configurations of one case. Half of the cases change one attribute or block alone. */
export function generateCase(random: Random, block: Block, settings: ValueSettings): LawCase {
  const generated: Value = generateBlock(random, block, "configuration", settings);
  const change = random.chance(0.5) ? changeOnePart(random, block, generated, settings) : undefined;
  const config = change?.before ?? generated;
  const changed = change?.after ?? changeConfiguration(random, block, config, settings);
  const seed = random.int(1000);
  return {
    config,
    changed,
    unknowns: withUnknowns(random, block, config),
    changedUnknowns: change?.unknowns ?? withUnknowns(random, block, changed),
    priorOf: (planned) => generatePrior(createRandom(seed), block, planned, settings),
  };
}
