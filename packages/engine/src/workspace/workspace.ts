// SPDX-License-Identifier: Apache-2.0
import { hasErrors } from "@tenon/hcl";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import { opentofuVersion } from "../opentofu-version.ts";
import type { ConsoleResult } from "../console/console.ts";
import { stateJson, type JsonDocument, type SchemaLookup } from "../documents/state-json.ts";
import { renderState, type RenderStateOptions } from "../documents/state-text.ts";
import { EngineError } from "../error.ts";
import { StoredState, type StateAccess } from "../operations/stored-state.ts";
import { ProviderSchemas } from "../provider/provider-schemas.ts";
import { acknowledgeInterrupted, openState, type RecoveredApply } from "../state/journal/recover-journal.ts";
import { StateManager } from "../state/state-manager.ts";
import type { State, StateOutput } from "../state/state.ts";
import { createLockInfo } from "../state/stores/lock-info.ts";
import type { StateLock } from "../state/stores/state-store.ts";
import { validateConfiguration } from "../validate/validate-configuration.ts";
import { ConsoleSession } from "./console-session.ts";
import { importIntoState, type ImportIdentifier, type ImportResult } from "./import-object.ts";
import { makePlan, openSavedPlan } from "./make-plan.ts";
import { openConsole } from "./open-console.ts";
import { operationGraph, type GraphOptions, type GraphResult } from "./operation-graph.ts";
import { Plan, type AppliedPlan, type PlanParts } from "./plan.ts";
import { emitRecovery } from "./recovery-report.ts";
import { WorkspaceContext } from "./workspace-context.ts";
import type { PlanOptions, RecoverOptions, RunOptions, ValidatedConfiguration, WorkspaceOptions } from "./workspace-options.ts";

/**
 * Opens a workspace: a configuration with a state. Reads nothing yet.
 *
 * @throws EngineError `INVALID_OPTIONS` for an invalid address of a provider, and for an invalid `parallelism`.
 *
 * @example
 * const workspace = openWorkspace({
 *   configuration: objectFiles({ "main.tf": 'output "greeting" {\n  value = "Hello"\n}\n' }),
 *   providers: {},
 * });
 * const plan = await workspace.plan();
 * const { outputs } = await plan.apply();
 * outputs.get("greeting")?.value.payload; // => Hello
 */
export function openWorkspace(options: WorkspaceOptions): Workspace {
  return new Workspace(options);
}

/**
 * A configuration with a state, which can be planned, applied and inspected without a command line, a working folder or global state. Only plans
 * and consoles hold resources; `await using` closes those that are still open at the end.
 */
export class Workspace implements AsyncDisposable {
  readonly #context: WorkspaceContext;
  /** Plans and consoles that are not closed. */
  readonly #opened = new Set<Plan | ConsoleSession>();
  #isClosed = false;

  constructor(options: WorkspaceOptions) {
    this.#context = new WorkspaceContext(options);
  }

  /** Loads the configuration. Its errors are in the diagnostics. */
  async load(variables: RunOptions["variables"] = {}): Promise<LoadedConfiguration> {
    return this.#context.load(variables);
  }

  /**
   * Finds errors of the configuration that do not depend on the values of variables and the objects of the state. Needs neither a state nor
   * configured providers: it only requests schemas, and lets providers validate configurations with unknown values.
   *
   * @throws EngineError `PROVIDER_NOT_FOUND`.
   */
  async validate({ variables = {}, signal }: Pick<RunOptions, "variables" | "signal"> = {}): Promise<ValidatedConfiguration> {
    signal?.throwIfAborted();
    const { workspace, workingFolder, environment } = this.#context;
    const { configuration, diagnostics, sources } = await this.#context.load(variables, signal);
    if (configuration === undefined || hasErrors(diagnostics)) return { diagnostics, sources };
    await using pool = await this.#context.openPool(configuration, { signal });
    const found = await validateConfiguration({
      configuration,
      pool,
      workspace,
      workingFolder,
      environment,
      reportsMissingProviders: true,
    });
    return { diagnostics: [...diagnostics, ...found], sources };
  }

  /**
   * Plans the changes that make the objects of the state match the configuration. The state stays locked until the plan is applied or closed.
   *
   * @throws EngineError `STATE_LOCKED` if another run has the lock; `INVALID_OPTIONS` for options that contradict each other;
   *   `PROVIDER_NOT_FOUND`; `JOURNAL_MALFORMED` or `JOURNAL_MISMATCH` if the journal of an interrupted apply cannot be used.
   */
  async plan(options: PlanOptions = {}): Promise<Plan> {
    this.#requireOpen();
    return this.#trackedPlan(await makePlan(this.#context, options));
  }

  /**
   * Opens a plan that was saved with {@link Plan.save}, to apply it or to show it. The configuration and the values of variables are those of
   * the plan; providers, the store and the files of functions are those of this workspace. The state stays locked until the plan is applied or
   * closed.
   *
   * @param options Values of ephemeral variables, which are not saved. Values of other variables must equal those of the plan.
   * @throws EngineError `PLAN_MALFORMED`; `PLAN_STALE`; `INVALID_OPTIONS` for variables, and for a plan of another workspace; and as
   *   {@link plan}.
   */
  async openPlan(bytes: Uint8Array, options: RunOptions = {}): Promise<Plan> {
    this.#requireOpen();
    return this.#trackedPlan(await openSavedPlan(this.#context, bytes, options));
  }

  /**
   * Recovers an interrupted apply, as {@link plan} does, too: stores its finished changes from the journal. Returns these, and the changes whose
   * outcome is unknown. Later runs do not report them again, because the journal is removed.
   *
   * @throws EngineError `STATE_LOCKED`; `INVALID_CONFIGURATION`; `JOURNAL_MALFORMED` and `JOURNAL_MISMATCH`, unless `setAside` is true.
   */
  async recover({ setAside = false, variables = {}, onEvent, signal }: RecoverOptions = {}): Promise<RecoveredApply> {
    signal?.throwIfAborted();
    const calls = signal === undefined ? {} : { signal };
    const selected = await this.#context.selectedStore(variables, signal);
    const store = selected.store.workspace(this.#context.workspace);
    let lock: StateLock | undefined;
    try {
      lock = await store.lock(createLockInfo("OperationTypeApply", "recover"), calls);
      const opened = await openState(this.#context.location(selected, store), { ...calls, setAside });
      emitRecovery(opened, (event) => onEvent?.(event));
      if (opened.refused === undefined) await acknowledgeInterrupted(opened);
      const { recovered, interrupted, refused } = opened;
      return { recovered, interrupted, ...(refused && { refused }) };
    } finally {
      try {
        await lock?.unlock();
      } finally {
        await selected.close();
      }
    }
  }

  /**
   * The operations on the stored state: list, move, remove, taint, push and others.
   *
   * @param options The values of variables that the `backend` block uses, and a signal that aborts the operations.
   */
  stored({ variables = {}, signal }: Pick<RunOptions, "variables" | "signal"> = {}): StoredState {
    const workspace = this.#context.workspace;
    const open = async (): Promise<StateAccess> => {
      const selected = await this.#context.selectedStore(variables, signal);
      const location = this.#context.location(selected, selected.store.workspace(workspace));
      return { store: selected.store, location, close: () => selected.close() };
    };
    return new StoredState(workspace, open, signal === undefined ? {} : { signal });
  }

  /**
   * Reads all objects from their providers and stores their current values. Changes no object: `tofu refresh`.
   *
   * @throws EngineError As {@link plan}.
   */
  async refresh(options: Omit<PlanOptions, "mode" | "refresh" | "replace"> = {}): Promise<AppliedPlan> {
    await using plan = await this.plan({ ...options, mode: "refreshOnly" });
    if (!plan.errored) return plan.apply();
    const { priorState: state } = plan.changes;
    return { state, outputs: state.outputs, diagnostics: plan.diagnostics, errored: true };
  }

  /**
   * Imports one object into the state, like `tofu import`: the configuration must declare its resource, and nothing else is changed. With
   * `import` blocks, {@link plan} shows an import before it is made.
   *
   * @param address Address of the resource instance that the object becomes.
   * @throws EngineError `INVALID_ADDRESS`; otherwise as {@link plan}.
   */
  async importObject(address: string, identifier: ImportIdentifier, options: RunOptions = {}): Promise<ImportResult> {
    this.#requireOpen();
    return importIntoState(this.#context, address, identifier, options);
  }

  /**
   * The stored state.
   *
   * @param options The values of variables that the `backend` block uses.
   * @throws EngineError `INVALID_CONFIGURATION` if errors of the configuration hide where the state is stored.
   */
  async state({ variables = {}, signal }: Pick<RunOptions, "variables" | "signal"> = {}): Promise<State> {
    signal?.throwIfAborted();
    const selected = await this.#context.selectedStore(variables, signal);
    try {
      const { store } = selected;
      const calls = signal === undefined ? {} : { signal };
      return (await StateManager.open(store.workspace(this.#context.workspace), store.layout, calls)).file.state;
    } finally {
      await selected.close();
    }
  }

  /**
   * The state as `tofu show -json` prints it. Options and errors are those of {@link state}.
   *
   * @throws EngineError `PROVIDER_NOT_FOUND` for a resource whose provider the workspace lacks.
   */
  async stateJson(options: Pick<RunOptions, "variables" | "signal"> = {}): Promise<JsonDocument> {
    const { state, schemas } = await this.#stateWithSchemas(options);
    return stateJson(state, schemas, opentofuVersion);
  }

  /** The state as text, as `tofu show` prints it. Options and errors are those of {@link stateJson}. */
  async stateText({ color = false, ...options }: Pick<RunOptions, "variables" | "signal"> & RenderStateOptions = {}): Promise<string> {
    const { state, schemas } = await this.#stateWithSchemas(options);
    return renderState(state, schemas, { color });
  }

  /**
   * Opens a session that evaluates expressions, which can refer to the configuration, variables and the stored state: `tofu console`. Reads the
   * state without a lock. Required variables without a value are unknown. Opens providers, but does not configure them.
   *
   * @throws EngineError `PROVIDER_NOT_FOUND`.
   */
  async console(options: Pick<RunOptions, "variables" | "signal"> = {}): Promise<ConsoleSession> {
    this.#requireOpen();
    const { close, ...parts } = await openConsole(this.#context, options);
    const session: ConsoleSession = new ConsoleSession({
      ...parts,
      close: async () => {
        this.#opened.delete(session);
        await close();
      },
    });
    this.#opened.add(session);
    return session;
  }

  /** Evaluates one expression, as in a {@link console}. The diagnostics include those of the configuration. */
  async evaluate(expression: string, options: Pick<RunOptions, "variables" | "signal"> = {}): Promise<ConsoleResult> {
    await using session = await this.console(options);
    const result = await session.evaluate(expression);
    return { ...result, diagnostics: [...new Set([...session.diagnostics, ...result.diagnostics])] };
  }

  /**
   * What depends on what in an operation on the configuration and the stored state, which is read without a lock. `renderGraph` of
   * `@tenon/engine/documents` writes it in the DOT language, as `tofu graph` does. {@link Plan.graph} is the graph of an apply with changes.
   *
   * @throws EngineError `PROVIDER_NOT_FOUND`.
   */
  async graph(options: GraphOptions = {}): Promise<GraphResult> {
    return operationGraph(this.#context, options);
  }

  /** The outputs of the root module in the stored state. Options and errors are those of {@link state}. */
  async outputs(options: Pick<RunOptions, "variables" | "signal"> = {}): Promise<ReadonlyMap<string, StateOutput>> {
    return (await this.state(options)).outputs;
  }

  /** Closes the plans and consoles that are open. Waits for the end of an apply under way. A second call does nothing. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const results = await Promise.allSettled([...this.#opened].map(async (opened) => opened.close()));
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #stateWithSchemas(
    options: Pick<RunOptions, "variables" | "signal">,
  ): Promise<{ readonly state: State; readonly schemas: SchemaLookup }> {
    const state = await this.state(options);
    await using pool = await this.#context.openPool(undefined, { signal: options.signal });
    return { state, schemas: (await ProviderSchemas.load(pool, undefined, state)).resource };
  }

  /** Creates a plan, which the workspace closes at the end, unless it is closed before. */
  #trackedPlan({ unlock, ...parts }: PlanParts): Plan {
    const plan: Plan = new Plan({
      ...parts,
      unlock: async () => {
        this.#opened.delete(plan);
        await unlock();
      },
    });
    this.#opened.add(plan);
    return plan;
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new EngineError("INVALID_OPTIONS", "the workspace is closed");
  }
}
