// SPDX-License-Identifier: Apache-2.0
/**
 * Random names for the real objects of tests, which a seed repeats.
 *
 * @module
 */
export { type NamesContext, type RandomNames, randomNames, type RandomNamesOptions, standardPrefix } from "./random-names.ts";
