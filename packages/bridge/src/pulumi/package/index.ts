// SPDX-License-Identifier: Apache-2.0
/**
 * Packages a provider of the SDK as a Pulumi plugin. Needs `@tenon/provider-sdk` and esbuild.
 *
 * @module
 */
export { packagePulumiProvider, type PackagedPlugin } from "./package-provider.ts";
export type { PulumiPackageOptions } from "./package-options.ts";
export { pluginYoungGenerationMiB } from "./young-generation.ts";
export { BridgeError, type BridgeErrorCode } from "../../error.ts";
