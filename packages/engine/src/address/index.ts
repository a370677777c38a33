// SPDX-License-Identifier: Apache-2.0
/**
 * Addresses of OpenTofu as plain data: modules, resources, providers, references and targets. Functions parse, format and compare them.
 *
 * @module
 */
export { compareInstanceKeys, formatInstanceKey, instanceKeyOf, type InstanceKey, type InstanceKeyResult } from "./instance-key.ts";
export {
  childModule,
  compareModuleInstances,
  formatInModule,
  formatInModulePath,
  formatModuleInstance,
  formatModulePath,
  isSameModuleInstance,
  isSameModulePath,
  modulePathOf,
  rootModule,
  unkeyedInstance,
  type ModuleInstance,
  type ModulePath,
  type ModuleStep,
} from "./module.ts";
export {
  compareAbsoluteResources,
  compareResourceInstances,
  compareResources,
  configResourceOf,
  formatAbsoluteResource,
  formatConfigResource,
  formatResource,
  formatResourceInstance,
  formatResourceInstanceObject,
  impliedProviderName,
  isSameResource,
  isSameResourceInstance,
  isUnknownInstance,
  type AbsoluteResource,
  type ConfigResource,
  type Resource,
  type ResourceInstance,
  type ResourceInstanceObject,
  type ResourceMode,
} from "./resource.ts";
export {
  builtInProvider,
  compareProviders,
  defaultRegistryHost,
  formatProvider,
  formatProviderForDisplay,
  impliedProvider,
  isBuiltInProvider,
  isSameProvider,
  parseProvider,
  type ParsedProvider,
  type ProviderAddress,
} from "./provider.ts";
export {
  formatLocalProviderConfig,
  formatLocalProviderConfigCompact,
  formatProviderConfig,
  formatProviderConfigInstance,
  parseLegacyProviderConfig,
  parseProviderConfig,
  parseProviderConfigInstance,
  providerConfigInstanceOf,
  providerConfigOf,
  type LocalProviderConfig,
  type ProviderConfig,
  type ProviderConfigInstance,
} from "./provider-config.ts";
export {
  formatReference,
  formatReferenceSubject,
  formatSteps,
  parseReference,
  referenceOf,
  testReferenceOf,
  type Reference,
  type ReferenceSubject,
} from "./reference.ts";
export {
  absoluteResourceOf,
  configResourceOfTraversal,
  formatTarget,
  moduleInstanceOf,
  moduleTargetContains,
  parseAbsoluteResource,
  parseConfigResource,
  parseModuleInstance,
  parseResourceInstance,
  parseTarget,
  resourceInstanceOf,
  targetContainsInstance,
  targetOf,
  targetTouchesConfigResource,
  type Target,
  type TargetSubject,
} from "./target.ts";
export {
  formatMoveEndpoint,
  formatRemoveEndpoint,
  moveEndpointOf,
  moveEndpointsUnify,
  removeEndpointOf,
  type MoveEndpoint,
  type MoveSubject,
  type RemoveEndpoint,
  type RemoveSubject,
} from "./endpoint.ts";
export type { LocatedSubject } from "./located-subject.ts";
export { requireAddress, type ParsedAddress } from "./address-diagnostic.ts";
