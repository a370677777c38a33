// SPDX-License-Identifier: Apache-2.0
/**
 * The generators of schemas, values and configurations behind `@tenon/testing/arbitraries`, for programs that make their random choices
 * themselves: each generates from a source of choices.
 *
 * @module
 */
export { createRandom, randomFor, randomFrom, type Choose, type Random } from "./random.ts";
export { recordChoices, replayChoices, simplerChoices, type ChoiceSequence, type Chosen } from "./choice-sequence.ts";
export { generateSchema, generateType, type SchemaSettings, type TypeSettings } from "./schema.ts";
export { changeConfiguration, creationPlan, generateBlock, generatePrior, withUnknowns, type ValueRole } from "./block-value.ts";
export { generateValue } from "./type-value.ts";
export type { ValueSettings } from "./value-settings.ts";
