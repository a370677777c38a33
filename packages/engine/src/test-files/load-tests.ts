// SPDX-License-Identifier: Apache-2.0
import { posix } from "node:path";
import type { Value } from "@tenon/cty";
import { goQuote } from "@tenon/cty/unstable/payload";
import { hasErrors, parseConfig, parseJson, type Body, type Diagnostic } from "@tenon/hcl";
import { nativeBody } from "@tenon/hcl/body";
import type { ModulePath } from "../address/module.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { reportMisplacedBlocks } from "../configuration/load-configuration.ts";
import { testFilesAmong } from "../configuration/module-files.ts";
import { localModules, type ModuleResolver } from "../configuration/module-request.ts";
import { reportAll, reportError, reportWarning, type Report } from "../configuration/report.ts";
import type { GivenVariable } from "../configuration/variable-values.ts";
import type { WorkspaceContext } from "../workspace/workspace-context.ts";
import type { RunBlock } from "./run-block.ts";
import { validateTestProviders } from "./test-provider-validation.ts";
import { readTestFile, type TestFile } from "./test-file.ts";

/** The folder of test files below the module under test, by default. */
export const defaultTestFolder = "tests";

/** A module under test with its test files. */
export interface LoadedTests {
  /** Absent if the folder cannot be read. */
  readonly configuration?: Configuration;
  /** By path relative to the folder of the module, sorted. */
  readonly files: readonly TestFile[];
  /** The configurations of run blocks with a module of their own. */
  readonly modules: ReadonlyMap<RunBlock, Configuration>;
  readonly diagnostics: readonly Diagnostic[];
  /** The texts of all files by path, to show the source of diagnostics. */
  readonly sources: ReadonlyMap<string, string | Uint8Array>;
}

/** Options of {@link loadTests}. */
export interface LoadTestsOptions {
  /** Folder of test files below the module. Test files in the folder of the module are loaded, too. */
  readonly testFolder: string;
  readonly variables: ReadonlyMap<string, GivenVariable | Value>;
  readonly signal?: AbortSignal | undefined;
}

/** Loads a module, its test files, and the modules that they run. @see OpenTofu configload, Loader.LoadConfigWithTests */
export async function loadTests(context: WorkspaceContext, options: LoadTestsOptions): Promise<LoadedTests> {
  const { variables, signal } = options;
  const { workingFolder } = context.options;
  const sources = new Map<string, string | Uint8Array>();
  const report: Report = [];
  const paths = await testPaths(context, options.testFolder, report);
  const unreadable = hasErrors(report);
  const files = unreadable ? [] : await readFiles(context, paths, sources, report);
  return context.withModules(signal, async (resolveModule = localModules) => {
    const origin = { files: context.files, ...(workingFolder !== undefined && { workingFolder }), ...(signal && { signal }) };
    const root = unreadable ? undefined : await context.loadFrom(variables, { ...origin, folder: context.folder, resolveModule });
    for (const [path, source] of root?.sources ?? []) sources.set(path, source);
    const diagnostics: Report = [...(root?.diagnostics ?? []), ...report];
    const configuration = root?.configuration;
    const modules = new Map<RunBlock, Configuration>();
    if (configuration !== undefined && !hasErrors(diagnostics)) {
      for (const file of files) {
        for (const run of file.runs) {
          if (run.module === undefined) continue;
          const place = { file, run, root: configuration, resolveModule };
          const loaded = await loadRunModule(context, place, (given, from) => context.loadFrom(given, { ...origin, ...from }), diagnostics);
          for (const [path, source] of loaded?.sources ?? []) sources.set(path, source);
          if (loaded?.configuration !== undefined) modules.set(run, loaded.configuration);
        }
      }
      if (!hasErrors(diagnostics)) validateTestProviders(configuration, files, modules, diagnostics);
    }
    return { ...(configuration && { configuration }), files, modules, diagnostics, sources };
  });
}

/** The paths of the test files: those of the test folder, then those beside the module. @see OpenTofu configs, Parser.dirFiles */
async function testPaths({ files, folder }: WorkspaceContext, testFolder: string, report: Report): Promise<readonly string[]> {
  const within = posix.join(folder, testFolder);
  const named = await files.list(within);
  if (named === undefined && testFolder !== defaultTestFolder) {
    reportWarning(report, "Test directory does not exist", `Requested test directory ${within} does not exist.`);
  }
  const beside = await files.list(folder);
  if (beside === undefined) {
    reportError(report, "Failed to read module directory", `Module directory ${folder} does not exist or cannot be read.`);
  }
  return testFilesAmong([
    ...(named ?? []).map((name) => posix.join(within, name)),
    ...(beside ?? []).map((name) => posix.join(folder, name)),
  ]);
}

async function readFiles(
  { files, folder }: WorkspaceContext,
  paths: readonly string[],
  sources: Map<string, string | Uint8Array>,
  report: Report,
): Promise<readonly TestFile[]> {
  const read: TestFile[] = [];
  for (const path of new Set(paths)) {
    const source = await files.read(path);
    if (source === undefined) {
      reportError(report, "Failed to read file", `The file ${goQuote(path)} could not be read.`);
      continue;
    }
    sources.set(path, source);
    read.push(readTestFile(posix.relative(folder, path), bodyOf(path, source, report), report));
  }
  return read.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function bodyOf(path: string, source: string | Uint8Array, report: Report): Body {
  if (path.endsWith(".json")) {
    const { body, diagnostics } = parseJson(source, path);
    reportAll(report, diagnostics);
    return body;
  }
  const { body, diagnostics } = parseConfig(source, path, { recovery: "first-error" });
  reportAll(report, diagnostics);
  return nativeBody(body);
}

interface RunModulePlace {
  readonly file: TestFile;
  readonly run: RunBlock;
  readonly root: Configuration;
  readonly resolveModule: ModuleResolver;
}

type LoadFrom = (
  variables: ReadonlyMap<string, Value>,
  from: { readonly folder: string; readonly resolveModule: ModuleResolver },
) => ReturnType<WorkspaceContext["loadFrom"]>;

/** Loads the module of a run block as a root module. @see OpenTofu configs, buildTestModules */
async function loadRunModule(
  context: WorkspaceContext,
  { file, run, root, resolveModule }: RunModulePlace,
  load: LoadFrom,
  report: Report,
): Promise<Awaited<ReturnType<LoadFrom>> | undefined> {
  const { source, version, range, sourceRange } = run.module!;
  const path = runModulePath(file.path, run.name);
  const resolved = await resolveModule({
    path,
    ...(source && { source }),
    ...(version && { version }),
    parentFolder: context.folder,
    ...(sourceRange && { sourceRange }),
    callRange: range,
  });
  reportAll(report, resolved.diagnostics);
  const { folder } = resolved;
  if (folder === undefined) return undefined;
  if ((await context.files.list(folder)) === undefined) {
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

/** The variables of a run block that static expressions of its module can use. */
function staticVariables(root: Configuration, { variables }: RunBlock): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const [name, expression] of variables) {
    const subject = { module: root.path, name: `var.${name}`, range: expression.range };
    const { value, diagnostics } = root.staticScope.evaluate(expression, subject);
    if (!hasErrors(diagnostics)) values.set(name, value);
  }
  return values;
}
