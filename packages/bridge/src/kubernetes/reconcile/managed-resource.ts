// SPDX-License-Identifier: Apache-2.0
import { externalNameAnnotation } from "../crd/definition.ts";
import type { ManagementPolicy } from "../crd/management-policies.ts";
import type { StateOwner } from "../state/state-secret.ts";
import type { FieldChange } from "../values/field-changes.ts";
import type { JsonObject } from "../values/json-value.ts";
import type { Condition } from "./conditions.ts";
import type { OperationType } from "./operation-type.ts";

/** A custom resource that represents a resource of a provider. */
export interface ManagedResource extends StateOwner {
  readonly spec: ManagedResourceSpec;
  readonly status?: ManagedResourceStatus;
}

/** The desired state of a resource. */
export interface ManagedResourceSpec {
  readonly forProvider: JsonObject;
  readonly initProvider?: JsonObject;
  readonly managementPolicies?: readonly ManagementPolicy[];
  /** Only for cluster-scoped kinds. */
  readonly deletionPolicy?: "Orphan" | "Delete";
  readonly providerConfigRef?: ProviderConfigReference;
  readonly writeConnectionSecretToRef?: { readonly name: string; readonly namespace?: string };
}

/** A reference to the configuration of a provider. */
export interface ProviderConfigReference {
  readonly kind?: string;
  readonly name: string;
}

/** The observed state of a resource. */
export interface ManagedResourceStatus {
  readonly atProvider?: JsonObject;
  readonly conditions?: readonly Condition[];
  readonly observedGeneration?: number;
  /** What the next change would do; absent where nothing is to be changed. */
  readonly plan?: PlanStatus;
  /** How the resource differed from its last known state, when it last did. */
  readonly drift?: DriftStatus;
  /** Asynchronous operation that is under way. */
  readonly operation?: OperationStatus;
}

/** Changed fields, of which a status holds a limited number. */
export interface ReportedChanges {
  readonly changes: readonly FieldChange[];
  /** Number of changes that are not listed. */
  readonly omittedChanges?: number;
}

/** Planned change of a resource. */
export interface PlanStatus extends ReportedChanges {
  readonly action: OperationType;
  /** Why the change is not made. */
  readonly message?: string;
  readonly plannedAt: string;
}

/** Difference between a resource and its last known state. */
export interface DriftStatus extends ReportedChanges {
  readonly message?: string;
  readonly observedAt: string;
}

/** Operation that goes on after the reconcile that began it. */
export interface OperationStatus {
  readonly type: OperationType;
  readonly startedAt: string;
  /** Step, and last log line of the provider, as far as they are known. */
  readonly message?: string;
}

/** Finalizer of managed resources, as in Crossplane. */
export const managedFinalizer = "finalizer.managedresource.crossplane.io";

/** An annotation that the reconciler reads or writes. */
export type AnnotationName =
  | "externalName"
  | "createPending"
  | "createSucceeded"
  | "createFailed"
  | "paused"
  | "pollInterval"
  | "replacement";

/** The keys of the annotations. All but the last are from Crossplane. */
export const annotations: Readonly<Record<AnnotationName, string>> = {
  externalName: externalNameAnnotation,
  createPending: "crossplane.io/external-create-pending",
  createSucceeded: "crossplane.io/external-create-succeeded",
  createFailed: "crossplane.io/external-create-failed",
  paused: "crossplane.io/paused",
  pollInterval: "crossplane.io/poll-interval",
  // How to make a change that cannot be made in place: `Refuse` (default), `DeleteFirst` or `CreateFirst`.
  replacement: "tenon.dev/replacement-policy",
};

/** Returns an annotation; undefined if it is absent or empty. */
export function annotationOf({ metadata }: StateOwner, name: AnnotationName): string | undefined {
  return metadata.annotations?.[annotations[name]] || undefined;
}

/** Whether a creation was begun whose outcome is not recorded. Then it is unknown whether a resource exists. */
export function isCreateIncomplete(owner: StateOwner): boolean {
  const pending = timeOf(owner, "createPending");
  if (pending === undefined) return false;
  return pending > Math.max(timeOf(owner, "createSucceeded") ?? 0, timeOf(owner, "createFailed") ?? 0);
}

/**
 * Whether the request of a creation in the stored state was not sent to the provider. The annotation of the begin is set after the state is stored
 * and before the request is sent. So the request was not sent if the annotations are about an earlier creation, which has ended.
 *
 * @param since - The time in the stored state at which the creation began.
 */
export function isCreationUnsent(owner: StateOwner, since: string): boolean {
  const pending = timeOf(owner, "createPending");
  return pending !== undefined && !isCreateIncomplete(owner) && pending < Date.parse(since);
}

/** Whether the last creation that was begun is the one that failed at this time of the stored state. */
export function isFailedCreation(owner: StateOwner, failed: string | undefined): boolean {
  return failed !== undefined && timeOf(owner, "createPending") === Date.parse(failed);
}

/**
 * Returns the time at which a creation begins, which is now. It is later than those of earlier creations, also where another replica recorded
 * them whose clock is fast: the annotations are compared with each other.
 */
export function creationTime(owner: StateOwner): string {
  const earlier = (["createPending", "createSucceeded", "createFailed"] as const).map((name) => timeOf(owner, name) ?? 0);
  return new Date(Math.max(Date.now(), ...earlier.map((time) => time + 1))).toISOString();
}

/** Returns the time at which a creation ends, which is now, and not before it began by the clock of the replica that began it. */
export function creationEndTime(owner: StateOwner): string {
  return new Date(Math.max(Date.now(), timeOf(owner, "createPending") ?? 0)).toISOString();
}

function timeOf(owner: StateOwner, name: AnnotationName): number | undefined {
  const text = annotationOf(owner, name);
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** How to make a change that the provider cannot make in place. */
export type ReplacementPolicy = "Refuse" | "DeleteFirst" | "CreateFirst";

/** Returns the replacement policy of a resource. An unknown policy counts as `Refuse`. */
export function replacementPolicyOf(owner: StateOwner): ReplacementPolicy {
  const text = annotationOf(owner, "replacement");
  return text === "DeleteFirst" || text === "CreateFirst" ? text : "Refuse";
}

/**
 * Returns the interval of observations in milliseconds, from the annotation with a Go duration such as `1h30m`. Undefined if the annotation is absent or
 * invalid.
 */
export function pollIntervalOf(owner: StateOwner): number | undefined {
  const text = annotationOf(owner, "pollInterval");
  if (text === undefined || !/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return undefined;
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
  const total = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)].reduce((sum, [, amount, unit]) => sum + Number(amount) * units[unit!]!, 0);
  return total > 0 ? total : undefined;
}
