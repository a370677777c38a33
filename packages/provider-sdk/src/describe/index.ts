// SPDX-License-Identifier: Apache-2.0
/**
 * Describes a provider as data, for documentation, editors and checks.
 *
 * @module
 */
export { describe } from "./describe.ts";
export type {
  AttributeDescription,
  ComponentDescription,
  EntryDescription,
  FunctionDescription,
  IdentityDescription,
  ImportDescription,
  NestedDescription,
  ParameterDescription,
  ProviderDescription,
  ResourceDescription,
} from "./description.ts";
