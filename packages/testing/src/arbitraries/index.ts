// SPDX-License-Identifier: Apache-2.0
/**
 * Arbitraries of fast-check for what a provider receives: configurations, changes and prior objects of any schema, and schemas.
 *
 * @module
 */
export {
  attributeTypes,
  configurationChanges,
  configurations,
  priors,
  schemas,
  states,
  unknownConfigurations,
  values,
  type ConfigurationChange,
} from "./configurations.ts";
export { generatedBy } from "./generated-by.ts";
export type { Random } from "../generate/random.ts";
export type { SchemaSettings } from "../generate/schema.ts";
export type { ValueSettings } from "../generate/value-settings.ts";
