// SPDX-License-Identifier: Apache-2.0
/**
 * Any Terraform or OpenTofu provider as Kubernetes custom resources.
 *
 * @module
 */
export { mapKinds, mapProviderKinds, type KindOptions, type KindSource } from "./mapping/map-kinds.ts";
export type * from "./mapping/mapping.ts";
export type { TypeMapping } from "../type-mapping.ts";
export {
  mapComponents,
  mapProviderComponents,
  type ComponentMapping,
  type ComponentOptions,
  type ComponentSource,
} from "./mapping/map-components.ts";
export type { ComponentSchemas } from "./mapping/component-name.ts";
export {
  mapConfigOf,
  mapProviderConfig,
  type ConfigKindName,
  type ConfigRules,
  type ProviderConfigMapping,
  type ProviderConfigOptions,
} from "./mapping/map-provider-config.ts";
export type { ExternalNameRule, FieldMoves, ReferenceRule, ResourceRules } from "./mapping/resource-rules.ts";
export type { KindNames } from "./names/kind-name.ts";
export {
  customResourceDefinition,
  externalNameAnnotation,
  typeNameAnnotation,
  type CustomResourceDefinition,
  type DefinitionOptions,
  type DefinitionVersion,
  type PrinterColumn,
} from "./crd/definition.ts";
export { providerConfigDefinitions, type ProviderConfigDefinitionOptions } from "./crd/provider-config-definition.ts";
export { managementPolicies, type ManagementPolicy } from "./crd/management-policies.ts";
export type { StructuralSchema, ValidationRule } from "./crd/structural-schema.ts";
export { manifestText } from "./crd/manifest-text.ts";
export { readResourceRules } from "./mapping/read-resource-rules.ts";
export { typeDeclarations, type TypeOptions } from "./types/type-declarations.ts";
export type * from "./types/custom-resource.ts";
export { configurationOf, type Parameters, type ParameterSource } from "./values/parameters.ts";
export { observationOf, parametersOf, type Observation, type ParameterJson, type SecretStore } from "./values/observation.ts";
export { lateInitialization } from "./values/late-initialization.ts";
export { connectionDetails } from "./values/connection-details.ts";
export { secretKeyReferences, type SecretKeyReference } from "./values/secret-reference.ts";
export { externalNameOf, importIdOf } from "./values/external-name.ts";
export { jsonText, parseJson, type JsonObject, type JsonValue } from "./values/json-value.ts";
export type { FieldProblem } from "./values/field-path.ts";
export { upgradeDefinition, type DefinitionMigration, type DefinitionUpgrade } from "./versions/definition-upgrade.ts";
export { migrateDefinition, tryMigration, type MigrationOptions } from "./versions/migrate-definition.ts";
export { migrateConfigDefinitions, tryConfigMigration, type ConfigMigration } from "./versions/migrate-config-definitions.ts";
export type { MigrationClient, MigrationResult, MigrationSettings } from "./versions/migration-run.ts";
export { incompatibleChanges, type SchemaChange } from "./versions/schema-compatibility.ts";
export { BridgeError, type BridgeErrorCode } from "../error.ts";
export { apiResourceOf, KindController, type KindControllerSettings } from "./reconcile/kind-controller.ts";
export { ResourceReconciler } from "./reconcile/resource-reconciler.ts";
export type { ResourceReconcilerSettings } from "./reconcile/reconcile-work.ts";
export type { PollSettings } from "./reconcile/poll-delay.ts";
export type {
  DriftStatus,
  ManagedResource,
  ManagedResourceSpec,
  ManagedResourceStatus,
  OperationStatus,
  PlanStatus,
  ProviderConfigReference,
  ReportedChanges,
} from "./reconcile/managed-resource.ts";
export type { OperationType } from "./reconcile/operation-type.ts";
export type { FieldChange } from "./values/field-changes.ts";
export {
  RunningOperations,
  type OperationStart,
  type ProviderLogLine,
  type RunningOperationsSettings,
} from "./reconcile/running-operations.ts";
export type { Condition } from "./reconcile/conditions.ts";
export { connectionCache, type CachedConnection, type ConnectionCache } from "./reconcile/connection-cache.ts";
export { relatedKinds } from "./reconcile/related-kinds.ts";
export type { ReferenceContext, RelatedKind } from "./reconcile/references.ts";
export {
  ProviderConfigs,
  type ConfigChange,
  type KindConnections,
  type ProviderConfigsSettings,
} from "./provider-config/provider-configs.ts";
export { ProviderConfigController, type ProviderConfigControllerSettings } from "./provider-config/provider-config-controller.ts";
export {
  configResources,
  type ConfigReference,
  type ConfigResources,
  type ProviderConfig,
  type ProviderConfigSpec,
  type ProviderConfigStatus,
  type ProviderCredentials,
} from "./provider-config/provider-config.ts";
export { UsageTracker, type ProviderConfigUsage } from "./provider-config/usage-tracker.ts";
export { ProviderPool, type PoolEvent, type ProviderPoolSettings } from "../provider/provider-pool.ts";
export type { InstanceEvent, OpenInstance } from "../provider/pooled-instance.ts";
export { installedSupply, ownSupply, type ProviderSupply, type SupplySettings } from "../provider/provider-supply.ts";
export type { ProviderLocation } from "../provider/provider-selection.ts";
export { ComponentController } from "./read/component-controller.ts";
export { ObjectController, type ObjectControllerSettings } from "./reconcile/object-controller.ts";
export type { ComponentControllerSettings } from "./read/component-settings.ts";
export type { ComponentObject, ComponentSpec, ComponentStatus } from "./read/component-object.ts";
export { StateStore, type ResourceState, type StateStoreSettings } from "./state/state-store.ts";
export { ownerLabel, stateSecretName, type Secret, type StateOwner } from "./state/state-secret.ts";
export { decodeStoredState, encodeStoredState, type PendingCall, type StoredEphemeral, type StoredState } from "./state/stored-state.ts";
export { installManifest, type InstallOptions } from "./manifest/install-manifest.ts";
export type { DeploymentOptions } from "./manifest/deployment.ts";
export { operatorRules, type OperatorRuleOptions, type OperatorRules, type PolicyRule } from "./manifest/operator-rules.ts";
export { Operator, type ConnectProvider, type OperatorSettings } from "./operator/operator.ts";
export type { OperatorPart } from "./operator/operator-part.ts";
export {
  operatorManifest,
  type ConfiguredProvider,
  type FixedProvider,
  type OperatorDefinition,
  type OperatorKinds,
  type ProviderLog,
} from "./operator/operator-definition.ts";
export {
  migrateDefinitions,
  type KindMigration,
  type OperatorMigration,
  type OperatorMigrationOptions,
} from "./operator/migrate-definitions.ts";
export { runOperator, type RunOptions } from "./operator/run-operator.ts";
