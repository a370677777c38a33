// SPDX-License-Identifier: Apache-2.0
import { join, resolve } from "node:path";
import type { Value } from "@tenon/cty";
import { diskFiles } from "@tenon/hcl/files";
import type { InstallEvent } from "@tenon/plugin-host/install";
import { builtInProvider, formatProvider, parseProvider } from "../address/provider.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { functionFiles, type ConfigurationFiles } from "../configuration/file-system.ts";
import { loadConfiguration, type LoadedConfiguration, type LoadOptions } from "../configuration/load-configuration.ts";
import type { ModuleResolver } from "../configuration/module-request.ts";
import { providerRequirements } from "../configuration/provider-requirements.ts";
import type { GivenVariable } from "../configuration/variable-values.ts";
import { EngineError } from "../error.ts";
import { processEnvironment, type FunctionEnvironment } from "../functions/environment.ts";
import { diskAccess, filesBelow } from "../functions/file-access.ts";
import { createFunctionTable } from "../functions/table.ts";
import { builtInProviderFactory } from "../provider/built-in/built-in-provider.ts";
import { ProviderInstaller } from "../provider/installed-providers.ts";
import { factoryOf } from "../provider/provider-option.ts";
import { ProviderPool } from "../provider/provider-pool.ts";
import { ProviderSupply, type ProviderSources } from "../provider/provider-supply.ts";
import { backendTypes } from "../state/backends/backend-types.ts";
import { openState, type OpenedState, type StateLocation } from "../state/journal/recover-journal.ts";
import type { State } from "../state/state.ts";
import { createLockInfo } from "../state/stores/lock-info.ts";
import { defaultWorkspace, type WorkspaceStore } from "../state/stores/state-store.ts";
import { defaultJournalPath } from "./default-journal.ts";
import { emitRecovery } from "./recovery-report.ts";
import { givenVariables } from "./run-variables.ts";
import { requireNoErrors, StoreSelection, type SelectedStore } from "./selected-store.ts";
import { withModules } from "./module-resolution.ts";
import type { RunOptions, WorkspaceOptions } from "./workspace-options.ts";

/** A state that this run has locked. */
export interface LockedState {
  readonly selected: SelectedStore;
  readonly opened: OpenedState;
  /** Releases the lock, and closes the store. */
  readonly unlock: () => Promise<void>;
}

/** Options of {@link WorkspaceContext.openPool}. */
interface PoolRequest {
  readonly onEvent?: RunOptions["onEvent"] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The state, if all providers that the run needs follow from it and the configuration. Others are then removed from the lock file. */
  readonly state?: State | undefined;
}

/** The context of all operations of a workspace: its options with their defaults, its configuration, store and providers. */
export class WorkspaceContext {
  readonly options: WorkspaceOptions;
  /** Name of the workspace in the store. */
  readonly workspace: string;
  /** The value of `path.cwd`. */
  readonly workingFolder: string;
  /** Clock, random numbers and files of functions. */
  readonly environment: FunctionEnvironment;
  readonly stores: StoreSelection;
  /** The files of the configuration. */
  readonly files: ConfigurationFiles;
  /** The folder of the root module. */
  readonly folder: string;
  readonly #providers: ProviderSources;
  readonly #limits: ReadonlyMap<string, number>;

  constructor(options: WorkspaceOptions) {
    const { parallelism, providerParallelism = {} } = options;
    if (parallelism !== undefined) requirePositive("parallelism", parallelism);
    for (const [address, limit] of Object.entries(providerParallelism)) requirePositive(`providerParallelism of ${address}`, limit);
    this.#limits = new Map(Object.entries(providerParallelism).map(([address, limit]) => [sourceAddress(address), limit]));
    if (options.installModules && (typeof options.configuration !== "string" || options.resolveModule !== undefined)) {
      throw new EngineError("INVALID_OPTIONS", "installModules needs a configuration on disk, and no resolveModule");
    }
    this.options = options;
    this.workspace = options.workspace ?? defaultWorkspace;
    this.workingFolder = options.workingFolder ?? process.cwd();
    const { configuration, folder = "." } = options;
    this.files = typeof configuration === "string" ? diskFiles : configuration;
    this.folder = typeof configuration === "string" ? configuration : folder;
    const files = typeof configuration === "string" ? diskAccess : functionFiles(configuration);
    const environment: FunctionEnvironment = { ...processEnvironment(), baseDirectory: this.folder, files, ...options.environment };
    const readable = options.readableFolders && [environment.baseDirectory, ...options.readableFolders];
    this.environment = readable === undefined ? environment : { ...environment, files: filesBelow(readable, environment.files) };
    const variables = options.environmentVariables ?? process.env;
    const checkReadable = readable && ((path: string): void => void filesBelow(readable).kindOf(path));
    this.stores = new StoreSelection(options.state, {
      variables,
      // By default, as if the command line ran in the folder of the configuration.
      workingDirectory: resolve(options.workingFolder ?? (typeof configuration === "string" ? configuration : ".")),
      ...(checkReadable && { checkReadable }),
      ...(options.backendArguments && { arguments: options.backendArguments }),
      ...(options.backends && { backends: options.backends }),
    });
    const builtIn = builtInProviderFactory({
      variables,
      workingDirectory: resolve(options.workingFolder ?? "."),
      randomBytes: this.environment.randomBytes,
      ...(checkReadable && { checkReadable }),
      ...(options.backends && { backends: new Map([...backendTypes, ...Object.entries(options.backends)]) }),
    });
    const providers = Object.entries(options.providers ?? {}).map(
      ([address, provider]) => [sourceAddress(address), factoryOf(provider)] as const,
    );
    this.#providers = {
      given: new Map([[formatProvider(builtInProvider("terraform")), builtIn], ...providers]),
      installer: installerOf(options),
      warm: options.warmProviders,
    };
  }

  /** Loads the configuration. Its errors are in the diagnostics. */
  async load(variables: RunOptions["variables"] = {}, signal?: AbortSignal): Promise<LoadedConfiguration> {
    const { workingFolder } = this.options;
    return this.withModules(signal, async (resolve) =>
      this.loadFrom(givenVariables(variables), {
        files: this.files,
        folder: this.folder,
        ...(workingFolder !== undefined && { workingFolder }),
        ...(resolve && { resolveModule: resolve }),
        ...(signal && { signal }),
      }),
    );
  }

  /** Runs a task that finds modules. Installs those that are absent, if the options allow that. */
  async withModules<Result>(
    signal: AbortSignal | undefined,
    task: (resolve: ModuleResolver | undefined) => Promise<Result>,
  ): Promise<Result> {
    const { resolveModule, configuration, installModules = false } = this.options;
    if (resolveModule !== undefined || typeof configuration !== "string") return task(resolveModule);
    signal?.throwIfAborted();
    const installation = installModules === true ? {} : installModules === false ? undefined : installModules;
    return withModules(configuration, installation, signal, task);
  }

  /** Loads a configuration from another origin, such as a saved plan. */
  async loadFrom(
    variables: ReadonlyMap<string, Value | GivenVariable>,
    origin: Pick<LoadOptions, "files" | "folder" | "workingFolder" | "resolveModule" | "signal">,
  ): Promise<LoadedConfiguration> {
    const functions = createFunctionTable(this.environment, { pureOnly: true });
    return loadConfiguration({ ...origin, functions, variables, workspace: this.workspace });
  }

  /** Opens the provider pool of a run. Installs the providers that the configuration requires, if the options allow that. */
  async openPool(configuration: Configuration | undefined, { onEvent, signal, state }: PoolRequest): Promise<ProviderPool> {
    const { parallelism = 10 } = this.options;
    const { requirements } = configuration === undefined ? { requirements: new Map<string, never>() } : providerRequirements(configuration);
    const onInstall = onEvent && ((step: InstallEvent): void => onEvent({ type: "providerInstallation", step }));
    const supply = new ProviderSupply(this.#providers, { requirements, onInstall });
    await supply.installRequired(signal);
    if (state !== undefined) {
      const recorded = [...state.resources.values()].map(({ provider }) => formatProvider(provider.provider));
      await this.#providers.installer?.forgetOthers(new Set([...requirements.keys(), ...recorded]), signal);
    }
    return new ProviderPool(supply, { parallelism, providerParallelism: this.#limits, signal });
  }

  /** Locks and opens the state, in the store that the options or the configuration select. */
  async openState(
    configuration: Configuration | undefined,
    operation: string,
    { onEvent, signal }: Pick<RunOptions, "onEvent" | "signal">,
  ): Promise<LockedState> {
    const calls = signal === undefined ? {} : { signal };
    const selected = this.stores.select(configuration);
    const store = selected.store.workspace(this.workspace);
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
      const opened = await openState(this.location(selected, store), calls);
      emitRecovery(opened, (event) => onEvent?.(event));
      return { selected, opened, unlock };
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /** The location of a state and its journal. */
  location(selected: SelectedStore, store: WorkspaceStore): StateLocation {
    const { journal, environmentVariables = process.env } = this.options;
    const { layout, id } = selected.store;
    if (journal === false || selected.isPlaceholder) return { store, layout, journal: undefined };
    const own = typeof journal === "string" ? join(journal, `${encodeURIComponent(this.workspace)}.journal`) : store.journalPath;
    if (own !== undefined || id === undefined) return { store, layout, journal: own };
    return { store, layout, journal: defaultJournalPath(id, this.workspace, environmentVariables), isJournalOptional: true };
  }

  /** Selects the store of an operation that does not plan. @throws EngineError `INVALID_CONFIGURATION`. */
  async selectedStore(variables: NonNullable<RunOptions["variables"]>, signal?: AbortSignal): Promise<SelectedStore> {
    if (this.stores.given !== undefined) return this.stores.select(undefined);
    const { configuration, diagnostics } = await this.load(variables, signal);
    if (configuration === undefined) requireNoErrors(diagnostics);
    const selected = this.stores.select(configuration);
    requireNoErrors(selected.diagnostics);
    return selected;
  }
}

function requirePositive(name: string, limit: number): void {
  if (Number.isInteger(limit) && limit > 0) return;
  throw new EngineError("INVALID_OPTIONS", `${name} is ${limit}, but must be a positive integer`);
}

function installerOf({ installProviders = false, configuration }: WorkspaceOptions): ProviderInstaller | undefined {
  if (installProviders === false) return undefined;
  const lockFile = typeof configuration === "string" ? join(configuration, ".terraform.lock.hcl") : false;
  return new ProviderInstaller({ lockFile, ...(installProviders === true ? {} : installProviders) });
}

function sourceAddress(text: string): string {
  const parsed = parseProvider(text);
  if (parsed.provider === undefined) throw new EngineError("INVALID_OPTIONS", `${JSON.stringify(text)} is not the address of a provider`);
  return formatProvider(parsed.provider);
}
