// SPDX-License-Identifier: Apache-2.0
/**
 * Finds providers as the CLIs do, verifies them, and unpacks them to a cache.
 *
 * @module
 */
export { installProvider, type InstalledProvider, type InstallEvent, type InstallOptions } from "./install-provider.ts";
export type { PackageTrust } from "./cache/install-records.ts";
export type { LockSettings } from "./lock-file/locked-provider.ts";
export { pruneLockFile, type PruneOptions } from "./lock-file/prune-lock-file.ts";
export type { SignaturePolicy } from "./source/signature.ts";
export { hashPackageFolder, hashPackageZip, hashZipFile, type HashOptions, type PackageHash } from "./package/package-hash.ts";
export { defaultHostnames, formatAddress, parseAddress, type SourceAddress } from "./address/source-address.ts";
export { currentPlatform, formatPlatform, parsePlatform, type Platform } from "./address/platform.ts";
export { compareVersions, formatVersion, parseVersion, type Version } from "./version/version.ts";
export {
  type ConstraintOperator,
  formatConstraints,
  meetsConstraints,
  newestVersion,
  parseConstraints,
  type VersionConstraint,
  type VersionConstraints,
} from "./version/version-constraints.ts";
export type {
  CliConfig,
  CliFlavour,
  CredentialsHelper,
  InstallationMethod,
  OciCredentials,
  ProviderInstallation,
} from "./cli-config/cli-config.ts";
export type { SourcePattern } from "./cli-config/source-pattern.ts";
export { decodeCliConfig } from "./cli-config/decode-cli-config.ts";
export { ModuleRegistry, type ModuleAddress, type ModuleLocation, type ModuleRegistryOptions } from "./module-registry.ts";
export { OciModules } from "./oci-modules.ts";
export type { OciRepository } from "./source/oci-repository.ts";
export { unpackPackage, type UnpackOptions } from "./package/unpack.ts";
export type { PackageLimits } from "./package/package-archive.ts";
export { loadCliConfig } from "./cli-config/load-cli-config.ts";
export { PluginHostError, type PluginHostErrorCode } from "../error.ts";
