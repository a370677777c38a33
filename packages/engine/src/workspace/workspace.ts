// SPDX-License-Identifier: Apache-2.0
import { join, resolve } from "node:path";
import type { Value } from "@tenon/cty";
import { hasErrors, type Diagnostic } from "@tenon/hcl";
import { diskFiles } from "@tenon/hcl/files";
import { requireAddress } from "../address/address-diagnostic.ts";
import { builtInProvider, formatProvider, parseProvider } from "../address/provider.ts";
import { parseResourceInstance, parseTarget } from "../address/target.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { encryptionDiagnostics } from "../configuration/encryption.ts";
import { functionFiles, type ConfigurationFiles } from "../configuration/file-system.ts";
import { loadConfiguration, type LoadedConfiguration, type LoadOptions } from "../configuration/load-configuration.ts";
import { resolveVariables, type GivenVariable } from "../configuration/variable-values.ts";
import { opentofuVersion } from "../opentofu-version.ts";
import { stateJson, type JsonDocument } from "../documents/state-json.ts";
import { ProviderSchemas } from "../provider/provider-schemas.ts";
import { EngineError } from "../error.ts";
import type { EngineEvent } from "../events/events.ts";
import { processEnvironment, type FunctionEnvironment } from "../functions/environment.ts";
import { diskAccess, filesBelow } from "../functions/file-access.ts";
import { createFunctionTable } from "../functions/table.ts";
import { planConfiguration } from "../plan/plan-configuration.ts";
import type { PlannedChanges, PlanMode } from "../change/planned-changes.ts";
import { builtInProviderFactory } from "../provider/built-in/built-in-provider.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import { ProviderPool, type ProviderFactories } from "../provider/provider-pool.ts";
import { backendTypes } from "../state/backends/backend-types.ts";
import {
  acknowledgeInterrupted,
  openState,
  type OpenedState,
  type RecoveredApply,
  type StateLocation,
} from "../state/journal/recover-journal.ts";
import { StateManager } from "../state/state-manager.ts";
import type { State, StateOutput } from "../state/state.ts";
import { createLockInfo } from "../state/stores/lock-info.ts";
import { defaultWorkspace, type StateLock, type WorkspaceStore } from "../state/stores/state-store.ts";
import { validateConfiguration } from "../validate/validate-configuration.ts";
import { StoredState } from "../operations/stored-state.ts";
import { Plan, type AppliedPlan } from "./plan.ts";
import type { PlanRun } from "./plan-run.ts";
import type { PlanOptions, RecoverOptions, RunOptions, ValidatedConfiguration, WorkspaceOptions } from "./workspace-options.ts";
import { emitRecovery, recoveryDiagnostics } from "./recovery-report.ts";
import { givenVariables } from "./run-variables.ts";
import { requireSameState, variablesOf } from "./saved-plan/open-saved-plan.ts";
import { plannedChangesOf } from "./saved-plan/saved-changes.ts";
import { readSavedPlan, snapshotLoading } from "./saved-plan/saved-plan.ts";
import { requireNoErrors, StoreSelection, type SelectedStore } from "./selected-store.ts";

/**
 * Opens a workspace: a configuration with a state. Nothing is read yet.
 *
 * @throws EngineError `INVALID_OPTIONS` for the address of a provider that is not one, and for an invalid `parallelism`.
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

/** A configuration with a state: planned, applied and inspected without a command line, a working folder or global state. */
export class Workspace {
  readonly #options: WorkspaceOptions;
  readonly #providers: ProviderFactories;
  readonly #files: ConfigurationFiles;
  readonly #folder: string;
  readonly #environment: FunctionEnvironment;
  readonly #stores: StoreSelection;

  constructor(options: WorkspaceOptions) {
    const { parallelism } = options;
    if (parallelism !== undefined && !(Number.isInteger(parallelism) && parallelism > 0)) {
      throw new EngineError("INVALID_OPTIONS", `parallelism is ${parallelism}, but must be a positive integer`);
    }
    this.#options = options;
    const { configuration, folder = "." } = options;
    this.#files = typeof configuration === "string" ? diskFiles : configuration;
    this.#folder = typeof configuration === "string" ? configuration : folder;
    const files = typeof configuration === "string" ? diskAccess : functionFiles(configuration);
    const environment: FunctionEnvironment = { ...processEnvironment(), baseDirectory: this.#folder, files, ...options.environment };
    const readable = options.readableFolders && [environment.baseDirectory, ...options.readableFolders];
    this.#environment = readable === undefined ? environment : { ...environment, files: filesBelow(readable, environment.files) };
    const variables = options.environmentVariables ?? process.env;
    const checkReadable = readable && ((path: string): void => void filesBelow(readable).kindOf(path));
    this.#stores = new StoreSelection(options.state, {
      variables,
      // Without another folder, the command lines run in that of the configuration.
      workingDirectory: resolve(options.workingFolder ?? (typeof configuration === "string" ? configuration : ".")),
      ...(checkReadable && { checkReadable }),
      ...(options.backendArguments && { arguments: options.backendArguments }),
      ...(options.backends && { backends: options.backends }),
    });
    const builtIn = builtInProviderFactory({
      variables,
      workingDirectory: resolve(options.workingFolder ?? "."),
      randomBytes: this.#environment.randomBytes,
      ...(checkReadable && { checkReadable }),
      ...(options.backends && { backends: new Map([...backendTypes, ...Object.entries(options.backends)]) }),
    });
    const providers = Object.entries(options.providers).map(([address, factory]) => [sourceAddress(address), factory] as const);
    this.#providers = new Map([[formatProvider(builtInProvider("terraform")), builtIn], ...providers]);
  }

  /** Loads the configuration. What is wrong with it is in the diagnostics. */
  async load(variables: RunOptions["variables"] = {}): Promise<LoadedConfiguration> {
    const { workingFolder, resolveModule } = this.#options;
    return this.#load(givenVariables(variables), {
      files: this.#files,
      folder: this.#folder,
      ...(workingFolder !== undefined && { workingFolder }),
      ...(resolveModule && { resolveModule }),
    });
  }

  async #load(
    variables: ReadonlyMap<string, Value | GivenVariable>,
    origin: Pick<LoadOptions, "files" | "folder" | "workingFolder" | "resolveModule">,
  ): Promise<LoadedConfiguration> {
    const { workspace = defaultWorkspace } = this.#options;
    const functions = createFunctionTable(this.#environment, { pureOnly: true });
    return loadConfiguration({ ...origin, functions, variables, workspace });
  }

  /**
   * Finds what is wrong with the configuration, whatever the values of variables and the objects of the state are. Neither a state nor a
   * configured provider is needed: providers are only asked for schemas and to validate configurations with unknown values.
   *
   * @throws EngineError `PROVIDER_NOT_FOUND`.
   */
  async validate({ variables = {}, signal }: Pick<RunOptions, "variables" | "signal"> = {}): Promise<ValidatedConfiguration> {
    signal?.throwIfAborted();
    const { workspace = defaultWorkspace, workingFolder = process.cwd(), parallelism = 10 } = this.#options;
    const { configuration, diagnostics, sources } = await this.load(variables);
    if (configuration === undefined || hasErrors(diagnostics)) return { diagnostics, sources };
    await using pool = new ProviderPool(this.#providers, { parallelism, signal });
    const environment = this.#environment;
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
   * Plans what makes the objects of the state match the configuration. The state stays locked until the plan is applied or closed.
   *
   * @throws EngineError `STATE_LOCKED` where another run has the lock; `INVALID_OPTIONS` for options that contradict each other;
   *   `PROVIDER_NOT_FOUND`; `JOURNAL_MALFORMED` or `JOURNAL_MISMATCH` where the journal of an interrupted apply cannot be used.
   */
  async plan(options: PlanOptions = {}): Promise<Plan> {
    if ((options.targets?.length ?? 0) > 0 && (options.excludes?.length ?? 0) > 0) {
      throw new EngineError("INVALID_OPTIONS", "targets and excludes cannot be used together");
    }
    if (options.generateConfiguration === true && (options.mode ?? "normal") !== "normal") {
      throw new EngineError("INVALID_OPTIONS", "configuration can only be generated in the mode normal");
    }
    const { parallelism = 10 } = this.#options;
    const { signal } = options;
    signal?.throwIfAborted();
    const loaded = await this.load(options.variables);
    const { selected, opened, unlock } = await this.#openState(loaded.configuration, "OperationTypePlan", options);
    try {
      const pool = new ProviderPool(this.#providers, { parallelism, signal: options.signal });
      try {
        const { changes, run, sources, isPlanned } = await this.#planned(
          options,
          loaded,
          selected.diagnostics,
          opened.manager.file.state,
          pool,
        );
        const planned = { ...changes, diagnostics: [...recoveryDiagnostics(opened), ...changes.diagnostics] };
        if (isPlanned) options.onEvent?.({ type: "planFinished", planned });
        for (const diagnostic of planned.diagnostics) options.onEvent?.({ type: "diagnostic", diagnostic, sources });
        return new Plan({ planned, run, sources, opened, pool, unlock, onEvent: options.onEvent, signal });
      } catch (error) {
        await pool[Symbol.asyncDispose]();
        throw error;
      }
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /**
   * Opens a plan that was saved with {@link Plan.save}, to apply it or to show it. The configuration and the values of variables are those of
   * the plan; providers, the store and the files of functions are those of this workspace. The state stays locked until the plan is applied or
   * closed.
   *
   * @param options Values of ephemeral variables, which are not saved. Other variables must have the values of the plan, if they have one.
   * @throws EngineError `PLAN_MALFORMED`; `PLAN_STALE`; `INVALID_OPTIONS` for variables, and for a plan of another workspace; and as
   *   {@link plan}.
   */
  async openPlan(bytes: Uint8Array, options: RunOptions = {}): Promise<Plan> {
    const { workspace = defaultWorkspace, parallelism = 10, localExec } = this.#options;
    const { onEvent, signal } = options;
    signal?.throwIfAborted();
    const saved = await readSavedPlan(bytes);
    if (saved.workspace !== workspace) {
      throw new EngineError("INVALID_OPTIONS", `the saved plan is for the workspace ${saved.workspace}, and not for ${workspace}`);
    }
    const { workingFolder } = saved;
    const given = givenVariables(options.variables ?? {});
    const origin = { ...snapshotLoading(saved.configuration), workingFolder };
    const { configuration, diagnostics, sources } = await this.#load(new Map([...given, ...saved.variables]), origin);
    if (configuration === undefined || hasErrors(diagnostics)) requireNoErrors(diagnostics);
    const variables = variablesOf(saved, given, configuration!);
    const { opened, unlock } = await this.#openState(configuration, "OperationTypeApply", options);
    try {
      requireSameState(saved, opened.manager);
      const pool = new ProviderPool(this.#providers, { parallelism, signal });
      try {
        const planned = await plannedChangesOf(saved, pool);
        const run: PlanRun = {
          configuration: configuration!,
          sources,
          variables,
          workspace,
          workingFolder,
          environment: this.#environment,
          allowsLocalExec: localExec !== false,
          isPartial: saved.isPartial,
        };
        return new Plan({ planned, run, sources, opened, pool, unlock, onEvent, signal });
      } catch (error) {
        await pool[Symbol.asyncDispose]();
        throw error;
      }
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /** Locks and opens the state of the store that the options or the configuration name. */
  async #openState(
    configuration: Configuration | undefined,
    operation: string,
    { onEvent, signal }: Pick<RunOptions, "onEvent" | "signal">,
  ): Promise<{ readonly selected: SelectedStore; readonly opened: OpenedState; readonly unlock: () => Promise<void> }> {
    const { workspace = defaultWorkspace } = this.#options;
    const calls = signal === undefined ? {} : { signal };
    const selected = this.#stores.select(configuration);
    const store = selected.store.workspace(workspace);
    const lock = await store.lock(createLockInfo(operation), calls).catch(async (error: unknown) => {
      await selected.close();
      throw error;
    });
    const unlock = async (): Promise<void> => {
      try {
        await lock.unlock();
      } finally {
        await selected.close();
      }
    };
    try {
      const opened = await openState(this.#location(selected, store), calls);
      emitRecovery(opened, (event) => onEvent?.(event));
      return { selected, opened, unlock };
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /**
   * Takes the finished changes of an interrupted apply from its journal and stores them, as {@link plan} does, too. The changes whose outcome
   * is unknown are reported once more: the journal is removed.
   *
   * @throws EngineError `STATE_LOCKED`; `INVALID_CONFIGURATION`; `JOURNAL_MALFORMED` and `JOURNAL_MISMATCH`, unless `setAside` is true.
   */
  async recover({ setAside = false, variables = {}, onEvent, signal }: RecoverOptions = {}): Promise<RecoveredApply> {
    const calls = signal === undefined ? {} : { signal };
    const selected = await this.#selectedStore(variables);
    const store = selected.store.workspace(this.#options.workspace ?? defaultWorkspace);
    let lock: StateLock | undefined;
    try {
      lock = await store.lock(createLockInfo("OperationTypeApply", "recover"), calls);
      const opened = await openState(this.#location(selected, store), { ...calls, setAside });
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
   * @param options The values of variables that the `backend` block uses.
   */
  stored({ variables = {} }: Pick<RunOptions, "variables"> = {}): StoredState {
    const workspace = this.#options.workspace ?? defaultWorkspace;
    return new StoredState(workspace, async () => {
      const selected = await this.#selectedStore(variables);
      const location = this.#location(selected, selected.store.workspace(workspace));
      return { store: selected.store, location, close: () => selected.close() };
    });
  }

  /**
   * Reads all objects from their providers and stores what changed, without changing anything else: `tofu refresh`.
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
   * The state as it is stored.
   *
   * @param options The values of variables that the `backend` block uses.
   * @throws EngineError `INVALID_CONFIGURATION` if errors of the configuration hide where the state is stored.
   */
  async state({ variables = {} }: Pick<RunOptions, "variables"> = {}): Promise<State> {
    const selected = await this.#selectedStore(variables);
    try {
      const { store } = selected;
      return (await StateManager.open(store.workspace(this.#options.workspace ?? defaultWorkspace), store.layout)).file.state;
    } finally {
      await selected.close();
    }
  }

  /**
   * The state as `tofu show -json` prints it. Options and errors are those of {@link state}.
   *
   * @throws EngineError `PROVIDER_NOT_FOUND` for a resource whose provider the workspace lacks.
   */
  async stateJson(options: Pick<RunOptions, "variables"> = {}): Promise<JsonDocument> {
    const state = await this.state(options);
    await using pool = new ProviderPool(this.#providers, { parallelism: this.#options.parallelism ?? 10 });
    const { resource } = await ProviderSchemas.load(pool, undefined, state);
    return stateJson(state, resource, opentofuVersion);
  }

  /** The outputs of the root module, as they are stored. Options and errors are those of {@link state}. */
  async outputs(options: Pick<RunOptions, "variables"> = {}): Promise<ReadonlyMap<string, StateOutput>> {
    return (await this.state(options)).outputs;
  }

  #location(selected: SelectedStore, store: WorkspaceStore): StateLocation {
    const { workspace = defaultWorkspace, journal } = this.#options;
    const path = typeof journal === "string" ? join(journal, `${encodeURIComponent(workspace)}.journal`) : store.journalPath;
    return { store, layout: selected.store.layout, journal: journal === false || selected.isPlaceholder ? undefined : path };
  }

  /** The store of an operation that does not plan. */
  async #selectedStore(variables: NonNullable<RunOptions["variables"]>): Promise<SelectedStore> {
    if (this.#stores.given !== undefined) return this.#stores.select(undefined);
    const { configuration, diagnostics } = await this.load(variables);
    if (configuration === undefined) requireNoErrors(diagnostics);
    const selected = this.#stores.select(configuration);
    requireNoErrors(selected.diagnostics);
    return selected;
  }

  async #planned(
    options: PlanOptions,
    { configuration, diagnostics, sources }: Awaited<ReturnType<Workspace["load"]>>,
    backendDiagnostics: readonly Diagnostic[],
    state: State,
    pool: ProviderPool,
  ): Promise<{
    readonly changes: PlannedChanges;
    readonly run: PlanRun | undefined;
    readonly sources: ReadonlyMap<string, string | Uint8Array>;
    readonly isPlanned: boolean;
  }> {
    const { mode = "normal", refresh = true, targets = [], excludes = [], replace = [], onEvent, signal } = options;
    const given = givenVariables(options.variables ?? {});
    const resolved = configuration && resolveVariables(given, configuration.module.variables);
    const problems = [
      ...diagnostics,
      ...backendDiagnostics,
      ...encryptionDiagnostics(configuration?.module.encryption),
      ...(resolved?.diagnostics ?? []),
    ];
    const emit = (event: EngineEvent): void => onEvent?.(event);
    if (configuration === undefined || hasErrors(problems)) {
      return { changes: this.#noChanges(mode, state, problems), run: undefined, sources, isPlanned: false };
    }
    const parts: PlanRun = {
      configuration,
      sources,
      variables: given,
      workspace: this.#options.workspace ?? defaultWorkspace,
      workingFolder: this.#options.workingFolder ?? process.cwd(),
      environment: this.#environment,
      allowsLocalExec: this.#options.localExec !== false,
      isPartial: targets.length + excludes.length > 0,
    };
    const found = await validateConfiguration({ ...parts, pool, reportsMissingProviders: false });
    if (hasErrors(found)) return { changes: this.#noChanges(mode, state, [...problems, ...found]), run: parts, sources, isPlanned: false };
    const { changes, isPlanned } = await planConfiguration({
      ...parts,
      state,
      pool,
      mode,
      refresh,
      targets: targets.map((text) => requireAddress(text, parseTarget(text)).subject),
      excludes: excludes.map((text) => requireAddress(text, parseTarget(text)).subject),
      allowsDeferral: options.allowDeferral === true,
      generateConfiguration: options.generateConfiguration === true,
      replace: replace.map((text) => requireAddress(text, parseResourceInstance(text))),
      emit,
      signal,
    });
    return { changes: { ...changes, diagnostics: [...problems, ...found, ...changes.diagnostics] }, run: parts, sources, isPlanned };
  }

  /** The plan for a configuration that cannot be planned. */
  #noChanges(mode: PlanMode, state: State, diagnostics: readonly AddressedDiagnostic[]): PlannedChanges {
    const nothing = { resources: [], outputs: [], drift: [], relevantAttributes: () => [], checks: [] };
    return { mode, ...nothing, previousState: state, priorState: state, diagnostics, errored: true, timestamp: this.#environment.now() };
  }
}

function sourceAddress(text: string): string {
  const parsed = parseProvider(text);
  if (parsed.provider === undefined) throw new EngineError("INVALID_OPTIONS", `${JSON.stringify(text)} is not the address of a provider`);
  return formatProvider(parsed.provider);
}
