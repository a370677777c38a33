// SPDX-License-Identifier: Apache-2.0
import type {
  ApplyResourceChangeRequest,
  ApplyResourceChangeResponse,
  GenerateResourceConfigRequest,
  GenerateResourceConfigResponse,
  ImportResourceStateRequest,
  ImportResourceStateResponse,
  MoveResourceStateRequest,
  MoveResourceStateResponse,
  PlanResourceChangeRequest,
  PlanResourceChangeResponse,
  ReadResourceRequest,
  ReadResourceResponse,
  UpgradeResourceIdentityRequest,
  UpgradeResourceIdentityResponse,
  UpgradeResourceStateRequest,
  UpgradeResourceStateResponse,
  ValidateResourceConfigRequest,
} from "../../messages/managed-resource.ts";
import type { DiagnosticsResponse } from "../../messages/common.ts";
import { clientCapabilities, deferred } from "../kind/capabilities.ts";
import { diagnostics, diagnosticsIn } from "../kind/diagnostics.ts";
import { importedResources } from "../kind/imported-resources.ts";
import { paths } from "../kind/path.ts";
import { optionalRawState, rawState } from "../kind/raw-state.ts";
import { bytes, integer, optionalFlag, text } from "../kind/scalar.ts";
import { identity, optionalValue, value } from "../kind/value.ts";
import type { Methods } from "../methods.ts";
import { bind, type RpcTable } from "../rpc-table.ts";
import type { Rpcs } from "../rpc.ts";
import { ofProviderMeta, ofResource } from "../types.ts";

const validateResourceConfig = {
  named: "typeName",
  request: { typeName: text, config: value(ofResource), clientCapabilities },
  response: { diagnostics: diagnosticsIn(ofResource) },
} as const satisfies RpcTable<ValidateResourceConfigRequest, DiagnosticsResponse>;

const upgradeResourceState = {
  named: "typeName",
  request: { typeName: text, version: integer, rawState },
  response: { upgradedState: optionalValue(ofResource), diagnostics: diagnosticsIn(ofResource) },
} as const satisfies RpcTable<UpgradeResourceStateRequest, UpgradeResourceStateResponse>;

const upgradeResourceIdentity = {
  named: "typeName",
  request: { typeName: text, version: integer, rawIdentity: rawState },
  response: { upgradedIdentity: identity, diagnostics },
} as const satisfies RpcTable<UpgradeResourceIdentityRequest, UpgradeResourceIdentityResponse>;

const readResource = {
  named: "typeName",
  request: {
    typeName: text,
    currentState: value(ofResource),
    private: bytes,
    providerMeta: optionalValue(ofProviderMeta),
    clientCapabilities,
    currentIdentity: identity,
  },
  response: { newState: value(ofResource), diagnostics: diagnosticsIn(ofResource), private: bytes, deferred, newIdentity: identity },
} as const satisfies RpcTable<ReadResourceRequest, ReadResourceResponse>;

const planResourceChange = {
  named: "typeName",
  request: {
    typeName: text,
    priorState: value(ofResource),
    proposedNewState: value(ofResource),
    config: value(ofResource),
    priorPrivate: bytes,
    providerMeta: optionalValue(ofProviderMeta),
    clientCapabilities,
    priorIdentity: identity,
  },
  response: {
    plannedState: value(ofResource),
    requiresReplace: paths(ofResource),
    plannedPrivate: bytes,
    diagnostics: diagnosticsIn(ofResource),
    legacyTypeSystem: optionalFlag,
    deferred,
    plannedIdentity: identity,
  },
} as const satisfies RpcTable<PlanResourceChangeRequest, PlanResourceChangeResponse>;

const applyResourceChange = {
  named: "typeName",
  request: {
    typeName: text,
    priorState: value(ofResource),
    plannedState: value(ofResource),
    config: value(ofResource),
    plannedPrivate: bytes,
    providerMeta: optionalValue(ofProviderMeta),
    plannedIdentity: identity,
  },
  response: {
    newState: value(ofResource),
    private: bytes,
    diagnostics: diagnosticsIn(ofResource),
    legacyTypeSystem: optionalFlag,
    newIdentity: identity,
  },
} as const satisfies RpcTable<ApplyResourceChangeRequest, ApplyResourceChangeResponse>;

const importResourceState = {
  named: "typeName",
  request: { typeName: text, id: text, clientCapabilities, identity },
  response: { importedResources, diagnostics, deferred },
} as const satisfies RpcTable<ImportResourceStateRequest, ImportResourceStateResponse>;

const moveResourceState = {
  named: "targetTypeName",
  request: {
    sourceProviderAddress: text,
    sourceTypeName: text,
    sourceSchemaVersion: integer,
    sourceState: rawState,
    targetTypeName: text,
    sourcePrivate: bytes,
    sourceIdentity: optionalRawState,
    sourceIdentitySchemaVersion: integer,
  },
  response: {
    targetState: optionalValue(ofResource),
    diagnostics: diagnosticsIn(ofResource),
    targetPrivate: bytes,
    targetIdentity: identity,
  },
} as const satisfies RpcTable<MoveResourceStateRequest, MoveResourceStateResponse>;

const generateResourceConfig = {
  named: "typeName",
  request: { typeName: text, state: value(ofResource) },
  response: { config: optionalValue(ofResource), diagnostics: diagnosticsIn(ofResource) },
} as const satisfies RpcTable<GenerateResourceConfigRequest, GenerateResourceConfigResponse>;

/** Returns the RPCs about managed resources. */
export function managedResourceRpcs(
  methods: Methods,
): Rpcs<
  | "validateResourceConfig"
  | "upgradeResourceState"
  | "upgradeResourceIdentity"
  | "readResource"
  | "planResourceChange"
  | "applyResourceChange"
  | "importResourceState"
  | "moveResourceState"
  | "generateResourceConfig"
> {
  return {
    validateResourceConfig: bind(validateResourceConfig, methods.validateResourceConfig),
    upgradeResourceState: bind(upgradeResourceState, methods.upgradeResourceState),
    upgradeResourceIdentity: bind(upgradeResourceIdentity, methods.upgradeResourceIdentity),
    readResource: bind(readResource, methods.readResource),
    planResourceChange: bind(planResourceChange, methods.planResourceChange),
    applyResourceChange: bind(applyResourceChange, methods.applyResourceChange),
    importResourceState: bind(importResourceState, methods.importResourceState),
    moveResourceState: bind(moveResourceState, methods.moveResourceState),
    generateResourceConfig: bind(generateResourceConfig, methods.generateResourceConfig),
  };
}
