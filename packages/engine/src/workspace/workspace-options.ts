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
import type { RunVariables } from "./run-variables.ts";

/** What a workspace is made of. */
export interface WorkspaceOptions {
  /** The folder of the root module, or files that a caller has in memory; the root module is in `folder` of these. */
  readonly configuration: string | ConfigurationFiles;
  /** Folder of the root module in `configuration`, where that is not a path. Default: `.`. */
  readonly folder?: string;
  /** Where the state is kept. Default: the store of the `backend` block; without one, in memory, gone with the process. */
  readonly state?: StateStore;
  /** Arguments of the `backend` block, beside those in the block or instead of them, as with `-backend-config`. Default: none. */
  readonly backendArguments?: BackendArguments;
  /** Further types of `backend` blocks, by name. They precede those that are built in. */
  readonly backends?: Readonly<Record<string, BackendType>>;
  /** Name of the workspace in the store. Default: `default`. */
  readonly workspace?: string;
  /**
   * Providers by source address (`hashicorp/time`, `registry.example.com/acme/notebook`): a factory of instances, or a definition of
   * `@tenon/provider-sdk`. Default: none.
   */
  readonly providers?: Readonly<Record<string, ProviderOption>>;
  /**
   * Whether providers that the configuration or the state needs and `providers` does not have are installed, verified and launched, as
   * `tofu init` does; settings of the installation. Default: such a provider is an error.
   */
  readonly installProviders?: boolean | ProviderInstallation;
  /** Keeps instances of providers after a run, for later runs of this workspace and of others. Default: a run closes its instances. */
  readonly warmProviders?: WarmProviders;
  /** How many provider calls may be under way at once. Default: 10. */
  readonly parallelism?: number;
  /** How many calls of single providers may be under way at once, by source address. Default: `parallelism`. */
  readonly providerParallelism?: Readonly<Record<string, number>>;
  /**
   * Clock, random numbers and files of functions. Default: those of the process, with files relative to the root module; the files of a
   * configuration that is in memory.
   */
  readonly environment?: Partial<FunctionEnvironment>;
  /** Environment variables, for backends. Default: those of the process. */
  readonly environmentVariables?: Readonly<Record<string, string | undefined>>;
  /** What `path.cwd` is. Default: the current folder of the process. */
  readonly workingFolder?: string;
  /**
   * Folders in which configurations may read files, beside that of the root module: with functions such as `file` and `templatefile`, and as
   * local states of `terraform_remote_state`. Paths outside of them, and links that lead out of them, are errors. Default: every file.
   */
  readonly readableFolders?: readonly string[];
  /** Whether configurations may run commands, in `local-exec` provisioners. If not, such a provisioner is an error of the plan. Default: true. */
  readonly localExec?: boolean;
  /**
   * Folder of the journals of applies, one file for each workspace. False: no journal. Default: where the store says, which is beside the
   * state file for `localStore`; other stores have no journal then.
   */
  readonly journal?: string | false;
  /** Finds the folders of called modules. Default: those of local modules alone. */
  readonly resolveModule?: ModuleResolver;
}

/** Options of every operation. */
export interface RunOptions {
  /** Values of the root module's variables, by name. */
  readonly variables?: RunVariables;
  /** Gets what happens, as it happens. */
  readonly onEvent?: (event: EngineEvent) => void;
  /** Aborts the run: calls of providers are cancelled, and what they did is not known. */
  readonly signal?: AbortSignal;
}

/** Options of {@link Workspace.recover}. */
export interface RecoverOptions extends Pick<RunOptions, "variables" | "onEvent" | "signal"> {
  /**
   * Whether a journal that is damaged or does not belong to the stored state is renamed, and not an error. Its changes are reported, and not
   * stored. Default: false.
   */
  readonly setAside?: boolean;
}

/** Options of {@link Workspace.plan}. */
export interface PlanOptions extends RunOptions {
  /** Default: `normal`. */
  readonly mode?: PlanMode;
  /** Whether objects are read from their providers first. Default: true. */
  readonly refresh?: boolean;
  /** Addresses to which the plan is limited, with all that they depend on. */
  readonly targets?: readonly string[];
  /** Addresses that are left out, with all that depends on them. Not together with `targets`. */
  readonly excludes?: readonly string[];
  /** Addresses of resource instances that are replaced although they could be updated. */
  readonly replace?: readonly string[];
  /**
   * Whether the plan generates configuration for the objects of `import` blocks in the root module whose resource has no block, and plans with
   * it. {@link Plan.generatedConfiguration} is its text. Only in the mode `normal`. Default: such an import is an error.
   */
  readonly generateConfiguration?: boolean;
  /**
   * Whether providers may defer changes that they cannot plan yet. What they defer, and what depends on it, is in `changes.deferred`, and is
   * left to the next plan. Default: a provider that needs to defer reports an error.
   */
  readonly allowDeferral?: boolean;
}

/** The result of {@link Workspace.validate}. */
export interface ValidatedConfiguration {
  /** The configuration is valid if none of them is an error. */
  readonly diagnostics: readonly AddressedDiagnostic[];
  /** The texts of the configuration's files by path, for showing diagnostics. */
  readonly sources: ReadonlyMap<string, string | Uint8Array>;
}
