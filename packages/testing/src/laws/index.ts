// SPDX-License-Identifier: Apache-2.0
/**
 * Laws that the resources of every provider follow, checked over generated configurations.
 *
 * @module
 */
export { checkResource, type ResourceCheckOptions, type ResourceCheckResult, type ValueSource } from "./check-resource.ts";
export { lawNames, laws, type Law, type LawName, type LawNeed, type LawWeight } from "./law.ts";
export type { EarlierIdentity, EarlierState, MovedObject } from "./subject.ts";
export type { Random } from "../generate/random.ts";
