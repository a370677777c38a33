// SPDX-License-Identifier: Apache-2.0
import type { AddressedDiagnostic } from "@tenon/engine";
import { collectVariables, type GivenVariable, type VariableSources } from "@tenon/engine/configuration";
import { defaultTestFolder, TestWorkspace, type TestFile, type TestWorkspaceOptions } from "@tenon/engine/unstable/test-files";
import { hasErrors } from "@tenon/hcl";
import { FileRun, type SuiteContext } from "./run-file.ts";
import { mergeStatus, type TestStatus } from "./status.ts";
import type { CleanupResult, TestEvent, TestFileResult, TestSuiteResult } from "./suite.ts";

/** Options of {@link runTestFiles}. */
export interface RunTestFilesOptions extends TestWorkspaceOptions {
  /** Folder of test files below the module under test. Test files beside the module are run, too. Default: `tests`. */
  readonly testFolder?: string;
  /** Paths of the test files to run, relative to the folder of the module. Default: all. */
  readonly filter?: readonly string[];
  /** Values of variables from outside of the test files, and variables files, in increasing order of precedence. */
  readonly variables?: VariableSources["options"];
  /** Whether the results have the plans and states of run blocks. Default: false. */
  readonly verbose?: boolean;
  /** Called with each step. */
  readonly onEvent?: (event: TestEvent) => void;
  /** Ends the tests gracefully: the current run block ends, the others are skipped, and all objects are destroyed. */
  readonly stopSignal?: AbortSignal;
  /** Aborts immediately: {@link runTestFiles} rejects with the reason, and objects may continue to exist. The last event tells which. */
  readonly signal?: AbortSignal;
}

/**
 * Runs the test files of a module (`.tftest.hcl`, `.tofutest.hcl`, and the same with `.json`), as `tofu test` does. Files are run by path. All
 * states are in memory, and all objects are destroyed at the end of their file.
 *
 * @throws EngineError `PROVIDER_NOT_FOUND`, `PROVIDER_INSTALLATION_FAILED`, `INVALID_OPTIONS`.
 * @see OpenTofu command, TestCommand
 *
 * @example
 * const main = 'variable "name" {}\noutput "greeting" {\n  value = "Hello ${var.name}"\n}\n';
 * const test = 'run "greets" {\n  command = plan\n  variables {\n    name = "you"\n  }\n  assert {\n    condition     = output.greeting == "Hello you"\n    error_message = "Wrong."\n  }\n}\n';
 * const { status } = await runTestFiles({ configuration: objectFiles({ "main.tf": main, "main.tftest.hcl": test }) });
 * status; // => pass
 */
export async function runTestFiles(options: RunTestFilesOptions): Promise<TestSuiteResult> {
  const { testFolder = defaultTestFolder, filter = [], variables = [], verbose = false, stopSignal, signal, ...rest } = options;
  const { onEvent = () => {}, ...workspaceOptions } = rest;
  const workspace = new TestWorkspace(workspaceOptions);
  const collected = await collectGlobals(workspace, options, testFolder, variables);
  const sources = new Map(collected.sources);
  const diagnostics: AddressedDiagnostic[] = [...collected.diagnostics];
  const loaded = hasErrors(diagnostics) ? undefined : await workspace.load(collected.given, { testFolder, signal });
  for (const [path, source] of loaded?.sources ?? []) sources.set(path, source);
  diagnostics.push(...(loaded?.diagnostics ?? []));
  if (loaded?.configuration === undefined || hasErrors(diagnostics)) {
    onEvent({ type: "loaded", diagnostics, failed: true, sources });
    return { status: "error", files: [], diagnostics, sources };
  }
  const { configuration } = loaded;
  const files = filter.length === 0 ? loaded.files : loaded.files.filter(({ path }) => filter.includes(path));
  if (filter.length > 0 && files.length === 0) diagnostics.push(noTestsFound);
  onEvent({ type: "loaded", diagnostics, failed: false, sources });
  const names = new Map(files.map(({ path, runs }) => [path, runs.map(({ name }) => name)]));
  onEvent({ type: "suiteStarted", files: names, sources });
  const isStopped = (): boolean => stopSignal?.aborted === true;
  const context = { workspace, loaded, configuration, globals: collected.given, verbose, isStopped, signal };
  const results: TestFileResult[] = [];
  const emitStopping = (): void => onEvent({ type: "stopping", sources });
  const emitAborting = (): void => onEvent({ type: "aborting", sources });
  stopSignal?.addEventListener("abort", emitStopping, { once: true });
  signal?.addEventListener("abort", emitAborting, { once: true });
  try {
    for (const file of files) {
      signal?.throwIfAborted();
      results.push(await runFile(context, file, (event) => onEvent({ ...event, sources })));
    }
  } finally {
    stopSignal?.removeEventListener("abort", emitStopping);
    signal?.removeEventListener("abort", emitAborting);
  }
  const status = results.reduce<TestStatus>((merged, result) => mergeStatus(merged, result.status), "pass");
  const suite: TestSuiteResult = { status, files: results, diagnostics, sources };
  onEvent({ type: "suiteEnded", suite, sources });
  return suite;
}

/** An event without the texts of the files. */
type FileEvent =
  | Pick<TestEvent & { readonly type: "fileEnded" }, "type" | "file">
  | Pick<TestEvent & { readonly type: "cleanedUp" }, "type" | "path" | "cleanup">
  | Pick<TestEvent & { readonly type: "interrupted" }, "type" | "path" | "interruption">;

/** Runs the blocks of a file, and destroys their objects. After an abort, it reports which objects exist, and rejects with the reason. */
async function runFile(context: SuiteContext, file: TestFile, emit: (event: FileEvent) => void): Promise<TestFileResult> {
  const fileRun = new FileRun(context, file);
  try {
    const executed = await fileRun.execute();
    emit({ type: "fileEnded", file: executed });
    const cleanups: CleanupResult[] = [];
    for await (const cleanup of fileRun.cleanUp()) {
      cleanups.push(cleanup);
      emit({ type: "cleanedUp", path: file.path, cleanup });
    }
    return { ...executed, cleanups };
  } catch (error) {
    if (context.signal?.aborted !== true) throw error;
    const interruption = fileRun.interruption();
    if (interruption !== undefined) emit({ type: "interrupted", path: file.path, interruption });
    throw context.signal.reason;
  }
}

const noTestsFound: AddressedDiagnostic = {
  severity: "warning",
  summary: "No tests were found",
  detail: "-filter is being used but no tests were found. Make sure you're using a relative path to the current working directory.",
};

/**
 * The values of variables from outside of the test files. As in OpenTofu, variables files of the test folder have the highest precedence.
 *
 * @see OpenTofu command, Meta.collectVariableValuesWithTests
 */
async function collectGlobals(
  { files, folder }: TestWorkspace,
  { environmentVariables = process.env }: RunTestFilesOptions,
  testFolder: string,
  options: NonNullable<VariableSources["options"]>,
): Promise<{ readonly given: ReadonlyMap<string, GivenVariable> } & Pick<TestSuiteResult, "diagnostics" | "sources">> {
  const ofModule = await collectVariables({ environment: environmentVariables, folder, files, options });
  const testFolderPath = folder === "." ? testFolder : `${folder}/${testFolder}`;
  const ofTests = await collectVariables({ folder: testFolderPath, files });
  return {
    given: new Map([...ofModule.given, ...ofTests.given]),
    diagnostics: [...ofModule.diagnostics, ...ofTests.diagnostics],
    sources: new Map([...ofModule.sources, ...ofTests.sources]),
  };
}
