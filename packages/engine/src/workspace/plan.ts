// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from "node:crypto";
import { isSameResourceInstance } from "../address/resource.ts";
import { applyPlan } from "../apply/apply-plan.ts";
import { opentofuVersion } from "../opentofu-version.ts";
import { planJson } from "../documents/plan-json.ts";
import type { JsonDocument } from "../documents/state-json.ts";
import { EngineError } from "../error.ts";
import type { EngineEvent } from "../events/events.ts";
import type { PlannedChanges, ResourceChange } from "../change/planned-changes.ts";
import { generatedFile } from "../plan/generated-configuration.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import { ProviderSchemas } from "../provider/provider-schemas.ts";
import type { ProviderPool } from "../provider/provider-pool.ts";
import { ApplyJournal } from "../state/journal/apply-journal.ts";
import { acknowledgeInterrupted, journalBase, type OpenedState } from "../state/journal/recover-journal.ts";
import { isEmptyState, type State, type StateOutput } from "../state/state.ts";
import { isPartial } from "../plan/targeting.ts";
import { givenValues, type RunSetup } from "./run-setup.ts";
import { plannedGraph, type GraphResult } from "./operation-graph.ts";
import { savedPlanOf } from "./saved-plan/open-saved-plan.ts";
import { writeSavedPlan } from "./saved-plan/saved-plan.ts";
import { StateWriter } from "./state-writer.ts";
import { withGeneratedResources } from "./generated-resources.ts";

/** Options of {@link Plan.apply}. */
export interface ApplyOptions {
  /** Called with each event of the apply. Default: the listener of the plan. */
  readonly onEvent?: (event: EngineEvent) => void;
  /** Aborts the apply. Default: the signal of the plan. */
  readonly signal?: AbortSignal;
}

/** The result of an apply. */
export interface AppliedPlan {
  readonly state: State;
  /** Outputs of the root module. */
  readonly outputs: ReadonlyMap<string, StateOutput>;
  readonly diagnostics: readonly AddressedDiagnostic[];
  /** Whether the diagnostics have errors, so that some changes may not have been made. */
  readonly errored: boolean;
}

/** The parts of a {@link Plan}. */
export interface PlanParts {
  readonly planned: PlannedChanges;
  readonly setup: RunSetup | undefined;
  readonly sources: ReadonlyMap<string, string | Uint8Array>;
  readonly opened: OpenedState;
  readonly pool: ProviderPool;
  readonly unlock: () => Promise<void>;
  readonly onEvent: ((event: EngineEvent) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A plan. It holds the lock of the state and the provider instances until it is applied or closed. */
export class Plan implements AsyncDisposable {
  readonly #parts: PlanParts;
  #isClosed = false;
  #applying: Promise<AppliedPlan> | undefined;
  #stops = 0;
  readonly #abort = new AbortController();
  #emit = (event: EngineEvent): void => this.#parts.onEvent?.(event);

  constructor(parts: PlanParts) {
    this.#parts = parts;
  }

  /** The planned changes. */
  get changes(): PlannedChanges {
    return this.#parts.planned;
  }

  get diagnostics(): readonly AddressedDiagnostic[] {
    return this.changes.diagnostics;
  }

  /** The texts of the configuration's files by path, for showing diagnostics. */
  get sources(): ReadonlyMap<string, string | Uint8Array> {
    return this.#parts.sources;
  }

  /** Whether the plan has errors. Then it can be incomplete, and cannot be applied. */
  get errored(): boolean {
    return this.changes.errored;
  }

  /** Whether no change is deferred, so that no further plan is needed to make all changes. */
  get isComplete(): boolean {
    return (this.changes.deferred ?? []).length === 0;
  }

  /** Whether applying the plan would change an object, an output or the state. */
  get hasChanges(): boolean {
    const { resources, outputs, mode, drift } = this.changes;
    if (mode === "refreshOnly") return drift.length > 0 || outputs.some(({ action }) => action !== "noOp");
    const isMoved = ({ address, previousAddress }: ResourceChange): boolean => !isSameResourceInstance(address.instance, previousAddress);
    return resources.some((change) => change.action !== "noOp" || isMoved(change)) || outputs.some(({ action }) => action !== "noOp");
  }

  /**
   * The generated configuration of imported objects, in the form of the file that `tofu plan -generate-config-out` writes; undefined if there is
   * none. A plan with errors can have it, too.
   */
  get generatedConfiguration(): string | undefined {
    return generatedFile(this.changes.resources);
  }

  /** The plan as `tofu show -json` prints it. */
  async toJson(): Promise<JsonDocument> {
    const { planned, setup, pool } = this.#parts;
    if (setup === undefined) throw new EngineError("INVALID_OPTIONS", "the configuration has errors, so there is no plan");
    const schemas = await ProviderSchemas.load(pool, setup.configuration, planned.priorState);
    const variables = givenValues(setup);
    return planJson(planned, { configuration: setup.configuration, variables, schemas, terraformVersion: opentofuVersion });
  }

  /**
   * What depends on what in the apply of the plan, as `tofu graph -plan` prints it.
   *
   * @throws EngineError `INVALID_OPTIONS` if the plan has errors.
   */
  async graph(): Promise<GraphResult> {
    const { planned, setup, pool } = this.#parts;
    if (planned.errored || setup === undefined) throw new EngineError("INVALID_OPTIONS", "a plan with errors has no graph");
    return plannedGraph(setup, planned, pool);
  }

  /**
   * Saves the plan as bytes, which `workspace.openPlan` opens, also in another process. They contain the configuration, the values of variables
   * that are not ephemeral, and the states, with sensitive values in clear text.
   *
   * @throws EngineError `INVALID_OPTIONS` if the plan has errors, and after an apply has begun.
   */
  async save(): Promise<Uint8Array> {
    const { planned, setup, opened } = this.#parts;
    if (this.#applying !== undefined) throw new EngineError("INVALID_OPTIONS", "the plan is being applied, or was");
    if (planned.errored || setup === undefined) throw new EngineError("INVALID_OPTIONS", "a plan with errors cannot be saved");
    return writeSavedPlan(savedPlanOf(planned, setup, opened.manager));
  }

  /**
   * Makes the planned changes and stores the state while it changes. Closes the plan at the end.
   *
   * After a change fails, the changes that depend on it are left out; `diagnostics` has the reasons. Also after {@link stop}, the result has the
   * state with the changes that were made.
   *
   * @throws EngineError `INVALID_OPTIONS` if the plan has errors, is closed, or was applied before.
   * @throws UnsavedStateError after a failed write, with the code `STORE_FAILED` or `STATE_CONFLICT`. No change is started after that, and the
   *   last state is written again at the end. Since that can fail, too, the error has the `state`, so that no change is lost.
   * @throws The reason of the signal after an abort, and the error of a listener. The changes that were made before are stored.
   */
  async apply(options: ApplyOptions = {}): Promise<AppliedPlan> {
    if (this.#isClosed) throw new EngineError("INVALID_OPTIONS", "the plan is closed");
    if (this.#applying !== undefined) throw new EngineError("INVALID_OPTIONS", "the plan is being applied");
    const { planned, setup } = this.#parts;
    if (planned.errored || setup === undefined) throw new EngineError("INVALID_OPTIONS", "a plan with errors cannot be applied");
    this.#applying = this.#apply(setup, options);
    return this.#applying;
  }

  async #apply(setup: RunSetup, options: ApplyOptions): Promise<AppliedPlan> {
    const { planned, opened, pool } = this.#parts;
    const { onEvent = this.#parts.onEvent, signal = this.#parts.signal } = options;
    const journal = await this.#startJournal().catch(async (error: unknown) => {
      await this.#release();
      throw error;
    });
    const saved = new StateWriter(opened.manager, journal);
    const listenerErrors: unknown[] = [];
    let isComplete = false;
    const emit = (this.#emit = (event: EngineEvent): void => {
      if (event.type === "stateChanged") saved.save(() => event.state);
      if (listenerErrors.length > 0) return;
      try {
        onEvent?.(event);
      } catch (error) {
        // It is thrown after the apply, because the changes that providers have made must be stored first.
        listenerErrors.push(error);
      }
    });
    try {
      emit({ type: "planApplying", planned });
      await pool.beginStage("apply");
      const applied = await applyPlan({
        ...setup,
        configuration: withGeneratedResources(setup.configuration, planned),
        planned,
        pool,
        journal,
        emit,
        isStopped: () => this.#stops > 0 || listenerErrors.length > 0 || saved.hasFailed,
        signal: signal === undefined ? this.#abort.signal : AbortSignal.any([signal, this.#abort.signal]),
        newDeposedKey: () => randomBytes(4).toString("hex"),
      });
      saved.save(() => applied.state);
      const { diagnostics, errored, state } = applied;
      for (const diagnostic of diagnostics) emit({ type: "diagnostic", diagnostic, sources: setup.sources });
      emit({ type: "planApplied", outputs: state.outputs, errored });
      isComplete = !errored && !isPartial(setup);
      if (listenerErrors.length > 0) throw listenerErrors[0];
      return { ...applied, outputs: applied.state.outputs };
    } finally {
      try {
        await saved.settled(isComplete);
        if (journal === undefined && isComplete) await acknowledgeInterrupted(opened);
      } finally {
        await this.#release();
      }
    }
  }

  /**
   * Starts the journal, if the plan has changes and the state's location can have a journal. First it stores the prior state of the plan, to which
   * the recorded changes apply: it can differ from the stored state, for example if objects have moved.
   */
  async #startJournal(): Promise<ApplyJournal | undefined> {
    const { planned, opened, signal } = this.#parts;
    const { manager, journal, interrupted, isJournalOptional } = opened;
    if (journal === undefined || planned.resources.every(({ action }) => action === "noOp")) return undefined;
    if (manager.stored !== undefined || !isEmptyState(planned.priorState)) {
      await manager.save(planned.priorState, signal === undefined ? {} : { signal });
    }
    try {
      return await ApplyJournal.start(journal, journalBase(manager), interrupted);
    } catch (error) {
      if (isJournalOptional) return undefined;
      throw error;
    }
  }

  /** Ends an apply gracefully: no further change is started, and providers are asked to stop. A second call cancels the calls in flight. */
  async stop(): Promise<void> {
    this.#stops++;
    if (this.#stops > 1) this.#abort.abort();
    else {
      this.#emit({ type: "stopping" });
      await this.#parts.pool.stop();
    }
  }

  /** Waits for the end of an apply under way, closes the providers and releases the lock. A second call does nothing. */
  async close(): Promise<void> {
    if (this.#applying !== undefined) await this.#applying.catch(() => undefined);
    await this.#release();
  }

  async #release(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      await this.#parts.pool[Symbol.asyncDispose]();
    } finally {
      await this.#parts.unlock();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
