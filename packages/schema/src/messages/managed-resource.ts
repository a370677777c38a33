// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import type { Diagnostic } from "../diagnostic.ts";
import type { ClientCapabilities, Deferred, RawState } from "./common.ts";

export interface ValidateResourceConfigRequest {
  readonly typeName: string;
  readonly config: Value;
  readonly clientCapabilities?: ClientCapabilities;
}

export interface UpgradeResourceStateRequest {
  readonly typeName: string;
  /** Schema version the state was written with. */
  readonly version: number;
  readonly rawState: RawState;
}

export interface UpgradeResourceStateResponse {
  /** Absent where diagnostics say why. */
  readonly upgradedState?: Value;
  readonly diagnostics: readonly Diagnostic[];
}

export interface UpgradeResourceIdentityRequest {
  readonly typeName: string;
  readonly version: number;
  readonly rawIdentity: RawState;
}

export interface UpgradeResourceIdentityResponse {
  readonly upgradedIdentity?: Value;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ReadResourceRequest {
  readonly typeName: string;
  readonly currentState: Value;
  readonly private: Uint8Array;
  readonly providerMeta?: Value;
  readonly clientCapabilities?: ClientCapabilities;
  readonly currentIdentity?: Value;
}

export interface ReadResourceResponse {
  /** Null: it is gone. */
  readonly newState: Value;
  readonly diagnostics: readonly Diagnostic[];
  readonly private: Uint8Array;
  readonly deferred?: Deferred;
  readonly newIdentity?: Value;
}

export interface PlanResourceChangeRequest {
  readonly typeName: string;
  /** Null: it is to be created. */
  readonly priorState: Value;
  /** The configuration merged with the prior state by the core's rules; null: it is to be destroyed. */
  readonly proposedNewState: Value;
  readonly config: Value;
  readonly priorPrivate: Uint8Array;
  readonly providerMeta?: Value;
  readonly clientCapabilities?: ClientCapabilities;
  readonly priorIdentity?: Value;
}

export interface PlanResourceChangeResponse {
  readonly plannedState: Value;
  /** A change at any of these cannot be made in place. */
  readonly requiresReplace: readonly Path[];
  readonly plannedPrivate: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
  /** Set by providers on the old SDK only: the core then tolerates what it otherwise refuses. */
  readonly legacyTypeSystem?: boolean;
  readonly deferred?: Deferred;
  readonly plannedIdentity?: Value;
}

export interface ApplyResourceChangeRequest {
  readonly typeName: string;
  /** Null: create. */
  readonly priorState: Value;
  /** Null: delete. */
  readonly plannedState: Value;
  readonly config: Value;
  readonly plannedPrivate: Uint8Array;
  readonly providerMeta?: Value;
  readonly plannedIdentity?: Value;
}

export interface ApplyResourceChangeResponse {
  /** What is there now, also where diagnostics say that it failed half way. */
  readonly newState: Value;
  readonly private: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
  readonly legacyTypeSystem?: boolean;
  readonly newIdentity?: Value;
}

/** By `id` or by `identity`, never both. */
export interface ImportResourceStateRequest {
  readonly typeName: string;
  /** Empty where `identity` is given. */
  readonly id: string;
  readonly clientCapabilities?: ClientCapabilities;
  readonly identity?: Value;
}

export interface ImportedResource {
  readonly typeName: string;
  /** May be incomplete: a read follows. */
  readonly state: Value;
  readonly private: Uint8Array;
  readonly identity?: Value;
}

export interface ImportResourceStateResponse {
  readonly importedResources: readonly ImportedResource[];
  readonly diagnostics: readonly Diagnostic[];
  readonly deferred?: Deferred;
}

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

export interface MoveResourceStateResponse {
  readonly targetState?: Value;
  readonly diagnostics: readonly Diagnostic[];
  readonly targetPrivate: Uint8Array;
  readonly targetIdentity?: Value;
}

export interface GenerateResourceConfigRequest {
  readonly typeName: string;
  readonly state: Value;
}

export interface GenerateResourceConfigResponse {
  readonly config?: Value;
  readonly diagnostics: readonly Diagnostic[];
}
