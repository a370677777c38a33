// SPDX-License-Identifier: Apache-2.0
/**
 * Any Terraform or OpenTofu provider as a Pulumi provider.
 *
 * @module
 */
export { bridgePackage, type BridgedPackage, type BridgeOptions, recordedNames } from "./schema/bridge-package.ts";
export type { PackageTexts, SchemaParameterization } from "./schema/package-schema.ts";
export type * from "./mapping/mapping.ts";
export type { TypeMapping } from "../type-mapping.ts";
export type { RecordedNames } from "./mapping/name-register.ts";
export { pluralOf, singularOf } from "./names/inflection.ts";
export { BridgeError, type BridgeErrorCode } from "../error.ts";
