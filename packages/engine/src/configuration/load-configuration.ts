// SPDX-License-Identifier: Apache-2.0
import { dynamic, unknown, type Value } from "@tenon/cty";
import type { CtyFunction } from "@tenon/cty/function";
import { compareCodePoints } from "@tenon/cty/unstable/payload";
import { hasErrors, type Diagnostic } from "@tenon/hcl";
import { formatModulePath, rootModule, type ModulePath } from "../address/module.ts";
import type { Configuration } from "./configuration.ts";
import type { ConfigurationFiles } from "./file-system.ts";
import { ModuleReader, type LoadedModule } from "./load-module.ts";
import { localModules, type ModuleResolver } from "./module-request.ts";
import type { Module } from "./module.ts";
import { validateProviders } from "./provider-validation.ts";
import { readProviderInstances } from "./provider-instances.ts";
import { reportError, reportWarning, type Report } from "./report.ts";
import { readStaticCall, variablesOfCall, type StaticModuleCall } from "./static-call.ts";
import { StaticScope, type StaticEnvironment, type StaticVariables } from "./static-scope.ts";
import type { Variable } from "./variable.ts";
import { givenValue, type GivenVariable } from "./variable-values.ts";

/** Options of {@link loadConfiguration}. */
export interface LoadOptions {
  /** The source of the files. */
  readonly files: ConfigurationFiles;
  /** The folder of the root module. Default `.`. */
  readonly folder?: string;
  /** The functions that static expressions may call. Default: none. */
  readonly functions?: ReadonlyMap<string, CtyFunction>;
  /** Values of the root module's variables, for static expressions. Other variables have their default, or are unknown. */
  readonly variables?: ReadonlyMap<string, GivenVariable | Value>;
  /** The name of the workspace. Default: `default`. */
  readonly workspace?: string;
  /** The value of `path.cwd`. Default: the working directory of the process. */
  readonly workingFolder?: string;
  /** Finds the folders of called modules. Default: {@link localModules}. */
  readonly resolveModule?: ModuleResolver;
  /** Aborts the loading: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** The result of {@link loadConfiguration}. */
export interface LoadedConfiguration {
  /** Absent if the folder of the root module cannot be read. Incomplete if there are errors. */
  readonly configuration?: Configuration;
  readonly diagnostics: readonly Diagnostic[];
  /** The texts of all files by path, to show the source of diagnostics. */
  readonly sources: ReadonlyMap<string, string | Uint8Array>;
}

/**
 * Loads the root module and all modules that it calls.
 *
 * Errors of the configuration are reported as diagnostics, in OpenTofu's wording. No configuration makes this function throw.
 *
 * @see OpenTofu configs/configload, Loader.LoadConfig
 *
 * @example
 * const { configuration, diagnostics } = await loadConfiguration({ files: memoryFiles(new Map([["main.tf", 'output "a" {}\n']])) });
 * configuration?.module.outputs.size; // => 1
 * diagnostics.map(({ summary }) => summary); // => [ 'Missing required argument' ]
 */
export async function loadConfiguration(options: LoadOptions): Promise<LoadedConfiguration> {
  const { files, folder = ".", functions = new Map(), workspace = "default", workingFolder = process.cwd() } = options;
  const reader = new ModuleReader(files);
  const environment: StaticEnvironment = { functions, workspace, rootFolder: folder, workingFolder };
  const report: Report = [];
  const { signal, resolveModule = localModules } = options;
  signal?.throwIfAborted();
  const resolve: ModuleResolver = async (request) => {
    const resolved = await resolveModule(signal === undefined ? request : { ...request, signal });
    signal?.throwIfAborted();
    return resolved;
  };
  const loader: TreeLoader = { reader, environment, resolve, report, syntaxReported: new Set() };
  const loaded = await reader.read(folder);
  const root = nodeOf(loader, loaded, folder, { path: rootModule }, rootVariables(options.variables));
  // OpenTofu loads the called modules only if the root module has no errors.
  if (root !== undefined && !hasErrors(report)) {
    await loadChildren(loader, root);
    if (!hasErrors(report)) validateProviders(root, report);
  }
  return { ...(root && { configuration: root }), diagnostics: report, sources: reader.sources };
}

interface TreeLoader {
  readonly reader: ModuleReader;
  readonly environment: StaticEnvironment;
  readonly resolve: ModuleResolver;
  readonly report: Report;
  /** Folders whose syntax errors are reported already, because a module can be called more than once. */
  readonly syntaxReported: Set<string>;
}

function rootVariables(values: ReadonlyMap<string, GivenVariable | Value> = new Map()): StaticVariables {
  return (variable: Variable) => {
    const given = values.get(variable.name);
    return given === undefined ? { value: variable.default ?? unknown(dynamic), diagnostics: [] } : givenValue(given, variable);
  };
}

type Draft = Configuration & { readonly children: Map<string, Configuration> };

/** Evaluates the static expressions of a module, and reports the diagnostics of the module. @see OpenTofu configs, NewModule */
function nodeOf(
  { environment, report, syntaxReported }: TreeLoader,
  loaded: LoadedModule,
  folder: string,
  place: Pick<Configuration, "path" | "parent" | "source" | "callRange" | "version">,
  variables: StaticVariables,
): Draft | undefined {
  const own: Report = [...(syntaxReported.has(folder) ? [] : loaded.syntaxDiagnostics), ...loaded.diagnostics];
  syntaxReported.add(folder);
  const { module } = loaded;
  if (module === undefined) {
    report.push(...own);
    return undefined;
  }
  const staticScope = new StaticScope(module, place.path, variables, environment);
  const calls = new Map<string, StaticModuleCall>();
  for (const [name, call] of module.calls) calls.set(name, readStaticCall(call, staticScope, own));
  const providerInstances = new Map<string, ReadonlyMap<string, Value>>();
  for (const [name, provider] of module.providers) {
    const instances = readProviderInstances(provider, staticScope, own);
    if (instances !== undefined) providerInstances.set(name, instances);
  }
  staticScope.checkConstVariables(place.callRange, own);
  report.push(...(loaded.versionMismatches.length > 0 ? loaded.versionMismatches : own));
  return { ...place, module, children: new Map(), calls, providerInstances, staticScope };
}

async function loadChildren(loader: TreeLoader, parent: Draft): Promise<void> {
  const names = [...parent.module.calls.keys()].sort(compareCodePoints);
  for (const name of names) {
    const child = await loadChild(loader, parent, name);
    if (child !== undefined) parent.children.set(name, child);
  }
}

/** @see OpenTofu configs, loadModule */
async function loadChild(loader: TreeLoader, parent: Draft, name: string): Promise<Configuration | undefined> {
  const { report } = loader;
  const call = parent.module.calls.get(name)!;
  const { source, version } = parent.calls.get(name)!;
  const path = [...parent.path, name];
  const resolved = await loader.resolve({
    path,
    ...(source && { source }),
    ...(version && { version }),
    parentFolder: parent.module.folder,
    ...(call.source && { sourceRange: call.source.range }),
    callRange: call.range,
  });
  report.push(...resolved.diagnostics);
  if (resolved.folder === undefined) return undefined;
  const loaded = await loader.reader.read(resolved.folder);
  if (loaded.module === undefined) {
    const detail = `This module's local cache directory ${resolved.folder} could not be read. Run "tofu init" to install all modules required by this configuration.`;
    reportError(report, "Module not installed", detail, call.range);
    return undefined;
  }
  const child = nodeOf(
    loader,
    loaded,
    resolved.folder,
    {
      path,
      parent,
      ...(source && { source }),
      callRange: call.range,
      ...(resolved.version !== undefined && { version: resolved.version }),
    },
    variablesOfCall(call, parent.staticScope),
  )!;
  await loadChildren(loader, child);
  reportMisplacedBlocks(child.module, path, report);
  return child;
}

/** Reports blocks that are valid only in the root module. */
export function reportMisplacedBlocks({ backend, imports }: Module, path: ModulePath, report: Report): void {
  if (backend !== undefined) {
    const detail =
      "Any selected backend applies to the entire configuration, so OpenTofu expects provider configurations only in the root module.\n\nThis is a warning rather than an error because it's sometimes convenient to temporarily call a root module as a child module for testing purposes, but this backend configuration block will have no effect.";
    reportWarning(report, "Backend configuration ignored", detail, backend.range);
  }
  const [first] = imports;
  if (first !== undefined) {
    const detail = `An import block was detected in "${formatModulePath(path)}". Import blocks are only allowed in the root module.`;
    reportError(report, "Invalid import configuration", detail, first.range);
  }
}
