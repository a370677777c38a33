// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from "node:util";
import { isWhollyKnown, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { encode } from "@tenon/cty/json";
import { hasErrors, identityType, ProviderError, type Diagnostic } from "@tenon/schema";
import {
  applyChange,
  destroyStep,
  encodeObject,
  planDestroy,
  storedObject,
  upgradeObject,
  type ApplyOutcome,
  type OperationOptions,
  type PlannedChange,
  type ResourceObject,
  type ResourceType,
} from "@tenon/schema/lifecycle";
import { isAlreadyExists, isConflict, isNotFound } from "../machinery/client/api-error.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import type { ResourceState } from "../state/state-store.ts";
import type { PendingCall, StoredState } from "../state/stored-state.ts";
import { externalNameOf } from "../values/external-name.ts";
import { annotationOf, creationEndTime, creationTime, type ManagedResource } from "./managed-resource.ts";
import type { ResourceWriter } from "./resource-writer.ts";
import { errorText, StepFailure } from "./step-failure.ts";

/** The context of a change. */
export interface ChangeContext {
  readonly type: ResourceType;
  readonly kind: KindMapping;
  readonly state: ResourceState;
  readonly writer: ResourceWriter;
  readonly options: OperationOptions;
}

/** The result of a change. */
export interface ChangeResult {
  /** The object; absent if it no longer exists. */
  readonly object?: ResourceObject;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Creates a resource. The order of the steps ensures that an interruption at any point neither loses the object nor creates a second one:
 *
 * 1. Store in the state Secret that a creation begins, with the planned identity.
 * 2. Set the finalizer and the annotation `crossplane.io/external-create-pending`, on the condition that the object is unchanged.
 * 3. Let the provider create the resource.
 * 4. Store the resource in the state Secret.
 * 5. Set the annotations of the success and of the external name.
 *
 * @param deposed - The object that the new one replaces. It stays in the state until {@link deleteDeposed}.
 * @throws StepFailure if the provider reports errors; ProviderError if the call fails. A resource that exists nevertheless is stored.
 */
export async function createResource(
  context: ChangeContext,
  planned: PlannedChange,
  config: Value,
  deposed?: ResourceObject,
): Promise<ChangeResult> {
  const { type, kind, state, writer, options } = context;
  const begun = creationTime(writer.object);
  const replaced = deposed ? { deposed: encodeObject(type, deposed) } : {};
  const pending: PendingCall = { operation: "create", since: begun, ...plannedIdentity(type, planned) };
  await state.save({ ...baseState(type, state), ...replaced, pending, ...earlierName(kind, writer.object) });
  await writer.beginCreation(begun, options.signal);
  let outcome: ApplyOutcome;
  try {
    outcome = await applyChange(type, planned, { ...options, config, configValidated: true });
  } catch (error) {
    // If the provider may have received the request, it is unknown whether a resource exists, so both records of its beginning stay.
    if (error instanceof ProviderError && !error.requestSent) await recordFailedCreation(context, begun);
    throw error;
  }
  const { object, diagnostics } = outcome;
  if (object === undefined) {
    await recordFailedCreation(context, begun);
    throw new StepFailure("CannotCreateExternalResource", errorText(diagnostics));
  }
  await saveCreation(context, begun, { ...baseState(type, state), object: encodeObject(type, object) });
  const name = externalNameOf(kind, object.value);
  await writer.annotateAlways({ createSucceeded: creationEndTime(writer.object), ...(name === undefined ? {} : { externalName: name }) });
  if (hasErrors(diagnostics)) throw new StepFailure("CannotCreateExternalResource", errorText(diagnostics));
  return { object, diagnostics };
}

/**
 * Stores the outcome of a creation.
 *
 * Another replica with a stale version of the object may have stored in the meantime that it begins a creation, too. It has not sent a request,
 * because it can set the annotation only with the newest version. So the outcome of the creation in the annotation is stored nevertheless.
 */
async function saveCreation({ state, writer }: ChangeContext, begun: string, outcome: StoredState): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await state.save(outcome);
      return;
    } catch (error) {
      const isStale = isConflict(error) || isAlreadyExists(error) || isNotFound(error);
      if (!isStale || attempt === 5 || !(await writer.isCreating(begun))) throw error;
      await state.refresh();
      if (state.current?.object !== undefined) throw error;
    }
  }
}

/** Records that nothing was created. An object that was to be replaced becomes the current one again. */
async function recordFailedCreation(context: ChangeContext, begun: string): Promise<void> {
  const { type, kind, state, writer } = context;
  const { deposed, ...base } = baseState(type, state);
  // Before the first creation that succeeds, an external name may be that of a resource to adopt.
  const hasEarlier = annotationOf(writer.object, "createSucceeded") !== undefined;
  const known = deposed ? { object: deposed } : hasEarlier ? earlierName(kind, writer.object) : {};
  await saveCreation(context, begun, { ...base, failedCreation: begun, ...known });
  await writer.annotateAlways({ createFailed: creationEndTime(writer.object) });
}

/** Records that the resource of an interrupted creation was found. */
export async function recordFoundCreation({ writer, kind }: Pick<ChangeContext, "writer" | "kind">, object: ResourceObject): Promise<void> {
  const name = externalNameOf(kind, object.value);
  await writer.annotateAlways({ createSucceeded: creationEndTime(writer.object), ...(name === undefined ? {} : { externalName: name }) });
}

/** Updates a resource in place. @throws As {@link createResource}. */
export async function updateResource(context: ChangeContext, planned: PlannedChange, config: Value): Promise<ChangeResult> {
  const { type, state, options } = context;
  const prior = planned.prior!;
  await state.save({ ...baseState(type, state), object: encodeObject(type, prior), pending: pendingCall("update") });
  const outcome = await applyChange(type, planned, { ...options, config, configValidated: true });
  const object = outcome.object ?? prior;
  await state.save({ ...baseState(type, state), object: encodeObject(type, object) });
  if (hasErrors(outcome.diagnostics)) throw new StepFailure("CannotUpdateExternalResource", errorText(outcome.diagnostics));
  return { object, diagnostics: outcome.diagnostics };
}

/** Plans the deletion of a resource, deletes the resource, and records the deletion. @throws As {@link createResource}. */
export async function deleteResource(context: ChangeContext, prior: ResourceObject): Promise<ChangeResult> {
  const { planned, diagnostics } = await planDestroy(context.type, prior, context.options);
  if (planned === undefined || hasErrors(diagnostics)) throw new StepFailure("CannotDeleteExternalResource", errorText(diagnostics));
  return { diagnostics: [...diagnostics, ...(await deletePlanned(context, planned))] };
}

/** Deletes the old resource of a replacement, and records the deletion, which is part of the plan. @throws As {@link createResource}. */
export async function deleteForReplacement(context: ChangeContext, replacement: PlannedChange): Promise<readonly Diagnostic[]> {
  return await deletePlanned(context, destroyStep(replacement));
}

async function deletePlanned({ type, state, options }: ChangeContext, planned: PlannedChange): Promise<readonly Diagnostic[]> {
  const prior = planned.prior!;
  await state.save({ ...baseState(type, state), object: encodeObject(type, prior), pending: pendingCall("delete") });
  const { object, diagnostics } = await applyChange(type, planned, options);
  if (hasErrors(diagnostics)) {
    await state.save({ ...baseState(type, state), object: encodeObject(type, object ?? prior) });
    throw new StepFailure("CannotDeleteExternalResource", errorText(diagnostics));
  }
  await recordDeletion(type, state);
  return diagnostics;
}

/**
 * Records that the resource does not exist. The write also detects a stale reconcile: it fails if another replica has stored something since the state
 * was read.
 *
 * @throws ApiError after a conflict.
 */
export async function recordDeletion(type: ResourceType, state: ResourceState): Promise<void> {
  await state.save({ ...baseState(type, state), deletedAt: new Date().toISOString() });
}

/** Deletes the object that the current one has replaced. @throws As {@link createResource}. */
export async function deleteDeposed(context: ChangeContext): Promise<readonly Diagnostic[]> {
  const { type, state, options } = context;
  const { deposed, ...rest } = state.current!;
  const upgraded = await upgradeObject(type, storedObject(deposed!), options);
  if (upgraded.object === undefined) throw new StepFailure("CannotDeleteExternalResource", errorText(upgraded.diagnostics));
  const { planned, diagnostics } = await planDestroy(type, upgraded.object, options);
  if (planned === undefined || hasErrors(diagnostics)) throw new StepFailure("CannotDeleteExternalResource", errorText(diagnostics));
  const outcome = await applyChange(type, planned, options);
  if (hasErrors(outcome.diagnostics)) throw new StepFailure("CannotDeleteExternalResource", errorText(outcome.diagnostics));
  await state.save(rest);
  return [...diagnostics, ...outcome.diagnostics];
}

/** Stores the object that a read has returned, if it differs from the stored one. */
export async function saveObserved({ type, state }: Pick<ChangeContext, "type" | "state">, object: ResourceObject): Promise<void> {
  const encoded = encodeObject(type, object);
  const { current } = state;
  const { deposed, ...base } = baseState(type, state);
  // Without another object, the object that was to be replaced is the current one again.
  const isRestored = current?.object === undefined && current?.pending === undefined;
  const wanted = { ...base, ...(deposed && !isRestored ? { deposed } : {}), object: encoded };
  if (!isDeepStrictEqual(current, wanted)) await state.save(wanted);
}

function baseState(type: ResourceType, { current }: ResourceState): StoredState {
  return { provider: type.providerAddress, typeName: type.typeName, ...(current?.deposed ? { deposed: current.deposed } : {}) };
}

function pendingCall(operation: PendingCall["operation"]): PendingCall {
  return { operation, since: new Date().toISOString() };
}

/** The external name of an object whose creation begins. Where users choose external names, it is also that of the resource to create. */
function earlierName({ rules }: KindMapping, owner: ManagedResource): Pick<StoredState, "earlierName"> {
  const name = annotationOf(owner, "externalName");
  return name === undefined || rules.externalName?.isArgument === true ? {} : { earlierName: name };
}

/** The planned identity, if it is wholly known. With it, the object of an interrupted creation can be found. */
function plannedIdentity(
  { identitySchema }: ResourceType,
  { identity }: PlannedChange,
): Pick<PendingCall, "identity" | "identitySchemaVersion"> {
  if (identitySchema === undefined || identity === undefined || !isWhollyKnown(identity)) return {};
  return { identity: encode(identity, identityType(identitySchema), { convert }), identitySchemaVersion: identitySchema.version };
}
