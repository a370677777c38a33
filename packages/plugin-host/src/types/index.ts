// SPDX-License-Identifier: Apache-2.0
/**
 * Writes TypeScript types for any provider.
 *
 * @module
 */
export { generateTypes, type GenerateTypesOptions } from "./generate-types.ts";
