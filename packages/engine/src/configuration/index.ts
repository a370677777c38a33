// SPDX-License-Identifier: Apache-2.0
/**
 * Loads OpenTofu configurations: the files of each module, and the tree of modules, with OpenTofu's diagnostics.
 *
 * @module
 */
export { loadConfiguration, type LoadedConfiguration, type LoadOptions } from "./load-configuration.ts";
export { localModules, type ModuleRequest, type ModuleResolver, type ResolvedModule } from "./module-request.ts";
export {
  formatManifest,
  installedModules,
  manifestKey,
  manifestPath,
  parseManifest,
  readManifest,
  relativeManifest,
  type InstalledModule,
  type ModuleManifest,
} from "./module-manifest.ts";
export {
  collectVariables,
  givenValue,
  resolveVariables,
  variablesFilesAmong,
  type CollectedVariables,
  type GivenVariable,
  type VariableOrigin,
  type VariableSources,
} from "./variable-values.ts";
export { allModules, descendant, type Configuration } from "./configuration.ts";
export { objectFiles, type ConfigurationFiles, type ConfigurationObject, type MaybePromise } from "./file-system.ts";
export { isIgnoredFile, moduleFilesAmong, type ModuleFiles } from "./module-files.ts";
export { providerConfigOfResource, providerOfLocalName, type Module } from "./module.ts";
export { formatModuleSource, parseModuleSource, parseRegistrySource, type ModuleSource, type ParsedModuleSource } from "./module-source.ts";
export { StaticScope, type StaticEnvironment, type StaticSubject, type StaticVariables } from "./static-scope.ts";
export type { StaticModuleCall } from "./static-call.ts";
export { parseVariableText, type Variable, type VariableParsing } from "./variable.ts";
export {
  formatVersionRequirement,
  parseComparableVersion,
  parseVersionRequirement,
  versionMeets,
  type ComparableVersion,
  type VersionComparison,
  type VersionRequirement,
} from "./version-constraint.ts";
export { providerRequirements, type ProviderRequirement } from "./provider-requirements.ts";
export { opentofuVersion } from "../opentofu-version.ts";
export type { Repetition } from "./block-content.ts";
export type { CheckBlock } from "./check-block.ts";
export type { CheckRule } from "./check-rule.ts";
export type { EncryptionBlock } from "./encryption.ts";
export type { ImportBlock } from "./import-block.ts";
export type { IgnoreChanges } from "./lifecycle.ts";
export type { LocalValue } from "./local-value.ts";
export type { ModuleCall } from "./module-call.ts";
export type { MovedBlock } from "./moved-block.ts";
export type { Output } from "./output.ts";
export type { ProviderBlock } from "./provider-block.ts";
export type { PassedProvider, ProviderReference } from "./provider-reference.ts";
export type { Connection, Provisioner } from "./provisioner.ts";
export type { RemovedBlock } from "./removed-block.ts";
export type { RequiredProvider } from "./required-providers.ts";
export type { ManagedArguments, ResourceBlock } from "./resource.ts";
export type { BackendBlock, CloudBlock, ProviderMetaBlock } from "./terraform-block.ts";
