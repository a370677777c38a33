// SPDX-License-Identifier: Apache-2.0
import { same, type Value } from "@tenon/cty";
import { decode } from "@tenon/cty/json";
import { hasErrors, identityType, ProviderError, type Diagnostic } from "@tenon/schema";
import {
  importObject,
  moveObject,
  readObject,
  storedObject,
  upgradeObject,
  type EncodedObject,
  type ImportTarget,
  type OperationOptions,
  type ResourceObject,
  type ResourceType,
} from "@tenon/schema/lifecycle";
import type { KindMapping } from "../mapping/mapping.ts";
import type { StoredState } from "../state/stored-state.ts";
import { importIdOf } from "../values/external-name.ts";
import { annotationOf, isCreateIncomplete, isCreationUnsent, isFailedCreation, type ManagedResource } from "./managed-resource.ts";
import { errorText, StepFailure } from "./step-failure.ts";

/** The input of {@link observeResource}. */
export interface ObservationRequest {
  readonly type: ResourceType;
  readonly kind: KindMapping;
  readonly owner: ManagedResource;
  readonly state: StoredState | undefined;
  /** Configuration of the resource, for identifiers that contain attributes. */
  readonly configuration: Value;
  readonly options: OperationOptions;
}

/** The result of {@link observeResource}. */
export interface ResourceObservation {
  /** The object; absent if none exists. */
  readonly object?: ResourceObject;
  /**
   * - `state`: from the stored state, and read.
   * - `import`: by the external name, because there is no stored state.
   * - `none`: nothing was created yet.
   */
  readonly by: "state" | "import" | "none";
  /** Last known state, where the resource has another one now, or has vanished, and no change of ours was interrupted. */
  readonly lastKnown?: Value;
  readonly diagnostics: readonly Diagnostic[];
}

const failureReason = "CannotObserveExternalResource";

/**
 * Determines whether the object of a resource exists, and reads it.
 *
 * A stored object is upgraded to the current schema, and read. Without a stored object, the resource is imported by its external name, if it has
 * one. If the outcome of a creation is unknown, the object is looked up by its planned identity, or by a name that the user has chosen; such a
 * creation is never repeated. An external name of an earlier resource, which has vanished or is being replaced, cannot find it. A creation that was
 * interrupted before its request was sent is repeated.
 *
 * @throws StepFailure if this is not possible, with the steps that the user can take; ProviderError if a call fails.
 */
export async function observeResource(request: ObservationRequest): Promise<ResourceObservation> {
  const { state, owner } = request;
  const isUnknown = isCreateIncomplete(owner);
  const stored = state?.object ?? (isUnknown ? undefined : state?.deposed);
  if (state && stored) return await observeStored(request, state, stored);
  const { pending } = state ?? {};
  // The external name belongs to the resource that was deleted.
  if (state?.deletedAt !== undefined) return { by: "none", diagnostics: [] };
  // The external name belongs to an earlier resource, which no longer exists.
  if (pending?.operation === "create" && isCreationUnsent(owner, pending.since)) return { by: "none", diagnostics: [] };
  // The failure of the creation was stored, and not yet annotated.
  if (isUnknown && isFailedCreation(owner, state?.failedCreation)) return { by: "none", diagnostics: [] };
  const targets = importTargets(request);
  if (targets.length === 0) {
    if (isUnknown) throw unknownCreation(owner);
    if (isLost(owner, state)) throw lostState(owner);
    return { by: "none", diagnostics: [] };
  }
  let last: ResourceObservation | undefined;
  for (const target of targets) {
    last = await observeByImport(request, target, isUnknown);
    if (last.object) return last;
  }
  return last!;
}

async function observeStored(
  { type, owner, options }: ObservationRequest,
  state: StoredState,
  encoded: EncodedObject,
): Promise<ResourceObservation> {
  const stored = storedObject(encoded);
  const source = { providerAddress: state.provider, typeName: state.typeName, stored };
  const isMoved = state.typeName !== type.typeName;
  const upgraded = isMoved ? await moveObject(type, source, options) : await upgradeObject(type, stored, options);
  if (upgraded.object === undefined || hasErrors(upgraded.diagnostics)) {
    throw new StepFailure(failureReason, `the stored state of ${owner.metadata.name} cannot be used: ${errorText(upgraded.diagnostics)}`);
  }
  const read = await readObject(type, upgraded.object, options);
  if (read.status === "failed") throw new StepFailure(failureReason, errorText(read.diagnostics));
  const diagnostics = [...upgraded.diagnostics, ...read.diagnostics];
  const known = upgraded.object.value;
  const isDrift = state.pending === undefined && upgraded.object.status === "ready" && !(read.object && same(known, read.object.value));
  return { by: "state", ...(read.object ? { object: read.object } : {}), ...(isDrift ? { lastKnown: known } : {}), diagnostics };
}

/** Identifiers that may find the object, the surest first. */
function importTargets({ type, kind, owner, state, configuration }: ObservationRequest): readonly ImportTarget[] {
  const targets: ImportTarget[] = [];
  const { pending } = state ?? {};
  const { identitySchema } = type;
  if (pending?.identity !== undefined && identitySchema && pending.identitySchemaVersion === identitySchema.version) {
    targets.push({ identity: decode(pending.identity, identityType(identitySchema)) });
  }
  const externalName = annotationOf(owner, "externalName");
  if (externalName !== undefined && externalName !== state?.earlierName)
    targets.push({ id: importIdOf(kind, externalName, configuration) });
  return targets;
}

async function observeByImport(
  { type, kind, owner, state, options }: ObservationRequest,
  target: ImportTarget,
  isUnknown: boolean,
): Promise<ResourceObservation> {
  try {
    const { status, object, diagnostics } = await importObject(type, target, options);
    if (status === "failed" && !areNotFound(kind, diagnostics)) throw new StepFailure(failureReason, errorText(diagnostics));
    return { by: "import", ...(object ? { object } : {}), diagnostics: diagnostics.filter(({ severity }) => severity === "warning") };
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code !== "UNIMPLEMENTED") throw error;
    if (isUnknown) throw unknownCreation(owner, false);
    if (isLost(owner, state)) throw lostState(owner, false);
    return { by: "none", diagnostics: [] };
  }
}

/** Whether the state of a resource that was created is gone. A state without an object is not lost: it says that the object is gone, or not created. */
function isLost(owner: ManagedResource, state: StoredState | undefined): boolean {
  return annotationOf(owner, "createSucceeded") !== undefined && state === undefined;
}

/** Whether all errors of an import say that the resource does not exist, by the rules of the kind. */
function areNotFound({ rules: { notFoundErrors = [] } }: KindMapping, diagnostics: readonly Diagnostic[]): boolean {
  const texts = notFoundErrors.map((text) => text.toLowerCase());
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.every(({ summary, detail }) => texts.some((text) => `${summary}\n${detail}`.toLowerCase().includes(text)));
}

/** @param canImport - False if the provider has said that it cannot import the resource. */
function unknownCreation({ metadata }: ManagedResource, canImport = true): StepFailure {
  const steps = canImport
    ? "if the resource exists, set the annotation crossplane.io/external-name to its identifier; if it does not, remove"
    : "the provider cannot import the resource, so if it exists, delete it there. Then remove";
  const message =
    `a creation of ${metadata.name} was begun at ${metadata.annotations?.["crossplane.io/external-create-pending"]}, and its outcome is not ` +
    `known. Look it up in the provider's system: ${steps} the annotation crossplane.io/external-create-pending`;
  return new StepFailure("UnknownCreationOutcome", message, { repeats: false });
}

/** @param canImport - As of {@link unknownCreation}. */
function lostState({ metadata }: ManagedResource, canImport = true): StepFailure {
  const steps = canImport
    ? "it has no external name that finds it. Set the annotation crossplane.io/external-name to its identifier; to create another one,"
    : "the provider cannot import it. Delete the resource in the provider's system if it exists; then";
  const message =
    `${metadata.name} was created, but its stored state is gone and ${steps} remove the annotation ` +
    "crossplane.io/external-create-succeeded";
  return new StepFailure("StateLost", message, { repeats: false });
}
