// SPDX-License-Identifier: Apache-2.0
import type { AddressedDiagnostic } from "@tenon/engine";
import type { PlannedChanges } from "@tenon/engine/plan";
import { runOverrides, runProviders, type ProviderScopes, type TestedModule, type TestWorkspace } from "@tenon/engine/unstable/test-files";
import { hasErrors } from "@tenon/hcl";
import { inputVariables, providersScope, variablesScope, type RunInput, type RunVariables } from "./run-scope.ts";

/** The context of a run block: its input, its file and its suite. */
export interface RunContext {
  readonly input: RunInput;
  readonly workspace: TestWorkspace;
  /** The scopes of the file's `provider` blocks. */
  readonly providerScopes: ProviderScopes;
  /** Whether the result has the plan or the state. */
  readonly verbose: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called with the changes before they are applied. */
  readonly onApply?: (planned: PlannedChanges) => void;
}

/** The opened configuration of a run block. */
export interface OpenedRun {
  /** Absent after errors. The caller disposes it. */
  readonly module?: TestedModule;
  readonly variables: RunVariables;
  readonly diagnostics: readonly AddressedDiagnostic[];
  /** Whether the values of variables have errors. Providers and overrides are then not checked. */
  readonly hasVariableErrors: boolean;
}

/** Gives the variables, providers, mocks and overrides of a run block to its configuration, and opens it. */
export async function openRun({ input, workspace, providerScopes, signal }: RunContext): Promise<OpenedRun> {
  const { run, file, outputs, configuration } = input;
  const variables = inputVariables(input, variablesScope(input));
  const diagnostics: AddressedDiagnostic[] = [...variables.diagnostics];
  if (hasErrors(diagnostics)) return { variables, diagnostics, hasVariableErrors: true };
  const scope = providersScope(input, variables);
  const place = { scope, hasOutputs: outputs.size > 0, scopes: providerScopes };
  const providers = runProviders(configuration, { run, file }, place, diagnostics);
  const overrides = runOverrides(configuration, run, file, diagnostics);
  if (hasErrors(diagnostics)) return { variables, diagnostics, hasVariableErrors: false };
  const module = await workspace.open({ ...providers, overrides, variables: variables.given, signal });
  return { module, variables, diagnostics, hasVariableErrors: false };
}
