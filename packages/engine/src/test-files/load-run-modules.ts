// SPDX-License-Identifier: Apache-2.0
import { posix } from "node:path";
import type { Value } from "@tenon/cty";
import { hasErrors } from "@tenon/hcl";
import type { ModulePath } from "../address/module.ts";
import type { Configuration } from "../configuration/configuration.ts";
import type { ConfigurationFiles } from "../configuration/file-system.ts";
import { reportMisplacedBlocks, type LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { ModuleResolver } from "../configuration/module-request.ts";
import { reportAll, reportError, type Report } from "../configuration/report.ts";
import type { GivenVariable } from "../configuration/variable-values.ts";
import type { RunBlock } from "./run-block.ts";
import type { TestFile } from "./test-file.ts";

/** Loads a root module: the one under test, or the module of a run block. */
export type LoadModule = (
  variables: ReadonlyMap<string, Value | GivenVariable>,
  origin: { readonly folder: string; readonly resolveModule: ModuleResolver },
) => Promise<LoadedConfiguration>;

/** The module under test, and the way in which other modules are found and loaded. */
export interface RunModuleContext {
  readonly root: Configuration;
  /** The folder of the module under test. */
  readonly folder: string;
  readonly files: ConfigurationFiles;
  readonly resolveModule: ModuleResolver;
  readonly load: LoadModule;
}

/** Loads the modules of run blocks, each as a root module. Run blocks without a module, and those whose module is not found, are absent. */
export async function loadRunModules(
  context: RunModuleContext,
  testFiles: readonly TestFile[],
  report: Report,
): Promise<ReadonlyMap<RunBlock, LoadedConfiguration>> {
  const modules = new Map<RunBlock, LoadedConfiguration>();
  for (const file of testFiles) {
    for (const run of file.runs) {
      const loaded = await loadRunModule(context, file, run, report);
      if (loaded !== undefined) modules.set(run, loaded);
    }
  }
  return modules;
}

/** @see OpenTofu configs, buildTestModules */
async function loadRunModule(
  { root, folder: parentFolder, files, resolveModule, load }: RunModuleContext,
  file: TestFile,
  run: RunBlock,
  report: Report,
): Promise<LoadedConfiguration | undefined> {
  if (run.module === undefined) return undefined;
  const { source, version, range, sourceRange } = run.module;
  const path = runModulePath(file.path, run.name);
  const resolved = await resolveModule({
    path,
    ...(source && { source }),
    ...(version && { version }),
    parentFolder,
    ...(sourceRange && { sourceRange }),
    callRange: range,
  });
  reportAll(report, resolved.diagnostics);
  const { folder } = resolved;
  if (folder === undefined) return undefined;
  if ((await files.list(folder)) === undefined) {
    const detail = `This module's local cache directory ${folder} could not be read. Run "tofu init" to install all modules required by this configuration.`;
    reportError(report, "Module not installed", detail, range);
    return undefined;
  }
  const loaded = await load(staticVariables(root, run), {
    folder,
    // Modules that it calls are installed below the path of the run block.
    resolveModule: (request) => resolveModule({ ...request, path: [...path, ...request.path] }),
  });
  reportAll(report, loaded.diagnostics);
  if (loaded.configuration !== undefined) reportMisplacedBlocks(loaded.configuration.module, path, report);
  return loaded;
}

/** The path under which the module of a run block is installed: `test`, the folders and the name of the file, and the name of the run. */
function runModulePath(file: string, run: string): ModulePath {
  const { dir, base } = posix.parse(file);
  return ["test", ...(dir === "" ? [] : dir.split("/")), base.replace(/\.tftest\.hcl$/, ""), run];
}

/** The values of a run block's variables that are known without a plan, for static expressions of its module. */
function staticVariables(root: Configuration, { variables }: RunBlock): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const [name, expression] of variables) {
    const subject = { module: root.path, name: `var.${name}`, range: expression.range };
    const { value, diagnostics } = root.staticScope.evaluate(expression, subject);
    if (!hasErrors(diagnostics)) values.set(name, value);
  }
  return values;
}
