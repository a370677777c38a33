// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import type { PathMarks } from "@tenon/cty/paths";
import type { Block, Deferred } from "@tenon/schema";
import type { PlannedChange, ResourceType } from "@tenon/schema/lifecycle";
import type { ProviderConfigInstance } from "../address/provider-config.ts";
import type { ResourceInstance, ResourceInstanceObject } from "../address/resource.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import type { CheckResult } from "../state/check-result.ts";
import type { State } from "../state/state.ts";

/** The action of a change. `forgetThenCreate`: the old object continues to exist, but is no longer in the state. */
export type ChangeAction =
  | "noOp"
  | "create"
  | "read"
  | "update"
  | "delete"
  | "forget"
  | "deleteThenCreate"
  | "createThenDelete"
  | "forgetThenCreate";

/** The reason for an action, if several actions were possible. The names are those of OpenTofu's plans. */
export type ActionReason =
  | "replace_because_cannot_update"
  | "replace_because_tainted"
  | "replace_by_request"
  | "replace_by_triggers"
  | "delete_because_no_resource_config"
  | "delete_because_wrong_repetition"
  | "delete_because_count_index"
  | "delete_because_each_key"
  | "delete_because_no_module"
  | "delete_because_no_move_target"
  | "delete_because_enabled_false"
  | "read_because_config_unknown"
  | "read_because_dependency_pending"
  | "read_because_check_nested"
  | "forgot_because_lifecycle_destroy_in_config"
  | "forgot_because_lifecycle_destroy_in_state";

/** Identifier of an object that is imported. */
export type Importing = { readonly id: string } | { readonly identity: Value };

/** The planned change of an object of a resource instance. */
export interface ResourceChange {
  readonly address: ResourceInstanceObject;
  /** The instance's address in the state before the plan. Differs from `address` if the object was moved. */
  readonly previousAddress: ResourceInstance;
  readonly provider: ProviderConfigInstance;
  readonly action: ChangeAction;
  readonly reason?: ActionReason;
  /** The object before the change; null if there is none. */
  readonly before: Value;
  /** The object after the change, which can have unknown values; null if there will be none. */
  readonly after: Value;
  /** Marks of the value before and after, by path. */
  readonly beforeMarks: readonly PathMarks[];
  readonly afterMarks: readonly PathMarks[];
  readonly beforeIdentity?: Value;
  readonly afterIdentity?: Value;
  /** Paths whose change forces the replacement. */
  readonly requiresReplace: readonly Path[];
  readonly importing?: Importing;
  /** HCL text of the generated resource block, if the configuration has none for an imported object. */
  readonly generatedConfig?: string;
  /** Type of a managed resource, with the schema of the values. */
  readonly type?: ResourceType;
  /** Schema of the values of a data source. */
  readonly dataSchema?: Block;
  /** The provider's plan; absent for data sources and for objects that are forgotten. */
  readonly planned?: PlannedChange;
  /**
   * The wholly known configuration that the provider has validated and planned without a diagnostic, so that an apply of the same configuration
   * need not have it validated again. Absent if it has ephemeral values, and in a plan that was opened from bytes.
   */
  readonly validatedConfig?: Value;
  /** Addresses of the resources that must exist as long as the object exists. */
  readonly dependencies: readonly string[];
  /** Whether a new object is created before the old one is destroyed; recorded with the object. */
  readonly createBeforeDestroy: boolean;
  /** Whether the object is to be forgotten, and not destroyed, when it leaves the configuration; recorded with the object. */
  readonly skipDestroy: boolean;
}

/** The planned change of an output of the root module. */
export interface OutputChange {
  readonly name: string;
  readonly action: "noOp" | "create" | "update" | "delete";
  readonly before: Value;
  readonly after: Value;
  readonly sensitive: boolean;
}

/** An object that has changed outside of OpenTofu since the last apply. */
export type Drift = Pick<
  ResourceChange,
  | "address"
  | "previousAddress"
  | "provider"
  | "action"
  | "before"
  | "after"
  | "beforeMarks"
  | "afterMarks"
  | "beforeIdentity"
  | "afterIdentity"
  | "type"
>;

/** An attribute of a resource instance that something refers to. An empty path is the whole object. */
export interface RelevantAttribute {
  readonly resource: ResourceInstance;
  readonly attribute: Path;
}

/**
 * The reason for a deferral: one that a provider gave; that the object depends on a deferred change; or that `count`, `for_each` or `enabled` of its
 * resource or of a module is not known yet. For the last reason, the address of the change stands for all instances.
 */
export type DeferralReason = Deferred["reason"] | "deferredPrerequisite" | "instanceCountUnknown";

/** A change that is left to a later plan. */
export interface DeferredChange {
  readonly reason: DeferralReason;
  /** The change as far as it is known. It is provisional, and is not applied. */
  readonly change: ResourceChange;
}

/** The mode of a plan. */
export type PlanMode = "normal" | "destroy" | "refreshOnly";

/** The result of planning. */
export interface PlannedChanges {
  readonly mode: PlanMode;
  /** By address, deposed objects after the current one. */
  readonly resources: readonly ResourceChange[];
  /** By name. */
  readonly outputs: readonly OutputChange[];
  readonly drift: readonly Drift[];
  /** Changes that are left to a later plan, by address. Absent or empty if there are none. */
  readonly deferred?: readonly DeferredChange[];
  /** The attributes that the changed resources and outputs refer to: their drift may have caused the changes. Computed at the first call. */
  readonly relevantAttributes: () => readonly RelevantAttribute[];
  /** The state before the plan, upgraded, with objects at their new addresses. */
  readonly previousState: State;
  /** The state with the objects that the providers report now. The changes apply to it. */
  readonly priorState: State;
  readonly checks: readonly CheckResult[];
  readonly diagnostics: readonly AddressedDiagnostic[];
  /** Whether errors make the plan incomplete. Such a plan cannot be applied. */
  readonly errored: boolean;
  /** The value of `plantimestamp()`. */
  readonly timestamp: Date;
}

/** Whether a change creates an object in place of another one. */
export function isReplacement(action: ChangeAction): boolean {
  return action === "deleteThenCreate" || action === "createThenDelete" || action === "forgetThenCreate";
}
