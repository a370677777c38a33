// SPDX-License-Identifier: Apache-2.0
/**
 * Generates TypeScript types for any provider.
 *
 * @module
 */
export { generateTypes, type GenerateTypesOptions } from "./generate-types.ts";
