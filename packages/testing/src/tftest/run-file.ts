// SPDX-License-Identifier: Apache-2.0
import { objectOf, type Value } from "@tenon/cty";
import type { AddressedDiagnostic } from "@tenon/engine";
import type { ResourceInstance } from "@tenon/engine/address";
import { formatModuleSource, type Configuration, type GivenVariable } from "@tenon/engine/configuration";
import { emptyState, type State } from "@tenon/engine/state";
import type { LoadedTests, ProviderScopes, RunBlock, TestFile, TestWorkspace } from "@tenon/engine/unstable/test-files";
import { hasErrors } from "@tenon/hcl";
import { executeRun } from "./execute-run.ts";
import { openRun, type RunContext } from "./open-run.ts";
import { mergeStatus, type TestStatus } from "./status.ts";
import type { CleanupResult, Interruption, RunObjects, TestFileResult, TestRunResult } from "./suite.ts";

/** The context of all test files of a suite. */
export interface SuiteContext {
  readonly workspace: TestWorkspace;
  readonly loaded: LoadedTests;
  readonly configuration: Configuration;
  readonly globals: ReadonlyMap<string, GivenVariable>;
  readonly verbose: boolean;
  /** Whether run blocks that have not started are skipped. */
  readonly isStopped: () => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The state of the run blocks with one configuration, and the run block that changed it last. */
interface RecordedState {
  run: RunBlock | undefined;
  state: State;
}

/** The run block in progress. */
interface CurrentRun {
  readonly run: RunBlock;
  /** The objects that it is creating. */
  readonly creating: readonly ResourceInstance[];
}

/** The key of the state of the module under test. */
const rootKey = "";

/** An execution of a test file, with the states that its run blocks share. */
export class FileRun {
  readonly #context: SuiteContext;
  readonly #file: TestFile;
  readonly #states = new Map<string, RecordedState>([[rootKey, { run: undefined, state: emptyState }]]);
  readonly #providerScopes: ProviderScopes = new Map();
  #current: CurrentRun | undefined;

  constructor(context: SuiteContext, file: TestFile) {
    this.#context = context;
    this.#file = file;
  }

  /** Executes the run blocks in order. After a run block with an error, the others are skipped. @see OpenTofu command, ExecuteTestFile */
  async execute(): Promise<Omit<TestFileResult, "cleanups">> {
    const runs: TestRunResult[] = [];
    let status: TestStatus = "pass";
    for (const run of this.#file.runs) {
      const isSkipped = status === "error" || this.#context.isStopped();
      const result = isSkipped ? skipped(run) : await this.#execute(run);
      runs.push(result);
      if (!isSkipped) status = mergeStatus(status, result.status);
    }
    return { path: this.#file.path, status, runs };
  }

  /** What an abort leaves behind now; undefined before the first run block. @see OpenTofu views, TestHuman.FatalInterruptSummary */
  interruption(): Interruption | undefined {
    if (this.#current === undefined) return undefined;
    const { run, creating } = this.#current;
    const order = [undefined, ...this.#file.runs];
    const objects = [...this.#states]
      .map(([key, { run: last, state }]) => ({ last: key === rootKey ? undefined : last, state }))
      .sort((a, b) => order.indexOf(a.last) - order.indexOf(b.last))
      .map(({ last, state }): RunObjects => ({ ...(last?.module && { module: { run: last.name, source: sourceOf(last)! } }), state }));
    const source = sourceOf(run);
    return { run: run.name, ...(source !== undefined && { source }), objects, creating };
  }

  async #execute(run: RunBlock): Promise<TestRunResult> {
    const start = performance.now();
    this.#current = { run, creating: [] };
    const key = stateKey(run);
    let recorded = this.#states.get(key);
    if (recorded === undefined) this.#states.set(key, (recorded = { run: undefined, state: emptyState }));
    const { status, diagnostics, state, document } = await executeRun(this.#contextOf(run), recorded.state);
    if (state !== undefined) Object.assign(recorded, { run, state });
    const { name, command } = run;
    return { name, command, status, diagnostics, ...(document && { document }), milliseconds: performance.now() - start };
  }

  #contextOf(run: RunBlock): RunContext {
    const { workspace, loaded, configuration, globals, verbose, signal } = this.#context;
    return {
      input: {
        configuration: loaded.modules.get(run) ?? configuration,
        run,
        file: this.#file,
        globals,
        outputs: this.#outputs(),
        environment: workspace.environment,
      },
      workspace,
      providerScopes: this.#providerScopes,
      verbose,
      signal,
      onApply: ({ resources }) => {
        const created = resources.filter(({ action }) => action === "create");
        this.#current = { run, creating: created.map(({ address }) => address.instance) };
      },
    };
  }

  /** The outputs of the runs that changed the states last, by the name of the run. */
  #outputs(): ReadonlyMap<string, Value> {
    const outputs = new Map<string, Value>();
    for (const { run, state } of this.#states.values()) {
      if (run === undefined) continue;
      outputs.set(run.name, objectOf(new Map([...state.outputs].map(([name, { value }]) => [name, value]))));
    }
    return outputs;
  }

  /** Destroys all objects, those of the last run first, and yields the result of each state. @see OpenTofu command, TestFileRunner.Cleanup */
  async *cleanUp(): AsyncGenerator<CleanupResult> {
    const order = new Map(this.#file.runs.map((run, index) => [run, index]));
    const states = [...this.#states.values()].filter(
      (state): state is RecordedState & { readonly run: RunBlock } => state.run !== undefined,
    );
    for (const recorded of states.sort((a, b) => order.get(b.run)! - order.get(a.run)!)) {
      const result = await this.#destroy(recorded.run, recorded.state);
      if (result === undefined) return;
      recorded.state = result.state;
      yield { run: recorded.run.name, ...result };
    }
  }

  /** Destroys the objects of a state. Returns undefined if the values of variables have errors: OpenTofu then destroys no further object. */
  async #destroy(run: RunBlock, state: State): Promise<Omit<CleanupResult, "run"> | undefined> {
    this.#current = { run, creating: [] };
    const opened = await openRun(this.#contextOf(run));
    if (opened.hasVariableErrors) return undefined;
    const diagnostics: AddressedDiagnostic[] = [...opened.diagnostics];
    if (opened.module === undefined) return { diagnostics, state };
    await using module = opened.module;
    if (isEmpty(state)) return { diagnostics, state };
    const planned = await module.plan(state, { mode: "destroy", refresh: true, targets: [], replace: [] });
    diagnostics.push(...planned.diagnostics);
    if (hasErrors(diagnostics)) return { diagnostics, state };
    const applied = await module.apply(planned, []);
    return { diagnostics: [...diagnostics, ...applied.diagnostics], state: applied.state };
  }
}

function isEmpty({ resources, outputs }: State): boolean {
  return resources.size === 0 && outputs.size === 0;
}

function skipped({ name, command }: RunBlock): TestRunResult {
  return { name, command, status: "skip", diagnostics: [], milliseconds: 0 };
}

/** The key of the state of a run block. Run blocks with the same module source share a state. */
function stateKey(run: RunBlock): string {
  return sourceOf(run) ?? rootKey;
}

/** The source of the module of a run block; undefined for the module under test. */
function sourceOf({ module }: RunBlock): string | undefined {
  return module?.source === undefined ? undefined : formatModuleSource(module.source);
}
