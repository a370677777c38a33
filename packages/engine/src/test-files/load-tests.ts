// SPDX-License-Identifier: Apache-2.0
import { posix } from "node:path";
import type { Value } from "@tenon/cty";
import { goQuote } from "@tenon/cty/unstable/payload";
import { hasErrors, parseConfig, parseJson, type Body, type Diagnostic } from "@tenon/hcl";
import { nativeBody } from "@tenon/hcl/body";
import type { Configuration } from "../configuration/configuration.ts";
import { testFilesAmong } from "../configuration/module-files.ts";
import { localModules } from "../configuration/module-request.ts";
import { reportAll, reportError, reportWarning, type Report } from "../configuration/report.ts";
import type { GivenVariable } from "../configuration/variable-values.ts";
import type { WorkspaceContext } from "../workspace/workspace-context.ts";
import { loadRunModules, type LoadModule } from "./load-run-modules.ts";
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

/** Loads a module, its test files, and the modules of their run blocks. @see OpenTofu configload, Loader.LoadConfigWithTests */
export async function loadTests(context: WorkspaceContext, { testFolder, variables, signal }: LoadTestsOptions): Promise<LoadedTests> {
  const { files, folder, options } = context;
  const sources = new Map<string, string | Uint8Array>();
  const fileReport: Report = [];
  const modules = new Map<RunBlock, Configuration>();
  const paths = await testPaths(context, testFolder, fileReport);
  if (hasErrors(fileReport)) return { files: [], modules, diagnostics: fileReport, sources };
  const testFiles = await readTestFiles(context, paths, sources, fileReport);
  return context.withModules(signal, async (resolveModule = localModules) => {
    const { workingFolder } = options;
    const load: LoadModule = async (values, origin) => {
      const place = { files, ...(workingFolder !== undefined && { workingFolder }), ...(signal && { signal }), ...origin };
      const loaded = await context.loadFrom(values, place);
      for (const [path, source] of loaded.sources) sources.set(path, source);
      return loaded;
    };
    const { configuration: root, diagnostics } = await load(variables, { folder, resolveModule });
    const report: Report = [...diagnostics, ...fileReport];
    if (root !== undefined && !hasErrors(report)) {
      const loaded = await loadRunModules({ root, folder, files, resolveModule, load }, testFiles, report);
      for (const [run, { configuration }] of loaded) if (configuration !== undefined) modules.set(run, configuration);
      if (!hasErrors(report)) validateTestProviders(root, testFiles, modules, report);
    }
    return { ...(root && { configuration: root }), files: testFiles, modules, diagnostics: report, sources };
  });
}

/** The paths of the test files: those of the test folder, then those beside the module. @see OpenTofu configs, Parser.dirFiles */
async function testPaths({ files, folder }: WorkspaceContext, testFolder: string, report: Report): Promise<readonly string[]> {
  const testFolderPath = posix.join(folder, testFolder);
  const namesInTestFolder = await files.list(testFolderPath);
  if (namesInTestFolder === undefined && testFolder !== defaultTestFolder) {
    reportWarning(report, "Test directory does not exist", `Requested test directory ${testFolderPath} does not exist.`);
  }
  const namesInModule = await files.list(folder);
  if (namesInModule === undefined) {
    reportError(report, "Failed to read module directory", `Module directory ${folder} does not exist or cannot be read.`);
  }
  return testFilesAmong([
    ...(namesInTestFolder ?? []).map((name) => posix.join(testFolderPath, name)),
    ...(namesInModule ?? []).map((name) => posix.join(folder, name)),
  ]);
}

async function readTestFiles(
  { files, folder }: WorkspaceContext,
  paths: readonly string[],
  sources: Map<string, string | Uint8Array>,
  report: Report,
): Promise<readonly TestFile[]> {
  const testFiles: TestFile[] = [];
  for (const path of new Set(paths)) {
    const source = await files.read(path);
    if (source === undefined) {
      reportError(report, "Failed to read file", `The file ${goQuote(path)} could not be read.`);
      continue;
    }
    sources.set(path, source);
    testFiles.push(readTestFile(posix.relative(folder, path), parseBody(path, source, report), report));
  }
  return testFiles.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function parseBody(path: string, source: string | Uint8Array, report: Report): Body {
  if (path.endsWith(".json")) {
    const { body, diagnostics } = parseJson(source, path);
    reportAll(report, diagnostics);
    return body;
  }
  const { body, diagnostics } = parseConfig(source, path, { recovery: "first-error" });
  reportAll(report, diagnostics);
  return nativeBody(body);
}
