// SPDX-License-Identifier: Apache-2.0
/**
 * Packages a provider as an executable, in the folder layouts of Terraform and OpenTofu, and collects the components of a folder. Other
 * programs of Node become executables of the same form.
 *
 * @module
 */
export { type PackagedProvider, packageProvider, type PackageOptions } from "./package-provider.ts";
export { type LauncherOptions, packageProgram, type ProgramOptions } from "./package-program.ts";
export { type PackagedFile, writePackage } from "./write-package.ts";
export type { ZipEntry } from "./zip-archive.ts";
export { collectComponents, type CollectOptions } from "./collect-components.ts";
export { SdkError, type SdkErrorCode } from "../error.ts";
