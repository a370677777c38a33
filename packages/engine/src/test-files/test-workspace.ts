// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { GivenVariable } from "../configuration/variable-values.ts";
import type { FunctionEnvironment } from "../functions/environment.ts";
import type { ConfigurationFiles } from "../configuration/file-system.ts";
import { WorkspaceContext } from "../workspace/workspace-context.ts";
import type { WorkspaceOptions } from "../workspace/workspace-options.ts";
import { defaultTestFolder, loadTests, type LoadedTests } from "./load-tests.ts";
import { TestedModule, type TestedModuleParts } from "./tested-module.ts";

/** Options of a {@link TestWorkspace}: those of a workspace whose states are in memory. */
export type TestWorkspaceOptions = Omit<WorkspaceOptions, "state" | "backendArguments" | "backends" | "journal">;

/** A module under test: loads it with its test files, and opens the configurations of run blocks. */
export class TestWorkspace {
  readonly #context: WorkspaceContext;

  /** @throws EngineError `INVALID_OPTIONS`. */
  constructor(options: TestWorkspaceOptions) {
    this.#context = new WorkspaceContext(options);
  }

  /** Clock, random numbers and files of functions. */
  get environment(): FunctionEnvironment {
    return this.#context.environment;
  }

  /** The files of the configuration. */
  get files(): ConfigurationFiles {
    return this.#context.files;
  }

  /** The folder of the module under test. */
  get folder(): string {
    return this.#context.folder;
  }

  /** Loads the module, its test files and the modules that they run. Errors are in the diagnostics. */
  load(
    variables: ReadonlyMap<string, GivenVariable | Value>,
    {
      testFolder = defaultTestFolder,
      signal,
    }: { readonly testFolder?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<LoadedTests> {
    return loadTests(this.#context, { testFolder, variables, signal });
  }

  /** Opens a configuration with the providers, mocks and overrides of a run block. */
  open(parts: TestedModuleParts): Promise<TestedModule> {
    return TestedModule.open(this.#context, parts);
  }
}
