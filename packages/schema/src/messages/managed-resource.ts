// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import type { Diagnostic } from "../diagnostic.ts";
import type { ClientCapabilities, Deferred, RawState } from "./common.ts";

/** Request of ValidateResourceConfig. The configuration may hold unknown values. */
export interface ValidateResourceConfigRequest {
  readonly typeName: string;
  readonly config: Value;
  readonly clientCapabilities?: ClientCapabilities;
}

/** Request of UpgradeResourceState. */
export interface UpgradeResourceStateRequest {
  readonly typeName: string;
  /** Schema version that the state was written with. */
  readonly version: number;
  readonly rawState: RawState;
}

/** Response of UpgradeResourceState. */
export interface UpgradeResourceStateResponse {
  /** Absent where diagnostics hold errors. */
  readonly upgradedState?: Value;
  readonly diagnostics: readonly Diagnostic[];
}

/** Request of UpgradeResourceIdentity. */
export interface UpgradeResourceIdentityRequest {
  readonly typeName: string;
  /** Version of the identity schema that the identity was written with. */
  readonly version: number;
  readonly rawIdentity: RawState;
}

/** Response of UpgradeResourceIdentity. */
export interface UpgradeResourceIdentityResponse {
  /** Absent where diagnostics hold errors. */
  readonly upgradedIdentity?: Value;
  readonly diagnostics: readonly Diagnostic[];
}

/** Request of ReadResource. */
export interface ReadResourceRequest {
  readonly typeName: string;
  readonly currentState: Value;
  /** Private data of the provider, stored with the object. Opaque. */
  readonly private: Uint8Array;
  readonly providerMeta?: Value;
  readonly clientCapabilities?: ClientCapabilities;
  readonly currentIdentity?: Value;
}

/** Response of ReadResource. */
export interface ReadResourceResponse {
  /** Null where the object does not exist any more. */
  readonly newState: Value;
  readonly diagnostics: readonly Diagnostic[];
  readonly private: Uint8Array;
  readonly deferred?: Deferred;
  readonly newIdentity?: Value;
}

/** Request of PlanResourceChange. */
export interface PlanResourceChangeRequest {
  readonly typeName: string;
  /** Null for a create. */
  readonly priorState: Value;
  /** The configuration merged with the prior state by the rules of the core; null for a destroy. */
  readonly proposedNewState: Value;
  /** Null for a destroy. */
  readonly config: Value;
  readonly priorPrivate: Uint8Array;
  readonly providerMeta?: Value;
  readonly clientCapabilities?: ClientCapabilities;
  readonly priorIdentity?: Value;
}

/** Response of PlanResourceChange. */
export interface PlanResourceChangeResponse {
  readonly plannedState: Value;
  /** Paths at which a change cannot be made in place. */
  readonly requiresReplace: readonly Path[];
  readonly plannedPrivate: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the provider is built on the legacy SDK: the core then tolerates violations of some rules. */
  readonly legacyTypeSystem?: boolean;
  readonly deferred?: Deferred;
  readonly plannedIdentity?: Value;
}

/** Request of ApplyResourceChange. */
export interface ApplyResourceChangeRequest {
  readonly typeName: string;
  /** Null for a create. */
  readonly priorState: Value;
  /** Null for a delete. */
  readonly plannedState: Value;
  readonly config: Value;
  readonly plannedPrivate: Uint8Array;
  readonly providerMeta?: Value;
  readonly plannedIdentity?: Value;
}

/** Response of ApplyResourceChange. */
export interface ApplyResourceChangeResponse {
  /** The object that exists now, also after an error; null where none exists. */
  readonly newState: Value;
  readonly private: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the provider is built on the legacy SDK: the core then tolerates violations of some rules. */
  readonly legacyTypeSystem?: boolean;
  readonly newIdentity?: Value;
}

/** Request of ImportResourceState, either by `id` or by `identity`. */
export interface ImportResourceStateRequest {
  readonly typeName: string;
  /** Empty for an import by `identity`. */
  readonly id: string;
  readonly clientCapabilities?: ClientCapabilities;
  readonly identity?: Value;
}

/** One imported resource. */
export interface ImportedResource {
  readonly typeName: string;
  /** May be incomplete: the core reads the object next. */
  readonly state: Value;
  readonly private: Uint8Array;
  readonly identity?: Value;
}

/** Response of ImportResourceState. */
export interface ImportResourceStateResponse {
  readonly importedResources: readonly ImportedResource[];
  readonly diagnostics: readonly Diagnostic[];
  readonly deferred?: Deferred;
}

/** Request of MoveResourceState: the state of another resource type, perhaps of another provider. */
export interface MoveResourceStateRequest {
  readonly sourceProviderAddress: string;
  readonly sourceTypeName: string;
  readonly sourceSchemaVersion: number;
  readonly sourceState: RawState;
  readonly targetTypeName: string;
  readonly sourcePrivate: Uint8Array;
  readonly sourceIdentity?: RawState;
  readonly sourceIdentitySchemaVersion: number;
}

/** Response of MoveResourceState. */
export interface MoveResourceStateResponse {
  /** Absent where diagnostics hold errors. */
  readonly targetState?: Value;
  readonly diagnostics: readonly Diagnostic[];
  readonly targetPrivate: Uint8Array;
  readonly targetIdentity?: Value;
}

/** Request of GenerateResourceConfig. */
export interface GenerateResourceConfigRequest {
  readonly typeName: string;
  readonly state: Value;
}

/** Response of GenerateResourceConfig. */
export interface GenerateResourceConfigResponse {
  /** Absent where diagnostics hold errors. */
  readonly config?: Value;
  readonly diagnostics: readonly Diagnostic[];
}
