// SPDX-License-Identifier: Apache-2.0
import type { Diagnostic, SourceRange } from "@tenon/hcl";
import type { ModulePath } from "../address/module.ts";
import type { MaybePromise } from "./file-system.ts";
import { localModuleFolder, type ModuleSource } from "./module-source.ts";
import type { VersionRequirement } from "./version-constraint.ts";

/** A module call, for a {@link ModuleResolver}. */
export interface ModuleRequest {
  readonly path: ModulePath;
  /** Absent if the source is invalid, which is reported already. */
  readonly source?: ModuleSource;
  readonly version?: VersionRequirement;
  readonly parentFolder: string;
  /** The range of the `source` argument. */
  readonly sourceRange?: SourceRange;
  /** The range of the `module` block. */
  readonly callRange: SourceRange;
  /** Aborts the loading of the configuration. */
  readonly signal?: AbortSignal;
}

/** The folder of a called module. Without a folder, the diagnostics have the reason. */
export interface ResolvedModule {
  readonly folder?: string;
  /** Only for a module from a registry. */
  readonly version?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds the folder of a called module. It may install the module first. */
export type ModuleResolver = (request: ModuleRequest) => MaybePromise<ResolvedModule>;

/** Finds local modules, and reports other modules as not installed. */
export const localModules: ModuleResolver = ({ source, parentFolder, callRange }) => {
  if (source?.kind === "local") return { folder: localModuleFolder(parentFolder, source.path), diagnostics: [] };
  const detail = 'This module is not yet installed. Run "tofu init" to install all modules required by this configuration.';
  return { diagnostics: [{ severity: "error", summary: "Module not installed", detail, subject: callRange }] };
};
