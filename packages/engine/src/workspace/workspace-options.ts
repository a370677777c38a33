// SPDX-License-Identifier: Apache-2.0
import type { PlanMode } from "../change/planned-changes.ts";
import type { ConfigurationFiles } from "../configuration/file-system.ts";
import type { ModuleResolver } from "../configuration/module-request.ts";
import type { EngineEvent } from "../events/events.ts";
import type { FunctionEnvironment } from "../functions/environment.ts";
import type { ProviderInstallation } from "../provider/installed-providers.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import type { ProviderOption } from "../provider/provider-option.ts";
import type { WarmProviders } from "../provider/warm-providers.ts";
import type { BackendType } from "../state/backends/backend.ts";
import type { StateStore } from "../state/stores/state-store.ts";
import type { BackendArguments } from "./backend-store.ts";
import type { ModuleInstallation } from "./module-resolution.ts";
import type { RunVariables } from "./run-variables.ts";

/** Options of {@link openWorkspace}. */
export interface WorkspaceOptions {
  /** Path of the folder of the root module, or files in memory, in which `folder` is that of the root module. */
  readonly configuration: string | ConfigurationFiles;
  /** Folder of the root module in the files in memory. Default: `.`. */
  readonly folder?: string;
  /** The store of the state. Default: the store of the `backend` block; without a block, the memory of the workspace object. */
  readonly state?: StateStore;
  /** Further arguments of the `backend` block, as with `-backend-config`. They replace arguments of the block with the same name. */
  readonly backendArguments?: BackendArguments;
  /** Further types of `backend` blocks, by name. They replace built-in types with the same name. */
  readonly backends?: Readonly<Record<string, BackendType>>;
  /** Name of the workspace in the store. Default: `default`. */
  readonly workspace?: string;
  /**
   * Providers by source address (`hashicorp/time`, `registry.example.com/acme/notebook`): a factory of instances, or a definition of
   * `@tenon/provider-sdk`. Default: none.
   */
  readonly providers?: Readonly<Record<string, ProviderOption>>;
  /**
   * Whether providers that the configuration or the state needs and `providers` lacks are installed and verified as by `tofu init`, or the
   * settings of the installation. Default: such a provider is an error.
   */
  readonly installProviders?: boolean | ProviderInstallation;
  /** Keeps instances of providers after a run, for later runs of this workspace and of others. Default: a run closes its instances. */
  readonly warmProviders?: WarmProviders;
  /** Maximum number of provider calls in flight. Default: 10. */
  readonly parallelism?: number;
  /** Maximum number of calls in flight for single providers, by source address. Default: `parallelism`. */
  readonly providerParallelism?: Readonly<Record<string, number>>;
  /**
   * Clock, random numbers and files of functions. Default: those of the process, with paths relative to the root module. Functions of a
   * configuration in memory read the files of that configuration by default.
   */
  readonly environment?: Partial<FunctionEnvironment>;
  /** Environment variables, for backends. Default: those of the process. */
  readonly environmentVariables?: Readonly<Record<string, string | undefined>>;
  /** The value of `path.cwd`. Default: the current folder of the process. */
  readonly workingFolder?: string;
  /**
   * Folders in which configurations may read files, beside that of the root module: with functions such as `file` and `templatefile`, and as
   * local states of `terraform_remote_state`. Paths outside of them, and links that lead out of them, are errors. Default: every file.
   */
  readonly readableFolders?: readonly string[];
  /** Whether configurations may run commands with `local-exec` provisioners. If false, such a provisioner is an error of the plan. Default: true. */
  readonly localExec?: boolean;
  /**
   * Folder of the journals of applies, with one file for each workspace; false for no journal. Default: beside the state file for `localState`;
   * `tenon/journals` in the user's folder for the state of programs (`XDG_STATE_HOME`, `~/.local/state`) for stores of other machines, if that
   * folder can be written; none for `memoryState` and stores without an {@link StateStore.id}.
   */
  readonly journal?: string | false;
  /**
   * Whether modules from registries, git, web servers and others are installed when the configuration is loaded, as `tofu init` does, to
   * `.terraform/modules` in the folder of the configuration; settings of the installation. Only for a configuration on disk. Default: a
   * module that is not installed is an error.
   */
  readonly installModules?: boolean | ModuleInstallation;
  /**
   * Finds the folders of called modules. Default: local modules, and those that are installed in the folder of a configuration on disk.
   */
  readonly resolveModule?: ModuleResolver;
}

/** Options of every operation. */
export interface RunOptions {
  /** Values of the root module's variables, by name. */
  readonly variables?: RunVariables;
  /** Called with each event of the run. */
  readonly onEvent?: (event: EngineEvent) => void;
  /** Aborts the run. The calls of providers in flight are cancelled, and their effects are not known. */
  readonly signal?: AbortSignal;
}

/** Options of {@link Workspace.recover}. */
export interface RecoverOptions extends Pick<RunOptions, "variables" | "onEvent" | "signal"> {
  /**
   * Whether a journal that is damaged or does not belong to the stored state is renamed instead of an error. Its changes are then reported, but
   * not stored. Default: false.
   */
  readonly setAside?: boolean;
}

/** Options of {@link Workspace.plan}. */
export interface PlanOptions extends RunOptions {
  /** Default: `normal`. */
  readonly mode?: PlanMode;
  /** Whether objects are read from their providers before they are planned. Default: true. */
  readonly refresh?: boolean;
  /** Addresses of the objects to which the plan is limited. It also includes the objects that these depend on. */
  readonly targets?: readonly string[];
  /** Addresses of objects that the plan excludes, together with the objects that depend on these. Not together with `targets`. */
  readonly excludes?: readonly string[];
  /** Addresses of resource instances to replace although they could be updated or are unchanged. */
  readonly replace?: readonly string[];
  /**
   * Whether the plan generates a `resource` block for each object of an `import` block in the root module that has none, and plans with it.
   * {@link Plan.generatedConfiguration} has the text. Only in the mode `normal`. Default: false, such an import is an error.
   */
  readonly generateConfiguration?: boolean;
  /**
   * Whether providers may defer changes that they cannot plan yet. `changes.deferred` has these changes and the changes that depend on them, which
   * are left to the next plan. Default: false, a provider reports an error instead.
   */
  readonly allowDeferral?: boolean;
}

/** The result of {@link Workspace.validate}. */
export interface ValidatedConfiguration {
  /** The configuration is valid if no diagnostic is an error. */
  readonly diagnostics: readonly AddressedDiagnostic[];
  /** The texts of the configuration's files by path, for showing diagnostics. */
  readonly sources: ReadonlyMap<string, string | Uint8Array>;
}
