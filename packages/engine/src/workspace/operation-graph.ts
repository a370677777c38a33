// SPDX-License-Identifier: Apache-2.0
import { hasErrors } from "@tenon/hcl";
import type { Configuration } from "../configuration/configuration.ts";
import type { Report } from "../configuration/report.ts";
import { applyGraph } from "../graph/apply-graph.ts";
import { graphInput, type GraphInput } from "../graph/graph-input.ts";
import { planDestroyGraph, planGraph } from "../graph/plan-graph.ts";
import type { GraphType, OperationGraph } from "../graph/graph.ts";
import type { PlannedChanges } from "../change/planned-changes.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import type { ProviderPool } from "../provider/provider-pool.ts";
import { ProviderSchemas } from "../provider/provider-schemas.ts";
import { StateManager } from "../state/state-manager.ts";
import type { State } from "../state/state.ts";
import type { RunSetup } from "./run-setup.ts";
import type { WorkspaceContext } from "./workspace-context.ts";
import type { RunOptions } from "./workspace-options.ts";

/** The graph of an operation, and what is wrong with the configuration. */
export interface GraphResult {
  /** Absent if there are errors. */
  readonly graph?: OperationGraph;
  readonly diagnostics: readonly AddressedDiagnostic[];
}

/** Options of the graph of an operation that is not planned yet. */
export interface GraphOptions extends Pick<RunOptions, "variables" | "signal"> {
  /** Default: `plan`. */
  readonly type?: GraphType;
}

/** Finds what depends on what in an operation on the configuration and the stored state. Reads the state without a lock. */
export async function operationGraph(
  context: WorkspaceContext,
  { type = "plan", variables = {}, signal }: GraphOptions,
): Promise<GraphResult> {
  signal?.throwIfAborted();
  const { configuration, diagnostics } = await context.load(variables, signal);
  if (configuration === undefined || hasErrors(diagnostics)) return { diagnostics };
  const selected = context.stores.select(configuration);
  try {
    const report: Report = [...diagnostics, ...selected.diagnostics];
    if (hasErrors(report)) return { diagnostics: report };
    const { store } = selected;
    const calls = signal === undefined ? {} : { signal };
    const { state } = (await StateManager.open(store.workspace(context.workspace), store.layout, calls)).file;
    await using pool = await context.openPool(configuration, { signal });
    const input = await inputOf(configuration, state, pool, report);
    return input === undefined ? { diagnostics: report } : { graph: graphOfType(type, input), diagnostics: report };
  } finally {
    await selected.close();
  }
}

/** The graph of the apply of a plan. */
export async function plannedGraph(
  { configuration, targets, excludes }: Pick<RunSetup, "configuration" | "targets" | "excludes">,
  { resources, mode, priorState }: PlannedChanges,
  pool: ProviderPool,
): Promise<GraphResult> {
  const report: Report = [];
  const input = await inputOf(configuration, priorState, pool, report);
  if (input === undefined) return { diagnostics: report };
  return { graph: applyGraph(input, { resources, mode, targets, excludes }), diagnostics: report };
}

async function inputOf(configuration: Configuration, state: State, pool: ProviderPool, report: Report): Promise<GraphInput | undefined> {
  const schemas = await ProviderSchemas.load(pool, configuration, state);
  report.push(...schemas.diagnostics);
  if (hasErrors(report)) return undefined;
  const source = {
    resource: ({ provider, address }) => provider && schemas.resource(provider, address)?.block,
    provider: ({ provider }) => schemas.configuration(provider),
  } satisfies Parameters<typeof graphInput>[2];
  const input = graphInput(configuration, state, source, report);
  return hasErrors(report) ? undefined : input;
}

function graphOfType(type: GraphType, input: GraphInput): OperationGraph {
  if (type === "plan-destroy") return planDestroyGraph(input);
  return type === "apply" ? applyGraph(input, { resources: [], mode: "normal", targets: [], excludes: [] }) : planGraph(input);
}
