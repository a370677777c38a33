// SPDX-License-Identifier: Apache-2.0
/**
 * Makes an executable of a provider, in the layouts Terraform and OpenTofu read.
 *
 * @module
 */
export { type PackagedProvider, packageProvider, type PackageOptions } from "./package-provider.ts";
export { SdkError, type SdkErrorCode } from "../error.ts";
