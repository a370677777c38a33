// SPDX-License-Identifier: Apache-2.0
/**
 * Packages a provider as an executable, in the folder layouts of Terraform and OpenTofu, and collects the components of a folder.
 *
 * @module
 */
export { type PackagedProvider, packageProvider, type PackageOptions } from "./package-provider.ts";
export { collectComponents, type CollectOptions } from "./collect-components.ts";
export { SdkError, type SdkErrorCode } from "../error.ts";
