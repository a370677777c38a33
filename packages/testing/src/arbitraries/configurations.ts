// SPDX-License-Identifier: Apache-2.0
import type { Arbitrary } from "fast-check";
import type { Type, Value } from "@tenon/cty";
import type { Block, Schema } from "@tenon/schema";
import { changeConfiguration, generateBlock, generatePrior, withUnknowns } from "../generate/block-value.ts";
import { generateSchema, generateType, type SchemaSettings } from "../generate/schema.ts";
import { generateValue } from "../generate/type-value.ts";
import type { ValueSettings } from "../generate/value-settings.ts";
import { generatedBy } from "./generated-by.ts";

/**
 * Configurations that fit a schema: required attributes are set, computed ones are not, and blocks have an allowed number of elements. What the
 * provider validates beyond its schema is not known: say with `parts` how such attributes are generated.
 */
export function configurations(block: Block, settings: ValueSettings = {}): Arbitrary<Value> {
  return generatedBy((random) => generateBlock(random, block, "configuration", settings));
}

/** Configurations of which some attributes are unknown, as in a plan. */
export function unknownConfigurations(block: Block, settings: ValueSettings = {}): Arbitrary<Value> {
  return generatedBy((random) => withUnknowns(random, block, generateBlock(random, block, "configuration", settings)));
}

/** A change of a configuration: from the first one to the second, which differs in few parts or in none. */
export interface ConfigurationChange {
  readonly before: Value;
  readonly after: Value;
}

/** Changes of configurations that fit a schema. */
export function configurationChanges(block: Block, settings: ValueSettings = {}): Arbitrary<ConfigurationChange> {
  return generatedBy((random) => {
    const before = generateBlock(random, block, "configuration", settings);
    return { before, after: changeConfiguration(random, block, before, settings) };
  });
}

/** States that fit a schema: write-only attributes are null, and others may be set. */
export function states(block: Block, settings: ValueSettings = {}): Arbitrary<Value> {
  return generatedBy((random) => generateBlock(random, block, "state", settings));
}

/** States of objects that were made from a plan: the values that it leaves unknown are generated. */
export function priors(block: Block, planned: Value, settings: ValueSettings = {}): Arbitrary<Value> {
  return generatedBy((random) => generatePrior(random, block, planned, settings));
}

/** Schemas of resource types that follow the rules of the protocol. */
export function schemas(settings: SchemaSettings = {}): Arbitrary<Schema> {
  return generatedBy((random) => generateSchema(random, settings));
}

/** Types of attributes. */
export function attributeTypes(): Arbitrary<Type> {
  return generatedBy((random) => generateType(random, { depth: 2, dynamic: true }));
}

/** Known values of a type, which are not null. */
export function values(type: Type, settings: ValueSettings = {}): Arbitrary<Value> {
  return generatedBy((random) => generateValue(random, type, settings));
}
