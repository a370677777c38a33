// SPDX-License-Identifier: Apache-2.0
/**
 * Any Terraform or OpenTofu provider as a Pulumi provider.
 *
 * @module
 */
export { bridgePackage, type BridgedPackage, type BridgeOptions } from "./schema/bridge-package.ts";
export type { PackageTexts, SchemaParameterization } from "./schema/package-schema.ts";
export type * from "./mapping/mapping.ts";
export { BridgeError, type BridgeErrorCode } from "../error.ts";
