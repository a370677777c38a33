// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { hasErrors, type Diagnostic } from "@tenon/schema";
import {
  createStep,
  planChange,
  type OperationOptions,
  type PlannedChange,
  type ResourceObject,
  type ResourceType,
} from "@tenon/schema/lifecycle";
import { isAlreadyExists, isConflict, isNotFound } from "../machinery/client/api-error.ts";
import type { ApiClient } from "../machinery/client/api-client.ts";
import type { ApiResource } from "../machinery/client/api-resource.ts";
import type { ReconcileContext, ReconcileResult } from "../machinery/controller/controller.ts";
import type { EventRecorder, ObjectEvent } from "../machinery/event/event-recorder.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import type { ResourceState, StateStore } from "../state/state-store.ts";
import type { JsonObject } from "../values/json-value.ts";
import { lateInitialization } from "../values/late-initialization.ts";
import { observationOf } from "../values/observation.ts";
import { configurationOf } from "../values/parameters.ts";
import {
  createResource,
  deleteDeposed,
  deleteResource,
  recordFoundCreation,
  saveObserved,
  updateResource,
  type ChangeContext,
} from "./change-resource.ts";
import {
  available,
  creating,
  deleting,
  reconcileError,
  reconcilePaused,
  reconcileSuccess,
  unavailable,
  type ConditionUpdate,
} from "./conditions.ts";
import { publishConnection } from "./connection-secret.ts";
import {
  annotationOf,
  isCreateIncomplete,
  managedFinalizer,
  pollIntervalOf,
  replacementPolicyOf,
  type ManagedResource,
  type ProviderConfigReference,
} from "./managed-resource.ts";
import { observeResource, type ResourceObservation } from "./observe-resource.ts";
import { permissionsOf, type Permissions } from "./policies.ts";
import { resolveReferences, type ReferenceContext } from "./references.ts";
import { ResourceWriter } from "./resource-writer.ts";
import { secretValues } from "./secret-values.ts";
import { errorText, StepFailure } from "./step-failure.ts";

/** Settings of a {@link ResourceReconciler}. */
export interface ResourceReconcilerSettings {
  readonly client: ApiClient;
  readonly kind: KindMapping;
  /** The kind as the API serves it. */
  readonly resource: ApiResource;
  /** Returns an object by its key, from a cache. */
  readonly find: (key: string) => ManagedResource | undefined;
  readonly states: StateStore;
  readonly events: EventRecorder;
  /** Returns the resource type of a configured provider. */
  readonly connect: (reference: ProviderConfigReference, owner: ManagedResource, signal: AbortSignal) => Promise<ResourceType>;
  readonly relatedKind: ReferenceContext["relatedKind"];
  /** Time between two observations, in milliseconds. Default: 60,000. */
  readonly pollMs?: number;
  /** Share of that time by which it is longer or shorter at random. Default: 0.1. */
  readonly pollJitter?: number;
  /** Time limit of a change that the provider makes, in milliseconds. Default: 3,600,000. */
  readonly changeTimeoutMs?: number;
}

/** One reconcile of one object. */
interface Work {
  readonly writer: ResourceWriter;
  readonly permissions: Permissions;
  readonly context: ReconcileContext;
  /** Signal of changes, which are not cut off by the time limit of a reconcile. */
  readonly changeSignal: AbortSignal;
}

/** What is known of the resource when it has been observed. */
interface Observed {
  readonly type: ResourceType;
  readonly state: ResourceState;
  readonly config: Value;
  readonly observation: ResourceObservation;
}

/**
 * Brings resources into the state that their objects describe.
 *
 * One reconcile does these steps in this order, and ends at the first that has to wait: pause, policies, orphaning, external name, references,
 * connection to the provider, observation (with the guard for creations whose outcome is not known), deletion, connection Secret, finalizer,
 * creation, late initialisation, plan, update or replacement.
 */
export class ResourceReconciler {
  readonly #settings: ResourceReconcilerSettings;

  constructor(settings: ResourceReconcilerSettings) {
    this.#settings = settings;
  }

  /** Reconciles the object with this key. @throws ApiError, ProviderError, StepFailure: the object is reconciled again later. */
  async reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult> {
    const object = this.#settings.find(key);
    if (object === undefined) return {};
    const { client, resource, changeTimeoutMs = 3_600_000 } = this.#settings;
    const writer = new ResourceWriter(client, resource, object);
    const changeSignal = AbortSignal.any([context.ending, AbortSignal.timeout(changeTimeoutMs)]);
    try {
      const permissions = permissionsOf(object.spec);
      if (permissions === "paused" || annotationOf(object, "paused") === "true") {
        await writer.setStatus([reconcilePaused]);
        return {};
      }
      if (permissions === "invalid") {
        const given = JSON.stringify(object.spec.managementPolicies);
        throw new StepFailure("InvalidManagementPolicies", `the management policies ${given} are not supported together`, {
          repeats: false,
        });
      }
      return await this.#work({ writer, permissions, context, changeSignal });
    } catch (error) {
      try {
        return await this.#report(writer, error, context);
      } catch (reported) {
        // The object is gone: nothing is left to do. Where only its Secret is gone, the reconcile is repeated.
        if (isNotFound(reported) && this.#settings.find(key) === undefined) return {};
        throw reported;
      }
    }
  }

  /** Turns a failure into a condition and an event. */
  async #report(writer: ResourceWriter, error: unknown, { signal, ending }: ReconcileContext): Promise<ReconcileResult> {
    // The object has changed, or the work is being ended: neither is a failure of the resource.
    if (isConflict(error) || isAlreadyExists(error) || isNotFound(error) || ending.aborted) throw error;
    const message = signal.aborted ? "the reconcile took too long" : (error as Error).message;
    const reason = error instanceof StepFailure ? error.reason : "ReconcileError";
    this.#record(writer.object, { type: "Warning", reason, note: message });
    await writer.setStatus([reconcileError(message)]);
    if (error instanceof StepFailure && !error.repeats) return {};
    throw error;
  }

  async #work(work: Work): Promise<ReconcileResult> {
    const { writer, permissions, context } = work;
    const { metadata } = writer.object;
    const isDeleted = metadata.deletionTimestamp !== undefined;
    if (isDeleted && !permissions.delete) return await this.#orphan(work);
    if (isDeleted && !metadata.finalizers?.includes(managedFinalizer)) return {};
    await this.#initialize(work);
    if (!isDeleted) await this.#resolveReferences(work);
    const observed = await this.#observe(work);
    const { object } = observed.observation;
    if (isDeleted) return await this.#delete(work, observed);
    if (object === undefined) return await this.#createMissing(work, observed);
    return await this.#maintain(work, observed, object, context.signal);
  }

  /** Ends the management of a resource that stays. */
  async #orphan({ writer, context }: Work): Promise<ReconcileResult> {
    const state = await this.#settings.states.open(writer.object, { fresh: true, signal: context.signal });
    await state.delete();
    await writer.removeFinalizer();
    return {};
  }

  /** Sets the external name where it is an argument: the name of the object. */
  async #initialize({ writer, context }: Work): Promise<void> {
    const { rules } = this.#settings.kind;
    if (rules.externalName?.isArgument !== true || annotationOf(writer.object, "externalName") !== undefined) return;
    await writer.annotate({ externalName: writer.object.metadata.name }, context.signal);
  }

  async #resolveReferences({ writer, context }: Work): Promise<void> {
    const { client, kind, relatedKind } = this.#settings;
    const patch = await resolveReferences({ client, relatedKind, signal: context.signal }, kind, writer.object);
    if (patch) await writer.patchParameters(patch, context.signal);
  }

  async #observe({ writer, context }: Work): Promise<Observed> {
    const { kind, states, connect } = this.#settings;
    const { signal } = context;
    const owner = writer.object;
    const reference = owner.spec.providerConfigRef ?? { name: "default" };
    const type = await connect(reference, owner, signal);
    const state = await states.open(owner, { trustsCache: annotationOf(owner, "createPending") === undefined, signal });
    const options = this.#options(owner, signal);
    const isDeleted = owner.metadata.deletionTimestamp !== undefined;
    const initial = await this.#configuration(owner, undefined, isDeleted, signal);
    const request = { type, kind, owner, state: state.current, configuration: initial, options };
    const observation = await observeResource(request);
    this.#recordWarnings(owner, observation.diagnostics);
    const { object } = observation;
    if (object) {
      if (observation.by === "import" || isCreateIncomplete(owner)) await this.#adopt(writer, state, type, object, observation);
      else await saveObserved({ type, state }, object);
    }
    const config = object === undefined ? initial : await this.#configuration(writer.object, object.value, isDeleted, signal);
    return { type, state, config, observation };
  }

  /** Records a resource that exists and that the object did not know completely. */
  async #adopt(
    writer: ResourceWriter,
    state: ResourceState,
    type: ResourceType,
    object: ResourceObject,
    { by }: ResourceObservation,
  ): Promise<void> {
    await saveObserved({ type, state }, object);
    if (isCreateIncomplete(writer.object)) await recordFoundCreation({ writer, kind: this.#settings.kind }, object);
    if (by === "import") {
      const note = `the state was rebuilt by an import of ${annotationOf(writer.object, "externalName") ?? "the planned identity"}`;
      this.#record(writer.object, { type: "Normal", reason: "ImportedExternalResource", note });
    }
  }

  /** Converts the parameters. For a resource that is being deleted, problems do not matter: only identifiers are taken from it. */
  async #configuration(owner: ManagedResource, state: Value | undefined, isDeleted: boolean, signal: AbortSignal): Promise<Value> {
    const { client, kind } = this.#settings;
    const { forProvider, initProvider } = owner.spec;
    const externalName = annotationOf(owner, "externalName");
    const { value, problems } = configurationOf(kind, {
      forProvider,
      ...(initProvider ? { initProvider } : {}),
      ...(externalName === undefined ? {} : { externalName }),
      ...(state ? { state } : {}),
      secret: await secretValues(client, kind, owner, signal),
    });
    if (problems.length === 0 || isDeleted) return value;
    throw new StepFailure("InvalidParameters", problems.map(({ path, reason }) => `${path}: ${reason}`).join("; "));
  }

  async #delete(work: Work, { type, state, observation }: Observed): Promise<ReconcileResult> {
    const { writer, changeSignal } = work;
    const { object } = observation;
    if (object === undefined) {
      await state.delete();
      await writer.removeFinalizer();
      return {};
    }
    const { finalizers = [] } = writer.object.metadata;
    await this.#deleteReplaced(work, { type, state });
    await writer.setStatus([deleting, reconcileSuccess]);
    // Other controllers may still need the resource.
    if (finalizers.some((finalizer) => finalizer !== managedFinalizer)) return {};
    const { diagnostics } = await deleteResource(this.#change(work, type, state, changeSignal), object);
    this.#recordWarnings(writer.object, diagnostics);
    this.#record(writer.object, { type: "Normal", reason: "DeletedExternalResource", note: "the resource was deleted" });
    // The next reconcile reads nothing, and removes the finalizer.
    await state.delete();
    await writer.removeFinalizer();
    return {};
  }

  async #createMissing(work: Work, observed: Observed): Promise<ReconcileResult> {
    const { writer, permissions, context, changeSignal } = work;
    if (!permissions.create) {
      const message = permissions.update
        ? "the resource does not exist, and the management policies do not allow its creation"
        : "the resource does not exist";
      throw new StepFailure("CannotObserveExternalResource", message);
    }
    const { type, state, config } = observed;
    const planned = await this.#plan(type, writer.object, undefined, config, context.signal);
    if (planned === undefined) return {};
    await writer.setStatus([creating, reconcileSuccess]);
    const { object, diagnostics } = await createResource(this.#change(work, type, state, changeSignal), planned, config);
    this.#recordWarnings(writer.object, diagnostics);
    this.#record(writer.object, { type: "Normal", reason: "CreatedExternalResource", note: "the resource was created" });
    return await this.#finish(work, object!, [available, reconcileSuccess]);
  }

  /** Keeps a resource that exists as its object describes it. */
  async #maintain(work: Work, observed: Observed, object: ResourceObject, signal: AbortSignal): Promise<ReconcileResult> {
    const { writer, permissions } = work;
    const { type, config } = observed;
    await writer.addFinalizer(signal);
    await this.#deleteReplaced(work, observed);
    if (permissions.lateInitialize && object.status === "ready") {
      const patch = lateInitialization(this.#settings.kind, writer.object.spec, object.value);
      const { generation } = writer.object.metadata;
      if (patch) await writer.patchParameters(patch, signal);
      // A change of the object begins the next reconcile, with what it says now. The API server may have dropped what the patch sets.
      if (writer.object.metadata.generation !== generation) return {};
    }
    if (!permissions.create && !permissions.update) return await this.#finish(work, object, [available, reconcileSuccess]);
    const planned = await this.#plan(type, writer.object, object, config, signal);
    if (planned === undefined || planned.action === "noOp") return await this.#finish(work, object, [available, reconcileSuccess]);
    if (planned.action === "replace") return await this.#replace(work, observed, planned);
    if (!permissions.update) return await this.#finish(work, object, [available, reconcileSuccess]);
    const changed = await updateResource(this.#change(work, type, observed.state, work.changeSignal), planned, config);
    this.#recordWarnings(writer.object, changed.diagnostics);
    this.#record(writer.object, { type: "Normal", reason: "UpdatedExternalResource", note: "the resource was updated" });
    return await this.#finish(work, changed.object!, [available, reconcileSuccess]);
  }

  /** Makes or refuses a change that the provider cannot make in place. */
  async #replace(work: Work, { type, state, config, observation }: Observed, planned: PlannedChange): Promise<ReconcileResult> {
    const { writer, permissions, changeSignal } = work;
    const object = observation.object!;
    const isTainted = planned.reason === "tainted";
    const policy = isTainted ? "DeleteFirst" : replacementPolicyOf(writer.object);
    if (policy === "Refuse" || !permissions.create || !permissions.delete) {
      throw new StepFailure("ReplacementRefused", refusal(planned, policy === "Refuse", isTainted));
    }
    const change = this.#change(work, type, state, changeSignal);
    if (policy === "DeleteFirst") {
      await writer.setStatus([unavailable]);
      await deleteResource(change, object);
    }
    const created = await createResource(change, createStep(planned), config, policy === "CreateFirst" ? object : undefined);
    if (policy === "CreateFirst") this.#recordWarnings(writer.object, await deleteDeposed(change));
    this.#recordWarnings(writer.object, created.diagnostics);
    this.#record(writer.object, { type: "Normal", reason: "ReplacedExternalResource", note: "the resource was replaced" });
    return await this.#finish(work, created.object!, [available, reconcileSuccess]);
  }

  /** Ends a replacement that was interrupted between its two steps. */
  async #deleteReplaced(work: Work, { type, state }: Pick<Observed, "type" | "state">): Promise<void> {
    if (state.current?.object === undefined || state.current.deposed === undefined) return;
    this.#recordWarnings(work.writer.object, await deleteDeposed(this.#change(work, type, state, work.changeSignal)));
  }

  async #plan(
    type: ResourceType,
    owner: ManagedResource,
    prior: ResourceObject | undefined,
    config: Value,
    signal: AbortSignal,
  ): Promise<PlannedChange | undefined> {
    const { planned, diagnostics } = await planChange(type, { ...this.#options(owner, signal), prior, config });
    this.#recordWarnings(owner, diagnostics);
    if (planned === undefined || hasErrors(diagnostics)) throw new StepFailure("CannotPlanExternalResource", errorText(diagnostics));
    return planned;
  }

  /** Publishes what is known of an existing resource. */
  async #finish({ writer, context }: Work, object: ResourceObject, conditions: readonly ConditionUpdate[]): Promise<ReconcileResult> {
    const { client, kind, pollMs = 60_000, pollJitter = 0.1 } = this.#settings;
    await publishConnection(client, kind, writer.object, object.value, context.signal);
    const atProvider: JsonObject = observationOf(kind, object.value).atProvider;
    await writer.setStatus(conditions, atProvider);
    const interval = pollIntervalOf(writer.object) ?? pollMs;
    return { requeueAfterMs: interval * (1 + (Math.random() * 2 - 1) * pollJitter) };
  }

  #change({ writer }: Work, type: ResourceType, state: ResourceState, signal: AbortSignal): ChangeContext {
    return { type, kind: this.#settings.kind, state, writer, options: this.#options(writer.object, signal) };
  }

  #options({ metadata }: ManagedResource, signal: AbortSignal): OperationOptions {
    const { kind } = this.#settings.kind.names;
    return { address: `${kind} ${metadata.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata.name}`, signal };
  }

  #recordWarnings(owner: ManagedResource, diagnostics: readonly Diagnostic[]): void {
    for (const { severity, summary, detail } of diagnostics) {
      if (severity !== "warning") continue;
      this.#record(owner, { type: "Warning", reason: "ProviderWarning", note: detail === "" ? summary : `${summary}: ${detail}` });
    }
  }

  #record(owner: ManagedResource, event: ObjectEvent): void {
    this.#settings.events.record(owner, event);
  }
}

function refusal({ requiresReplace }: PlannedChange, byPolicy: boolean, isTainted: boolean): string {
  const paths = requiresReplace.map((path) => path.map((step) => ("name" in step ? step.name : "…")).join("."));
  const what = isTainted
    ? "the resource was not created completely and must be replaced"
    : `a change of ${paths.join(", ") || "the resource"} needs a replacement`;
  return byPolicy
    ? `${what}: revert it, or set the annotation tenon.dev/replacement-policy to DeleteFirst or CreateFirst`
    : `${what}, and the management policies do not allow to delete and create`;
}
