// SPDX-License-Identifier: Apache-2.0
import { hasErrors } from "@tenon/hcl";
import { graphOf, type ConfigurationGraph } from "../documents/graph.ts";
import { DependencyGraph } from "../evaluation/dependency-graph.ts";
import type { AddressedDiagnostic } from "../provider/provider-diagnostic.ts";
import { ProviderSchemas } from "../provider/provider-schemas.ts";
import { emptyState } from "../state/state.ts";
import type { WorkspaceContext } from "./workspace-context.ts";
import type { RunOptions } from "./workspace-options.ts";

/** The graph of a configuration, and what is wrong with it. */
export interface GraphResult {
  /** Absent where the configuration cannot be loaded. */
  readonly graph?: ConfigurationGraph;
  readonly diagnostics: readonly AddressedDiagnostic[];
}

/** Finds what depends on what in a configuration. The schemas of its providers tell where references can be. */
export async function configurationGraph(
  context: WorkspaceContext,
  { variables = {}, signal }: Pick<RunOptions, "variables" | "signal">,
): Promise<GraphResult> {
  const { configuration, diagnostics } = await context.load(variables, signal);
  if (configuration === undefined || hasErrors(diagnostics)) return { diagnostics };
  await using pool = await context.openPool(configuration, { signal });
  const schemas = await ProviderSchemas.load(pool, configuration, emptyState);
  const found = [...diagnostics, ...schemas.diagnostics];
  if (hasErrors(found)) return { diagnostics: found };
  const graph = new DependencyGraph(configuration, {
    resource: ({ provider, address }) => provider && schemas.resource(provider, address)?.block,
    provider: ({ provider }) => schemas.configuration(provider),
  });
  return { graph: graphOf(graph), diagnostics: [...found, ...graph.unknownFunctionProviders] };
}
