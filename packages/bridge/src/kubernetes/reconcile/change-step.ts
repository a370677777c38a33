// SPDX-License-Identifier: Apache-2.0
import type { LifecycleObserver, ResourceObject, ResourceType } from "@tenon/schema/lifecycle";
import { HiddenTexts } from "@tenon/schema/observability";
import { LimitedSignal } from "../machinery/client/limited-signal.ts";
import type { ReconcileResult } from "../machinery/controller/controller.ts";
import type { ResourceState } from "../state/state-store.ts";
import { connectionDetails } from "../values/connection-details.ts";
import { deleteDeposed, type ChangeContext, type ChangeResult } from "./change-resource.ts";
import {
  operationFailure,
  operationFinished,
  operationOngoing,
  operationSuccess,
  reconcileError,
  reconcileSuccess,
  type ConditionUpdate,
} from "./conditions.ts";
import type { OperationType } from "./operation-type.ts";
import { operationOptions, type Observed, type ResourceReconcilerSettings, type Work } from "./reconcile-work.ts";
import type { ResourceEvents } from "./resource-events.ts";
import type { ResourceStatusUpdate } from "./resource-writer.ts";
import type { RunningOperations } from "./running-operations.ts";
import { isSuperseded } from "./step-failure.ts";

/** A change to make. */
export interface Change {
  readonly type: OperationType;
  /** Plan and conditions while it is made. */
  readonly status: ResourceStatusUpdate & { readonly conditions: readonly ConditionUpdate[] };
  readonly make: (context: ChangeContext) => Promise<ChangeResult>;
}

/** Result of {@link ChangeStep.make}. */
export type ChangeOutcome =
  /** The change was made. `object` is absent after a deletion. */
  | { readonly kind: "made"; readonly object?: ResourceObject }
  /** The change goes on as an operation, or waits for its turn. */
  | { readonly kind: "begun"; readonly result: ReconcileResult };

/** Step of a reconcile that makes a change: at once, or as an operation that goes on after the reconcile. */
export class ChangeStep {
  readonly #settings: ResourceReconcilerSettings;
  readonly #events: ResourceEvents;

  constructor(settings: ResourceReconcilerSettings, events: ResourceEvents) {
    this.#settings = settings;
    this.#events = events;
  }

  /** Makes or begins a change. @throws What `change.make` throws, of a change that is made at once; ApiError for a conflict. */
  async make(work: Work, observed: Observed, change: Change): Promise<ChangeOutcome> {
    const { kind, operations } = this.#settings;
    if (kind.rules.asynchronous && operations) {
      return { kind: "begun", result: await this.#begin(work, observed, change, operations) };
    }
    await work.writer.setStatus(change.status);
    using limit = this.#limit(work);
    const { object, diagnostics } = await change.make(this.#context(work, observed.type, observed.state, limit));
    this.#events.changed(work.writer.object, change.type, diagnostics);
    return { kind: "made", ...(object ? { object } : {}) };
  }

  /** Ends a replacement that was interrupted between its two steps. */
  async deleteReplaced(work: Work, { type, state }: Observed): Promise<void> {
    if (state.current?.object === undefined || state.current.deposed === undefined) return;
    using limit = this.#limit(work);
    this.#events.warned(work.writer.object, await deleteDeposed(this.#context(work, type, state, limit)));
  }

  async #begin(work: Work, { type, state, config }: Observed, change: Change, operations: RunningOperations): Promise<ReconcileResult> {
    const { key, writer } = work;
    const { kind, progressMs = 10_000 } = this.#settings;
    if (operations.isFull) return { requeueAfterMs: 1_000, isUnfinished: true };
    const startedAt = new Date().toISOString();
    const { conditions: current = [] } = writer.object.status ?? {};
    // After a failure, the object is in error until an operation has succeeded.
    const hasFailed = current.some(({ type: name, status }) => name === "LastAsyncOperation" && status === "False");
    const conditions = change.status.conditions.filter((condition) => !hasFailed || condition !== reconcileSuccess);
    const operation = { type: change.type, startedAt };
    await writer.setStatus({ ...change.status, conditions: [...conditions, operationOngoing], operation });
    const secrets = new HiddenTexts();
    secrets.addTexts(() => connectionDetails(kind, config).values());
    operations.start({
      key,
      uid: writer.object.metadata.uid!,
      type: change.type,
      startedAt,
      typeName: kind.typeName,
      secrets,
      run: async (observer) => {
        using limit = this.#limit(work);
        return await this.#complete(work, change, this.#context(work, type, state, limit, observer));
      },
    });
    return { requeueAfterMs: progressMs, isUnfinished: true };
  }

  /** Makes the change of an operation, and reports its outcome. The next reconcile observes the resource. Returns whether it succeeded. */
  async #complete({ writer, context }: Work, change: Change, changeContext: ChangeContext): Promise<boolean> {
    let conditions: readonly ConditionUpdate[] = [operationSuccess, operationFinished];
    let succeeded = true;
    try {
      const { diagnostics } = await change.make(changeContext);
      this.#events.changed(writer.object, change.type, diagnostics);
    } catch (error) {
      // The next process finds the operation in the status, and what it did by observation.
      if (context.ending.aborted) return true;
      if (isSuperseded(error)) {
        conditions = [operationFinished];
      } else {
        succeeded = false;
        const { message } = error as Error;
        context.log.error("operation failed", { operation: change.type, error });
        this.#events.failed(writer.object, error, message);
        conditions = [reconcileError(message), operationFailure(change.type, message), operationFinished];
      }
    }
    // The watch may deliver the outcome before the API server answers: progress must not be written after it.
    this.#settings.operations!.conclude(writer.object.metadata.uid!);
    try {
      await writer.setStatusAlways({ conditions, operation: null });
    } catch (error) {
      context.log.error("the outcome of an operation could not be reported", { operation: change.type, error });
    }
    return succeeded;
  }

  /** The time limit of a change. The time limit of the reconcile does not cut it off. */
  #limit({ context }: Work): LimitedSignal {
    return new LimitedSignal(this.#settings.changeTimeoutMs ?? 3_600_000, [context.ending]);
  }

  #context(
    { writer }: Work,
    type: ResourceType,
    state: ResourceState,
    { signal }: LimitedSignal,
    observer?: LifecycleObserver,
  ): ChangeContext {
    const { kind } = this.#settings;
    const options = { ...operationOptions(kind, writer.object, signal), ...(observer ? { observer } : {}) };
    return { type, kind, state, writer, options };
  }
}
