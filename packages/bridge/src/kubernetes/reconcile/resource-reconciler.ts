// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import { hasErrors } from "@tenon/schema";
import { createStep, planChange, type PlannedChange, type ResourceObject, type ResourceType } from "@tenon/schema/lifecycle";
import { isNotFound } from "../machinery/client/api-error.ts";
import { hasTimedOut } from "../machinery/client/limited-signal.ts";
import type { ReconcileContext, ReconcileResult } from "../machinery/controller/controller.ts";
import { lateInitialization } from "../values/late-initialization.ts";
import { observationOf } from "../values/observation.ts";
import { planStatus } from "./change-report.ts";
import {
  createResource,
  deleteDeposed,
  deleteForReplacement,
  deleteResource,
  recordDeletion,
  updateResource,
  type ChangeContext,
  type ChangeResult,
} from "./change-resource.ts";
import { ChangeStep, type Change } from "./change-step.ts";
import {
  available,
  creating,
  deleting,
  notPlanned,
  operationFailure,
  operationFinished,
  reconcileError,
  reconcilePaused,
  reconcileSuccess,
  unavailable,
  upToDate,
} from "./conditions.ts";
import { publishConnection } from "./connection-secret.ts";
import { annotationOf, managedFinalizer, replacementPolicyOf, type ManagedResource } from "./managed-resource.ts";
import { ObserveStep } from "./observe-step.ts";
import type { OperationType } from "./operation-type.ts";
import { PlanReport, planOnlyMessage, refusal } from "./plan-report.ts";
import { permissionsOf } from "./policies.ts";
import { pollDelay } from "./poll-delay.ts";
import { operationOptions, type Observed, type ResourceReconcilerSettings, type Work } from "./reconcile-work.ts";
import { resolveReferences } from "./references.ts";
import { ResourceEvents } from "./resource-events.ts";
import { ResourceWriter, type ResourceStatusUpdate } from "./resource-writer.ts";
import { secretValues, type SecretValues } from "./secret-values.ts";
import { errorText, isSuperseded, StepFailure } from "./step-failure.ts";

/**
 * Brings resources into the state of their objects.
 *
 * One reconcile does these steps in this order, and ends at the first that has to wait: pause, policies, orphaning, external name, references,
 * connection to the provider, observation (with the guard for creations whose outcome is not known), deletion, connection Secret, finalizer,
 * creation, late initialisation, plan, update or replacement.
 */
export class ResourceReconciler {
  readonly #settings: ResourceReconcilerSettings;
  readonly #events: ResourceEvents;
  readonly #observing: ObserveStep;
  readonly #changing: ChangeStep;
  readonly #plans: PlanReport;

  constructor(settings: ResourceReconcilerSettings) {
    this.#settings = settings;
    this.#events = new ResourceEvents(settings.events);
    this.#observing = new ObserveStep(settings, this.#events);
    this.#changing = new ChangeStep(settings, this.#events);
    this.#plans = new PlanReport(settings.kind, this.#events);
  }

  /** Reconciles the object of a key. @throws ApiError, ProviderError, StepFailure, after which the object is reconciled again later. */
  async reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult> {
    const { client, kind, resource, find, operations, progressMs = 10_000 } = this.#settings;
    const known = find(key);
    if (known === undefined) return {};
    const uid = known.metadata.uid!;
    if (operations?.isRunning(uid)) {
      const progress = operations.progressOf(uid);
      if (progress) await new ResourceWriter(client, resource, known).setStatus({ operation: progress });
      return { requeueAfterMs: progressMs, isUnfinished: true };
    }
    const isAhead = operations?.takeEnded(uid) ?? false;
    const object = isAhead ? await client.find<ManagedResource>(resource, known.metadata, { signal: context.signal }) : known;
    if (object?.metadata.uid !== uid) return {};
    const writer = new ResourceWriter(client, resource, object);
    try {
      if (object.status?.operation) await this.#recordInterruption(writer, object.status.operation.type);
      const permissions = permissionsOf(object.spec);
      if (permissions === "paused" || annotationOf(object, "paused") === "true") {
        await writer.setStatus({ conditions: [reconcilePaused] });
        return {};
      }
      if (permissions === "invalid") {
        const message = `the management policies ${JSON.stringify(object.spec.managementPolicies)} are not supported together`;
        throw new StepFailure("InvalidManagementPolicies", message, { repeats: false });
      }
      let secrets: Promise<SecretValues> | undefined;
      const readSecrets = (): Promise<SecretValues> => (secrets ??= secretValues(client, kind, writer.object, context.signal));
      return await this.#work({ key, writer, permissions, context, isAhead, secrets: readSecrets });
    } catch (error) {
      try {
        return await this.#report(writer, error, context);
      } catch (reported) {
        // An object that is gone has no condition to report in. Where only its Secret is gone, the reconcile is repeated.
        if (isNotFound(reported) && !isNotFound(error)) context.log.warn("the reconcile of an object that is gone failed", { error });
        if (isNotFound(reported) && this.#settings.find(key) === undefined) return {};
        throw reported;
      }
    }
  }

  /** Reports a failure by a condition and an event. */
  async #report(writer: ResourceWriter, error: unknown, { signal }: ReconcileContext): Promise<ReconcileResult> {
    // The object has changed, the work is being ended, or another replica works on the object: none of them is a failure of the resource.
    if (isSuperseded(error) || (signal.aborted && !hasTimedOut(signal))) throw error;
    const message = hasTimedOut(signal) ? "the reconcile took too long" : (error as Error).message;
    this.#events.failed(writer.object, error, message);
    await writer.setStatus({ conditions: [reconcileError(message)] });
    if (error instanceof StepFailure && !error.repeats) return {};
    throw error;
  }

  /** Records that the controller ended during an operation. What the operation did is found by the observation that follows. */
  async #recordInterruption(writer: ResourceWriter, type: OperationType): Promise<void> {
    const message = "the controller ended before it could record the outcome";
    await writer.setStatus({ conditions: [operationFailure(type, message), operationFinished], operation: null });
  }

  async #work(work: Work): Promise<ReconcileResult> {
    const { writer, permissions, context } = work;
    const { metadata } = writer.object;
    const isDeleted = metadata.deletionTimestamp !== undefined;
    if (isDeleted && !permissions.delete) return await this.#orphan(work);
    if (isDeleted && !metadata.finalizers?.includes(managedFinalizer)) return {};
    await this.#initialize(work);
    if (!isDeleted) await this.#resolveReferences(work);
    const observed = await this.#observing.observe(work);
    const { object } = observed.observation;
    if (isDeleted) return await this.#delete(work, observed);
    if (object === undefined) return await this.#createMissing(work, observed);
    return await this.#maintain(work, observed, object, context.signal);
  }

  /** Ends the management of a resource without deleting it. */
  async #orphan({ writer, context }: Work): Promise<ReconcileResult> {
    const state = await this.#settings.states.open(writer.object, { fresh: true, signal: context.signal });
    await writer.removeFinalizer();
    await state.delete();
    return {};
  }

  /** Sets the external name to the name of the object, if the external name is an argument. */
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

  async #delete(work: Work, observed: Observed): Promise<ReconcileResult> {
    const { writer } = work;
    const { type, state, observation } = observed;
    const { object } = observation;
    if (object === undefined) {
      await recordDeletion(type, state);
      await writer.removeFinalizer();
      await state.delete();
      return {};
    }
    const { finalizers = [] } = writer.object.metadata;
    await this.#changing.deleteReplaced(work, observed);
    const status = { conditions: [deleting, reconcileSuccess], plan: null };
    // Other controllers may still need the resource.
    if (finalizers.some((finalizer) => finalizer !== managedFinalizer)) {
      await writer.setStatus(status);
      return {};
    }
    const make = async (context: ChangeContext): Promise<ChangeResult> => {
      const result = await deleteResource(context, object);
      // Until the finalizer is removed, the state says that nothing is left to delete. Without it, an interrupted deletion would have to import.
      await context.writer.removeFinalizerAlways();
      await context.state.delete();
      return result;
    };
    return await this.#change(work, observed, { type: "Delete", status, make });
  }

  async #createMissing(work: Work, observed: Observed): Promise<ReconcileResult> {
    const { writer, permissions, context } = work;
    const { kind } = this.#settings;
    if (!permissions.create && !permissions.planOnly) {
      const message = permissions.update
        ? "the resource does not exist, and the management policies do not allow its creation"
        : "the resource does not exist";
      throw new StepFailure("CannotObserveExternalResource", message);
    }
    const { type, config } = observed;
    const planned = await this.#plan(type, writer.object, undefined, config, context.signal);
    if (permissions.planOnly) {
      const shown = this.#plans.show(writer.object, planned, "PlanOnly", planOnlyMessage);
      await writer.setStatus({ ...shown, conditions: [unavailable, reconcileSuccess, ...shown.conditions] });
      return { requeueAfterMs: pollDelay(writer.object, this.#settings) };
    }
    const status = { conditions: [creating, reconcileSuccess], plan: planStatus(kind, planned) };
    return await this.#change(work, observed, {
      type: "Create",
      status,
      make: async (change) => await createResource(change, planned, config),
    });
  }

  /** Makes an existing resource match its object. */
  async #maintain(work: Work, observed: Observed, object: ResourceObject, signal: AbortSignal): Promise<ReconcileResult> {
    const { writer, permissions } = work;
    const { type, config } = observed;
    await writer.addFinalizer(signal);
    if (permissions.delete) await this.#changing.deleteReplaced(work, observed);
    if (permissions.lateInitialize && object.status === "ready") {
      const patch = lateInitialization(this.#settings.kind, writer.object.spec, object.value);
      const { generation } = writer.object.metadata;
      if (patch) await writer.patchParameters(patch, signal);
      // A change of the object begins the next reconcile, with what it says now. The API server may have dropped what the patch sets.
      if (writer.object.metadata.generation !== generation) return {};
    }
    if (!permissions.create && !permissions.update && !permissions.planOnly) {
      return await this.#finish(work, object, { conditions: [notPlanned], plan: null });
    }
    const planned = await this.#plan(type, writer.object, object, config, signal);
    if (planned.action === "noOp") return await this.#finish(work, object, { conditions: [upToDate], plan: null });
    if (permissions.planOnly) {
      return await this.#finish(work, object, this.#plans.show(writer.object, planned, "PlanOnly", planOnlyMessage));
    }
    if (planned.action === "replace") return await this.#replace(work, observed, planned);
    if (!permissions.update) {
      const message = "the management policies do not allow an update";
      return await this.#finish(work, object, this.#plans.show(writer.object, planned, "ChangesNotAllowed", message));
    }
    return await this.#change(work, observed, {
      type: "Update",
      status: this.#plans.show(writer.object, planned, "ChangesPending"),
      make: async (change) => await updateResource(change, planned, config),
    });
  }

  /** Makes or rejects a change that the provider cannot make in place. */
  async #replace(work: Work, observed: Observed, planned: PlannedChange): Promise<ReconcileResult> {
    const { writer, permissions } = work;
    const { config, observation } = observed;
    const object = observation.object!;
    const isTainted = planned.reason === "tainted";
    const policy = isTainted ? "DeleteFirst" : replacementPolicyOf(writer.object);
    if (policy === "Refuse" || !permissions.create || !permissions.delete) {
      const message = refusal(planned, policy === "Refuse", isTainted);
      await writer.setStatus(this.#plans.show(writer.object, planned, "ReplacementRefused", message));
      throw new StepFailure("ReplacementRefused", message);
    }
    const shown = this.#plans.show(writer.object, planned, "ChangesPending");
    const status = policy === "DeleteFirst" ? { ...shown, conditions: [unavailable, ...shown.conditions] } : shown;
    const make = async (change: ChangeContext): Promise<ChangeResult> => {
      const before = policy === "DeleteFirst" ? await deleteForReplacement(change, planned) : [];
      const created = await createResource(change, createStep(planned), config, policy === "CreateFirst" ? object : undefined);
      const after = policy === "CreateFirst" ? await deleteDeposed(change) : [];
      return { ...created, diagnostics: [...before, ...created.diagnostics, ...after] };
    };
    return await this.#change(work, observed, { type: "Replace", status, make });
  }

  /** Makes a change. */
  async #change(work: Work, observed: Observed, change: Change): Promise<ReconcileResult> {
    const outcome = await this.#changing.make(work, observed, change);
    if (outcome.kind === "begun") return outcome.result;
    // After a deletion, nothing is left to report.
    return outcome.object === undefined ? {} : await this.#finish(work, outcome.object, { conditions: [upToDate], plan: null });
  }

  async #plan(
    type: ResourceType,
    owner: ManagedResource,
    prior: ResourceObject | undefined,
    config: Value,
    signal: AbortSignal,
  ): Promise<PlannedChange> {
    const { planned, diagnostics } = await planChange(type, { ...operationOptions(this.#settings.kind, owner, signal), prior, config });
    this.#events.warned(owner, diagnostics);
    if (planned === undefined || hasErrors(diagnostics)) throw new StepFailure("CannotPlanExternalResource", errorText(diagnostics));
    return planned;
  }

  /** Publishes the state of an existing resource. */
  async #finish({ writer, context }: Work, object: ResourceObject, status: ResourceStatusUpdate): Promise<ReconcileResult> {
    const { kind } = this.#settings;
    await publishConnection(this.#settings, kind, writer.object, object.value, context.signal);
    const { atProvider } = observationOf(kind, object.value);
    await writer.setStatus({ ...status, conditions: [available, reconcileSuccess, ...(status.conditions ?? [])], atProvider });
    return { requeueAfterMs: pollDelay(writer.object, this.#settings) };
  }
}
