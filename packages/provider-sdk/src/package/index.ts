// SPDX-License-Identifier: Apache-2.0
/**
 * What is done before a provider is used: making an executable of it, in the layouts Terraform and OpenTofu read, and collecting its
 * components from a folder.
 *
 * @module
 */
export { type PackagedProvider, packageProvider, type PackageOptions } from "./package-provider.ts";
export { collectComponents, type CollectOptions } from "./collect-components.ts";
export { SdkError, type SdkErrorCode } from "../error.ts";
